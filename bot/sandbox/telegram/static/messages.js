// The messages of the open chat: bubbles, quotes, keyboards. Only what changed is drawn again.

import { $, clock, day, el, hue, toast } from "./elements.js";
import { formatted } from "./text.js";

const CORNERS = { url: "↗", web_app: "▢", login_url: "↗", copy_text: "⧉", switch_inline_query: "↪" };
const drawn = new Map();

function quoted(reply) {
  return el("button", { class: "quoted", type: "button", onclick: () => reveal(reply.id) },
    el("b", {}, reply.name), el("span", {}, reply.text));
}

function reveal(id) {
  const node = document.getElementById(`m${id}`);
  if (!node) return;
  node.scrollIntoView({ block: "center" });
  node.classList.remove("flash");
  void node.offsetWidth;
  node.classList.add("flash");
}

function key(button, message, acts) {
  const corner = CORNERS[button.action];
  const attributes = { class: `key ${button.style ?? ""}`.trim() };
  const label = [button.text, corner ? el("span", { class: "corner", "aria-hidden": "true" }, corner) : null];
  if (button.url) {
    return el("a", { ...attributes, href: button.url, target: "_blank", rel: "noopener noreferrer" }, ...label);
  }
  const press = async (event) => {
    const node = event.currentTarget;
    if (button.action === "copy_text") {
      await navigator.clipboard?.writeText(button.copy);
      toast("Copied");
    } else if (button.action === "callback_data") {
      node.classList.add("busy");
      await acts.press(message.id, button.data);
      node.classList.remove("busy");
    }
  };
  const disabled = button.action === "disabled";
  return el("button", { ...attributes, type: "button", disabled, onclick: press }, ...label);
}

function keyboard(message, acts) {
  if (!message.keyboard.length) return null;
  return el("div", { class: "keys" },
    ...message.keyboard.map((row) => el("div", {}, ...row.map((button) => key(button, message, acts)))));
}

function tools(message, acts) {
  const own = message.mine;
  return el("div", { class: "tools" },
    el("button", { type: "button", onclick: () => acts.reply(message) }, "Reply"),
    own ? el("button", { type: "button", onclick: () => acts.edit(message) }, "Edit") : null,
    own ? el("button", { type: "button", onclick: () => acts.remove(message) }, "Delete") : null);
}

function bubble(message, place, acts) {
  const meta = [message.edited ? "edited " : "", clock(message.date), message.mine ? " ✓✓" : ""].join("");
  const named = place.inGroup && !message.mine && place.first;
  return el("div", { class: "bubble" },
    named ? el("div", { class: `who tone${hue(message.author)}` }, message.name) : null,
    message.reply ? quoted(message.reply) : null,
    el("div", { class: "body" }, ...formatted(message.text, message.entities, acts.command),
      el("span", { class: "meta" }, meta)));
}

function draw(message, place, acts) {
  const id = `m${message.id}`;
  if (message.service) return el("li", { id, class: "notice" }, message.service);
  const classes = ["message", message.mine ? "mine" : "", message.keyboard.length ? "keyed" : "",
    place.first ? "first" : "", place.last ? "last-of" : ""];
  return el("li", { id, class: classes.filter(Boolean).join(" ") },
    bubble(message, place, acts), keyboard(message, acts), tools(message, acts));
}

function placed(chat) {
  const found = [];
  chat.messages.forEach((message, index) => {
    const before = chat.messages[index - 1];
    const after = chat.messages[index + 1];
    if (!before || day(before.date) !== day(message.date)) found.push({ day: day(message.date), key: `d${message.id}` });
    const together = (other) => other && !other.service && other.author === message.author && other.name === message.name;
    const place = { inGroup: chat.kind !== "private", first: !together(before), last: !together(after) };
    found.push({ message, place, key: `${chat.id}/${message.id}` });
  });
  return found;
}

export function drawMessages(chat, acts) {
  const list = $("messages");
  const scroll = $("scroll");
  const low = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 80;
  const wanted = placed(chat);
  const nodes = wanted.map((item) => {
    const now = JSON.stringify(item);
    const kept = drawn.get(item.key);
    if (kept && kept.as === now && list.contains(kept.node)) return kept.node;
    const node = item.day ? el("li", { class: "notice" }, item.day) : draw(item.message, item.place, acts);
    drawn.set(item.key, { as: now, node });
    return node;
  });
  nodes.forEach((node, index) => {
    if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
  });
  while (list.children.length > nodes.length) list.lastElementChild.remove();
  if (low || list.dataset.chat !== `${chat.id}/${chat.topic}`) scroll.scrollTop = scroll.scrollHeight;
  list.dataset.chat = `${chat.id}/${chat.topic}`;
}
