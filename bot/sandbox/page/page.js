// Shows what the agent asked and heard.

import { element } from "/dom.js";

const AGREED = new Set(["answered", "accepted", "completed"]);
const list = document.getElementById("asked");
const quiet = document.getElementById("quiet");
let shown = "";

function facts(pairs) {
  const made = element("dl");
  for (const [term, value] of pairs) {
    if (value === null || value === undefined) continue;
    made.append(element("dt", term), element("dd", value));
  }
  return made;
}

function entry(one) {
  const item = element("li");
  item.append(element("h3", one.title), element("div", one.where, "where"));
  const shade = !one.settled ? "state" : AGREED.has(one.status) ? "state agreed" : "state ended";
  item.append(element("span", one.status, shade));
  if (one.heard) item.append(element("p", one.heard, "heard"));
  item.append(facts(one.receipt));
  return item;
}

async function look() {
  try {
    const answer = await fetch("/state", { cache: "no-store" });
    const text = await answer.text();
    if (text !== shown) {
      shown = text;
      const state = JSON.parse(text);
      for (const name of ["slack", "telegram"]) {
        const frame = document.getElementById(name);
        if (frame.src !== state[name]) frame.src = state[name];
      }
      list.replaceChildren(...state.asked.map(entry));
      quiet.hidden = state.asked.length > 0;
    }
  } catch (error) {
    quiet.hidden = false;
    quiet.textContent = "The demo has ended. Start it again to go on.";
  }
  setTimeout(look, 500);
}

document.getElementById("again").addEventListener("submit", async (event) => {
  event.preventDefault();
  await fetch("/ask", { method: "POST" });
});

look();
