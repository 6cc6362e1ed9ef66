// Formatted text: entities (offsets in UTF-16 units, as JavaScript counts) become nested elements.

import { el } from "./elements.js";

const TAGS = { bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code" };
const SAFE = /^(https?|tg):/i;

function link(url, children) {
  const address = SAFE.test(url) ? url : `//${url}`;
  return el("a", { href: address, target: "_blank", rel: "noopener noreferrer", title: url }, ...children);
}

function element(entity, source, children, onCommand) {
  switch (entity.type) {
    case "bold": case "italic": case "underline": case "strikethrough": case "code":
      return el(TAGS[entity.type], {}, ...children);
    case "pre":
      return el("pre", {}, entity.language ? el("span", {}, entity.language) : null, el("code", {}, ...children));
    case "text_link":
      return link(entity.url, children);
    case "url":
      return link(source, children);
    case "spoiler":
      return el("span", { class: "spoiler", onclick: (event) => event.currentTarget.classList.add("shown") }, ...children);
    case "blockquote":
      return el("blockquote", {}, ...children);
    case "expandable_blockquote":
      return el("blockquote", { class: "more", onclick: (event) => event.currentTarget.classList.toggle("more") }, ...children);
    case "bot_command":
      return el("span", { class: "tap", onclick: () => onCommand(source) }, ...children);
    case "date_time":
      return el("time", { class: "tap" }, new Date(entity.unix_time * 1000).toLocaleString());
    default:
      return el("span", { class: "tap" }, ...children);
  }
}

// Build the part of `text` between two offsets from the entities within it, outermost first.
function build(text, entities, from, to, onCommand) {
  const parts = [];
  let at = from;
  let index = 0;
  while (index < entities.length) {
    const entity = entities[index];
    const end = Math.min(entity.offset + entity.length, to);
    index += 1;
    if (entity.offset < at) continue;
    const inner = [];
    while (index < entities.length && entities[index].offset < end) inner.push(entities[index++]);
    if (entity.offset > at) parts.push(text.slice(at, entity.offset));
    const source = text.slice(entity.offset, end);
    parts.push(element(entity, source, build(text, inner, entity.offset, end, onCommand), onCommand));
    at = end;
  }
  if (at < to) parts.push(text.slice(at, to));
  return parts;
}

const isBlock = (part) => part instanceof HTMLElement && (part.tagName === "BLOCKQUOTE" || part.tagName === "PRE");

export function formatted(text, entities, onCommand) {
  const sorted = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  const parts = build(text, sorted, 0, text.length, onCommand);
  // A quote or block of code starts and ends its own line; the line breaks beside it would show twice.
  return parts.map((part, index) => {
    if (typeof part !== "string") return part;
    let kept = part;
    if (isBlock(parts[index - 1])) kept = kept.replace(/^\n/, "");
    if (isBlock(parts[index + 1])) kept = kept.replace(/\n$/, "");
    return kept;
  });
}
