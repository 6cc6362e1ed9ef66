// Drawing what a text shows: the nodes the server read from mrkdwn, plain text, Markdown and rich text.

import { h } from "./dom.js";
import { state } from "./state.js";

const DATE_STYLES = {
  date_num: { year: "numeric", month: "2-digit", day: "2-digit" },
  date_short: { year: "numeric", month: "short", day: "numeric" },
  date: { year: "numeric", month: "long", day: "numeric" },
  date_long: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  time: { hour: "numeric", minute: "2-digit" },
  time_secs: { hour: "numeric", minute: "2-digit", second: "2-digit" },
};

export function draw(nodes) {
  return (nodes || []).map(drawOne);
}

export function text(object) {
  return object ? draw(object.nodes) : [];
}

function drawOne(node) {
  const inside = () => draw(node.c);
  switch (node.t) {
    case "text": return document.createTextNode(node.s);
    case "br": return h("br");
    case "hr": return h("hr");
    case "b": return h("strong", {}, inside());
    case "i": return h("em", {}, inside());
    case "s": return h("s", {}, inside());
    case "u": return h("u", {}, inside());
    case "code": return h("code", {}, node.s);
    case "pre": return h("pre", {}, node.s);
    case "quote": return h("blockquote", {}, inside());
    case "p": return h("p", {}, inside());
    case "ul": case "ol":
      return h(node.t, { className: node.indent ? `indent-${Math.min(node.indent, 4)}` : null, start: node.start }, inside());
    case "li": return h("li", {}, inside());
    case "h": return h("p", { className: "heading", role: "heading", "aria-level": node.level }, inside());
    case "table": return h("div", { className: "table" }, h("table", {}, inside()));
    case "rows": return h("tbody", {}, inside());
    case "tr": case "th": case "td": return h(node.t, {}, inside());
    case "emoji": return h("span", { className: "emoji", title: `:${node.name}:`, role: "img", "aria-label": node.name }, node.s);
    case "user": case "group":
      return h("span", { className: node.id === state.user ? "mention me" : "mention" }, node.s);
    case "channel": return h("span", { className: "mention" }, node.s);
    case "cast": return h("span", { className: "mention me" }, node.s);
    case "link": return link(node.url, inside());
    case "date": return node.url ? link(node.url, [date(node)]) : h("span", { title: node.s }, date(node));
    default: return h("span", {}, inside());
  }
}

export function link(url, inside) {
  if (!/^(https?|mailto):/i.test(url)) return h("span", {}, inside);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer", title: url }, inside);
}

function date(node) {
  const at = new Date(Number(node.unix) * 1000);
  if (Number.isNaN(at.getTime())) return node.s;
  return node.format.replace(/\{(\w+)\}/g, (whole, name) => {
    const plain = name.replace(/_pretty$/, "");
    const style = DATE_STYLES[plain];
    if (!style) return whole;
    if (name !== plain) {
      const near = relativeDay(at);
      if (near) return near;
    }
    return format(at, style);
  });
}

export function format(at, style) {
  return new Intl.DateTimeFormat("en-US", style).format(at);
}

function relativeDay(at) {
  const day = (moment) => format(moment, DATE_STYLES.date_num);
  for (const [shift, word] of [[0, "today"], [-1, "yesterday"], [1, "tomorrow"]]) {
    if (day(at) === day(new Date(Date.now() + shift * 86400000))) return word;
  }
  return null;
}
