// The middle of the page: a conversation's messages (or the app's Home), the composer, and the open thread.

import { blocks } from "./blocks.js";
import { h, reconcile, swap } from "./dom.js";
import { icon } from "./icons.js";
import { draw, format } from "./nodes.js";
import { notify } from "./notice.js";
import { avatar, nameOf } from "./people.js";
import { act, state } from "./state.js";

const byId = (id) => document.getElementById(id);

export function drawConversation(refresh) {
  const { conversation, thread } = state.screen;
  const pane = byId("messages");
  const pinned = atBottom(pane);
  if (!conversation) {
    swap(byId("title"), h("h2", {}, "No conversation yet"));
    byId("messages").replaceChildren();
    return;
  }
  const isApp = conversation.user === state.screen.app.user;
  const onHome = isApp && state.tab === "home";
  swap(byId("title"), menuButton(), heading(conversation), isApp && tabs(refresh));
  byId("composer").hidden = onHome || conversation.archived;
  byId("draft").placeholder = conversation.kind === "im" ? `Message ${nameOf(conversation.user)}` : `Message #${conversation.name}`;
  drawThread(thread, conversation, refresh);
  pane.classList.toggle("home", onHome);
  if (onHome) {
    reconcile(pane, [{ home: state.screen.home }], () => "home", () => home(refresh));
  } else {
    keepAtBottom(pane, `${state.user}/${conversation.id}`, pinned, () =>
      reconcile(pane, conversation.messages, (m) => m.ts, (m) => message(m, conversation, refresh, true)));
  }
}

function menuButton() {
  const toggle = () => document.documentElement.classList.toggle("menu");
  return h("button", { type: "button", className: "menu-button", "aria-label": "Conversations", onclick: toggle }, icon("menu"));
}

function heading(conversation) {
  if (conversation.kind === "im") return h("h2", {}, avatar(conversation.user, nameOf(conversation.user), "small"), nameOf(conversation.user));
  const mark = conversation.kind === "private" ? icon("lock") : "#";
  const count = `${conversation.members} member${conversation.members === 1 ? "" : "s"}`;
  return [h("h2", {}, mark, conversation.name), h("span", { className: "quiet" }, conversation.archived ? "archived" : count)];
}

function tabs(refresh) {
  const tab = (name, label) => {
    const go = async () => {
      state.tab = name;
      await act("home", { tab: name }).catch((error) => notify(error.message));
      refresh();
    };
    return h("button", { type: "button", role: "tab", "aria-selected": String(state.tab === name), onclick: go, dataset: { key: `tab-${name}` } }, label);
  };
  return h("div", { className: "tabs", role: "tablist" }, tab("home", "Home"), tab("messages", "Messages"));
}

function home(refresh) {
  const view = state.screen.home;
  if (!view) return h("p", { className: "quiet empty" }, "This app has published nothing here yet.");
  return h("div", { className: "home-view" }, blocks(view.blocks, { on: "home", place: view.id, values: view.state, refresh }));
}

// Stays at the newest message unless the person has scrolled up; jumps there when the conversation changes.
function keepAtBottom(pane, name, pinned, change) {
  const moved = pane.dataset.shows !== name;
  pane.dataset.shows = name;
  change();
  if (pinned || moved) pane.scrollTop = pane.scrollHeight;
}

function atBottom(pane) {
  return pane.scrollHeight - pane.scrollTop - pane.clientHeight < 60;
}

function message(record, conversation, refresh, inChannel) {
  const { author } = record;
  const place = { on: "message", channel: conversation.id, ts: record.ts, version: record.version, place: record.ts, values: record.state, refresh };
  const edited = record.edited && h("span", { className: "quiet edited" }, " (edited)");
  const body = record.blocks.length ? blocks(record.blocks, place) : h("div", { className: "text" }, draw(record.nodes), edited);
  return h(
    "article",
    { className: `message${record.private ? " private" : ""}${record.deleted ? " deleted" : ""}`, "aria-label": `${author.name}, ${clock(record.ts)}` },
    record.private && h("p", { className: "private-note" }, icon("eye"), " Only visible to you"),
    h("div", { className: "gutter" }, avatar(author.id, author.name)),
    h(
      "div",
      { className: "body" },
      h(
        "p",
        { className: "byline" },
        h("strong", {}, author.name),
        author.is_app && h("span", { className: "badge" }, "APP"),
        h("time", { title: format(stamp(record.ts), { dateStyle: "full", timeStyle: "medium" }) }, clock(record.ts)),
      ),
      inChannel && record.broadcast && broadcastLink(record.broadcast, refresh),
      body,
      record.files.map((name) => h("p", { className: "quiet file" }, icon("file"), ` ${name}`)),
      record.trouble && h("p", { className: "trouble", role: "alert" }, icon("warning"), ` The app did not answer (${record.trouble}).`),
      inChannel && !record.private && !record.broadcast && threadLink(record, refresh),
    ),
  );
}

