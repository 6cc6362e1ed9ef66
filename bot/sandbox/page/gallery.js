// Asks formats and shows where they are answered and what is saved of it.

import { element } from "/dom.js";

const FRAMES = ["slack", "telegram", "review"];
const byId = (id) => document.getElementById(id);
let framed = "";
let saved = "";
let offered = false;

function offer(formats) {
  if (offered) return;
  offered = true;
  byId("formats").replaceChildren(...formats.map((format) => {
    const item = element("li");
    const button = element("button", format.name);
    button.type = "button";
    button.id = `format-${format.id}`;
    button.addEventListener("click", () => ask(format.id));
    item.append(button);
    return item;
  }));
}

async function ask(format) {
  await fetch(`/gallery/ask/${encodeURIComponent(format)}`, { method: "POST" });
  await look();
}

function frame(asked) {
  const now = JSON.stringify([asked.id, ...FRAMES.map((name) => asked[name])]);
  if (now === framed) return;
  framed = now;
  for (const name of FRAMES) byId(name).src = asked[name];
  for (const button of document.querySelectorAll("#formats button")) {
    button.setAttribute("aria-pressed", String(button.id === `format-${asked.format}`));
  }
}

function record(title, value) {
  return [element("h3", title), element("pre", JSON.stringify(value, null, 2))];
}

function tell(asked) {
  const now = JSON.stringify([asked.id, asked.status, asked.receipts.length]);
  if (now === saved) return;
  // The page of a card is as it was when it was opened, so it is opened again once the card settles.
  const before = saved && JSON.parse(saved);
  if (before && before[0] === asked.id && before[1] !== asked.status) byId("review").src = asked.review;
  saved = now;
  const { status, outcome, receipts } = asked;
  const shade = status === "pending" ? "state" : outcome.answer === null || status === "rejected" ? "state ended" : "state agreed";
  byId("saved").replaceChildren(
    element("span", status === "pending" ? "waits for a person" : status, shade),
    ...(outcome ? record("Outcome", outcome) : []),
    ...record(receipts.length === 1 ? "Receipt" : "Receipts, newest first", receipts.length === 1 ? receipts[0] : [...receipts].reverse()),
  );
}

async function look() {
  try {
    const state = await (await fetch("/gallery/state", { cache: "no-store" })).json();
    offer(state.formats);
    if (state.asked) {
      frame(state.asked);
      tell(state.asked);
    }
  } catch {
    byId("saved").replaceChildren(element("p", "The demo has ended. Start it again to go on.", "quiet"));
  }
}

async function watch() {
  await look();
  setTimeout(watch, 700);
}

watch();
