// How people look.

import { h } from "./dom.js";
import { state } from "./state.js";

export function nameOf(id) {
  return state.screen.people.find((person) => person.id === id)?.name || id;
}

// A square of the person's own colour with their initials.
export function avatar(id, name, size = "") {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 8;
  const initials = name.split(/\s+/).slice(0, 2).map((word) => word[0] || "").join("").toUpperCase();
  return h("span", { className: `avatar colour-${sum} ${size}`, "aria-hidden": "true" }, initials);
}