// A reply that is shown in its channel too says which thread it is in.
function broadcastLink(thread, refresh) {
  const open = () => {
    state.thread = thread.ts;
    refresh();
  };
  const link = h("button", { type: "button", className: "thread-link", onclick: open, dataset: { key: `broadcast-${thread.ts}` } }, thread.reads);
  return h("p", { className: "quiet broadcast" }, "replied to a thread: ", link);
}

function threadLink(record, refresh) {
  const open = () => {
    state.thread = record.ts;
    refresh();
  };
  const { replies } = record;
  const label = replies ? `${replies.count} ${replies.count === 1 ? "reply" : "replies"}` : "Reply in thread";
  return h(
    "button",
    { type: "button", className: replies ? "thread-link" : "thread-link hint", onclick: open, dataset: { key: `thread-${record.ts}` } },
    label,
    replies && h("span", { className: "quiet" }, `Last reply ${clock(replies.last)}`),
  );
}

function drawThread(thread, conversation, refresh) {
  const pane = byId("thread");
  pane.hidden = !thread;
  document.documentElement.classList.toggle("threaded", Boolean(thread));
  if (!thread) {
    pane.replaceChildren();
    delete pane.dataset.ts;
    return;
  }
  if (pane.dataset.ts !== thread.ts) {
    pane.dataset.ts = thread.ts;
    pane.replaceChildren(threadHead(refresh), h("div", { className: "thread-messages" }), threadComposer(conversation, thread.ts, refresh));
  }
  const list = pane.querySelector(".thread-messages");
  keepAtBottom(list, thread.ts, atBottom(list), () =>
    reconcile(list, thread.messages, (m) => m.ts, (m) => message(m, conversation, refresh, false)));
}

function threadHead(refresh) {
  const close = () => {
    state.thread = "";
    refresh();
  };
  return h("header", {}, h("h2", {}, "Thread"), h("button", { type: "button", className: "close", "aria-label": "Close thread", onclick: close }, icon("close")));
}

function threadComposer(conversation, ts, refresh) {
  const field = h("textarea", { rows: 1, placeholder: "Reply…", ariaLabel: "Reply", dataset: { key: `reply-${ts}` } });
  const form = h("form", { className: "composer" }, field, h("button", { type: "submit" }, "Reply"));
  compose(form, field, (text) => act("write", { text, channel: conversation.id, thread_ts: ts }), refresh);
  return form;
}

export function startComposer(refresh) {
  compose(byId("composer"), byId("draft"), send, refresh);
}

function send(text) {
  const [word, ...rest] = text.split(" ");
  if (word.startsWith("/")) return act("command", { command: word, text: rest.join(" "), channel: state.channel });
  return act("write", { text, channel: state.channel });
}

// Enter sends, Shift+Enter makes a new line; a message that could not be sent stays in the field.
function compose(form, field, deliver, refresh) {
  const grow = () => {
    field.rows = Math.min(8, field.value.split("\n").length);
  };
  field.addEventListener("input", grow);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    field.value = "";
    grow();
    try {
      const seen = await deliver(text);
      if (seen.trouble) notify(seen.trouble);
    } catch (error) {
      field.value = text;
      notify(error.message);
    }
    refresh();
  });
}

function stamp(ts) {
  return new Date(Number(ts.split(".")[0]) * 1000);
}

function clock(ts) {
  return format(stamp(ts), { hour: "numeric", minute: "2-digit" });
}
