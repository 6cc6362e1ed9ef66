// One person's client: asks what they see, draws it, and does what they do through /_control.

import { $, alertBox, clock, el, hue, initials, toast } from "./elements.js";
import { drawMessages } from "./messages.js";

const here = new URLSearchParams(location.search);
const open = { me: here.get("as"), chat: here.get("chat"), topic: here.get("topic") };
const seen = new Map();
let state = null;
let asked = 0;
let replying = null;
let editing = null;

// Null where nobody answers: the stand-in is gone, or the page is being left.
async function ask(address, options) {
  try {
    return await fetch(address, options);
  } catch {
    return null;
  }
}

async function act(name, body) {
  const response = await ask(`/_control/${name}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  if (!response) { toast("The stand-in does not answer."); return null; }
  const result = await response.json();
  if (response.ok) return result;
  toast(result.error);
  return null;
}

const at = () => ({ user_id: state.me, chat_id: state.open.id });

const acts = {
  async press(messageId, data) {
    const tap = await act("press", { ...at(), message_id: messageId, data, wait: 15 });
    const answer = tap?.answer;
    if (!answer) return;
    if (answer.url) window.open(answer.url, "_blank", "noopener");
    if (answer.text && answer.show_alert) alertBox(state.open.title, answer.text);
    else if (answer.text) toast(answer.text);
  },
  reply(message) { replying = message; editing = null; drawFoot(); $("text").focus(); },
  edit(message) { editing = message; replying = null; $("text").value = message.text; drawFoot(); $("text").focus(); },
  remove(message) { act("delete", { ...at(), message_id: message.id }); },
  command(text) { $("text").value = text; $("text").focus(); },
};

function target() {
  if (editing) return { title: "Edit message", text: editing.text };
  if (replying) return { title: `Reply to ${replying.name}`, text: replying.text, id: replying.id };
  const prompt = state.open.prompt;
  return prompt ? { title: `Reply to ${state.open.kind === "private" ? state.open.title : "the bot"}`, ...prompt } : null;
}

async function send(event) {
  event.preventDefault();
  const text = $("text").value;
  if (!text.trim()) return;
  const to = target();
  const sent = editing
    ? await act("edit", { ...at(), message_id: editing.id, text })
    : await act("write", { ...at(), text, topic: state.open.topic, reply_to: to?.id ?? null, guise: $("guise").value });
  if (sent) { $("text").value = ""; replying = editing = null; grow(); drawFoot(); }
}

function cancelReply() {
  if (editing) $("text").value = "";
  if (!editing && !replying) act("dismiss_prompt", { ...at(), topic: state.open.topic });
  replying = editing = null;
  drawFoot();
}

function grow() {
  const box = $("text");
  box.style.height = "auto";
  box.style.height = box.scrollHeight ? `${box.scrollHeight}px` : ""; // not on the screen it has no height yet
  const typed = /^\/(\w*)$/.exec(box.value);
  const offered = typed && state?.open ? state.open.commands.filter((c) => c.command.startsWith(typed[1])) : [];
  $("commands").replaceChildren(...offered.map((c) => el("li", {}, el("button", { type: "button", onclick: () => {
    box.value = `/${c.command}`;
    $("write").requestSubmit();
  } }, el("b", {}, `/${c.command}`), el("span", {}, c.description)))));
  $("commands").hidden = !offered.length;
}

function go(change) {
  Object.assign(open, change);
  replying = editing = null;
  $("text").value = "";
  $("toast").hidden = true;
  grow();
  $("app").dataset.pane = open.chat ? "chat" : "list";
  refresh();
}

function unread(chat) {
  const last = seen.get(`${state.me}/${chat.id}`) ?? 0;
  return chat.seen.filter((message) => message.id > last && message.author !== state.me).length;
}

function drawRow(chat) {
  const count = unread(chat);
  const last = chat.last;
  const named = last && !last.service && !["private", "channel"].includes(chat.kind);
  const by = named ? `${last.author === state.me ? "You" : last.name}: ` : "";
  return el("li", {}, el("button", {
    class: "row", type: "button", "aria-current": String(chat.id === state.open?.id),
    onclick: () => go({ chat: chat.id, topic: null }),
  },
  el("span", { class: `avatar hue${hue(chat.face)}`, "aria-hidden": "true" }, initials(chat.title)),
  el("b", {}, chat.title),
  el("span", { class: "time" }, last ? clock(last.date) : ""),
  el("span", { class: "last" }, last ? by + last.text : "No messages yet"),
  count ? el("span", { class: "badge", "aria-label": `${count} unread` }, count) : null));
}

function drawList() {
  const people = state.people.map((person) => el("option", { value: person.id, selected: person.id === state.me }, person.name));
  $("me").replaceChildren(...people);
  const chats = [...state.chats].sort((a, b) => (b.last?.date ?? 0) - (a.last?.date ?? 0));
  $("rows").replaceChildren(...chats.map(drawRow));
}

function drawHead(chat) {
  $("title").textContent = chat.title;
  $("subtitle").textContent = chat.typing ? "typing…" : chat.subtitle;
  $("subtitle").className = chat.typing ? "busy" : "";
  $("avatar").className = `avatar hue${hue(chat.face)}`;
  $("avatar").textContent = initials(chat.title);
  $("block").hidden = chat.kind !== "private" || chat.start;
  $("block").textContent = "Block";
  const topics = state.chats.find((row) => row.id === chat.id).topics;
  $("topics").hidden = !topics.length;
  $("topics").replaceChildren(...topics.map((topic) => el("button", {
    type: "button", "aria-current": String(topic.id === chat.topic), onclick: () => go({ topic: topic.id }),
  }, topic.closed ? `${topic.name} · closed` : topic.name)));
}

function drawFoot() {
  const chat = state.open;
  const to = target();
  $("reply").hidden = !to;
  $("reply-name").textContent = to?.title ?? "";
  $("reply-text").textContent = to?.text ?? "";
  $("text").placeholder = to?.placeholder || "Message";
  $("start").hidden = !chat.start;
  $("write").hidden = Boolean(chat.obstacle);
  $("obstacle").hidden = !chat.obstacle || chat.start;
  $("obstacle").textContent = chat.obstacle ?? "";
  $("guise").hidden = chat.guises.length < 2;
  if ($("guise").hidden) $("guise").value = "self";
  if (chat.obstacle) $("reply").hidden = true;
}

function drawChat() {
  const chat = state.open;
  for (const id of ["head", "foot"]) $(id).hidden = !chat;
  $("empty").hidden = Boolean(chat?.messages.length);
  $("empty").textContent = chat ? "No messages here yet" : "Pick a chat to see it.";
  if (!chat) { $("topics").hidden = true; $("messages").replaceChildren(); return; }
  seen.set(`${state.me}/${chat.id}`, Math.max(0, ...state.chats.find((row) => row.id === chat.id).seen.map((m) => m.id)));
  drawHead(chat);
  drawFoot();
  drawMessages(chat, acts);
}

async function refresh() {
  const query = new URLSearchParams();
  for (const [name, value] of [["as", open.me], ["chat", open.chat], ["topic", open.topic]]) {
    if (value !== null && value !== undefined) query.set(name, value);
  }
  const turn = ++asked;
  const response = await ask(`/client/state?${query}`);
  if (!response || turn !== asked) return; // gone, or a later question is already on its way
  state = await response.json();
  if (state.me) open.me = state.me;
  drawChat();
  drawList();
}

$("me").addEventListener("change", (event) => {
  const me = event.target.value;
  // Everybody has their own chat with the bot; whoever had it open sees theirs.
  go({ me, chat: Number(open.chat) === state.me ? me : open.chat, topic: null });
});
$("back").addEventListener("click", () => go({ chat: null }));
$("write").addEventListener("submit", send);
$("reply-cancel").addEventListener("click", cancelReply);
$("start").addEventListener("click", () => act("start", { user_id: state.me }));
$("block").addEventListener("click", () => act("block", { user_id: state.me }));
$("text").addEventListener("input", grow);
$("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); $("write").requestSubmit(); }
  if (event.key === "Escape" && target()) cancelReply();
});
$("app").dataset.pane = open.chat ? "chat" : "list";
new EventSource("/client/events").addEventListener("message", refresh);
