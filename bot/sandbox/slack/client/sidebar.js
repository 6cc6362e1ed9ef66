// The conversations, and who is looking.

import { h, swap } from "./dom.js";
import { icon } from "./icons.js";
import { avatar, nameOf } from "./people.js";
import { act, remember, state } from "./state.js";

export function drawSidebar(refresh) {
  const { screen } = state;
  const go = (channel, tab = "messages") => () => {
    remember("channel", channel);
    state.tab = tab;
    state.thread = "";
    document.documentElement.classList.remove("menu");
    refresh();
  };
  const channels = screen.channels.filter((channel) => channel.kind !== "im");
  const directs = screen.channels.filter((channel) => channel.kind === "im" && channel.user !== screen.app.user);
  const app = screen.channels.find((channel) => channel.user === screen.app.user);
  swap(
    document.getElementById("sidebar"),
    h("div", { className: "team" }, h("span", { className: "team-mark", "aria-hidden": "true" }, screen.team.name[0]), h("h1", {}, screen.team.name)),
    h("label", { className: "switcher" }, h("span", {}, "You are"), people(refresh)),
    section("Channels", channels.map((channel) => entry(channel, channel.name, go(channel.id)))),
    directs.length > 0 && section("Direct messages", directs.map((channel) => entry(channel, nameOf(channel.user), go(channel.id)))),
    section("Apps", [
      app
        ? entry(app, screen.app.name, go(app.id, state.tab === "home" && state.channel === app.id ? "home" : "messages"), true)
        : h("li", {}, h("button", { type: "button", className: "entry", onclick: () => openApp(refresh) }, avatar(screen.app.user, screen.app.name, "small"), screen.app.name)),
    ]),
  );
}

// The direct conversation with the app begins with opening it.
async function openApp(refresh) {
  state.tab = "home";
  await act("home", {});
  await refresh();
  const app = state.screen.channels.find((channel) => channel.user === state.screen.app.user);
  if (app) remember("channel", app.id);
  refresh();
}

function people(refresh) {
  const { screen } = state;
  const choose = (event) => {
    remember("user", event.target.value);
    state.thread = "";
    refresh();
  };
  const shown = screen.people.filter((person) => !person.is_app);
  return h(
    "select",
    { onchange: choose, dataset: { key: "switcher" } },
    shown.map((person) => h("option", { value: person.id, selected: person.id === state.user }, person.name + note(person))),
  );
}

function note(person) {
  if (person.deleted) return " (deactivated)";
  if (person.is_guest) return " (guest)";
  return person.elsewhere ? ` (${person.elsewhere})` : "";
}

function section(title, entries) {
  return h("section", {}, h("h2", {}, title), h("ul", {}, entries));
}

function entry(channel, name, open, isApp = false) {
  const here = channel.id === state.channel;
  if (here) state.seen.set(channel.id, channel.latest);
  const fresh = !here && state.seen.has(channel.id) && channel.latest > state.seen.get(channel.id);
  if (!state.seen.has(channel.id)) state.seen.set(channel.id, channel.latest);
  const mark = channel.kind === "im" ? avatar(channel.user, name, "small") : h("span", { className: "hash", "aria-hidden": "true" }, channel.kind === "private" ? icon("lock") : "#");
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", className: `entry${fresh ? " fresh" : ""}`, "aria-current": here ? "page" : null, onclick: open, dataset: { key: `entry-${channel.id}` } },
      mark,
      h("span", { className: "name" }, name),
      isApp && h("span", { className: "badge" }, "APP"),
      channel.shared && h("span", { className: "badge", title: "Shared with another workspace" }, "EXT"),
    ),
  );
}

// On a narrow screen the list lies over the conversation until something else is used.
function leaveMenu(event) {
  if (event.key && event.key !== "Escape") return;
  if (!event.key && event.target.closest("#sidebar, .menu-button")) return;
  document.documentElement.classList.remove("menu");
}
document.addEventListener("pointerdown", leaveMenu);
document.addEventListener("keydown", leaveMenu);
