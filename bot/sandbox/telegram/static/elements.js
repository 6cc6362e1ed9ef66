// Small tools for building the page. Outside text only ever becomes text nodes and attribute values.

export const $ = (id) => document.getElementById(id);

export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const hue = (id) => Math.abs(Number(id) % 7);

export function initials(name) {
  return [...name.trim()].slice(0, 1).join("").toUpperCase() || "?";
}

export function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

export function day(seconds) {
  const date = new Date(seconds * 1000);
  if (date.toDateString() === new Date().toDateString()) return "Today";
  return date.toLocaleDateString([], { day: "numeric", month: "long" });
}

let fading = 0;

export function toast(text) {
  const node = $("toast");
  node.textContent = text;
  node.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => { node.hidden = true; }, 4500);
}

export function alertBox(from, text) {
  $("alert-from").textContent = from;
  $("alert-text").textContent = text;
  if (!$("alert").open) $("alert").showModal();
}
