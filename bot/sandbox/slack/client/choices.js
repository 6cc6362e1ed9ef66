// A select with a search box, for one or several options; also the "more" menu.

import { h } from "./dom.js";
import { icon } from "./icons.js";

let open = null;

export function picker({ key, name, label, options, chosen, many, most, compact, invalid, onChoose }) {
  const holder = h("div", { className: `picker${compact ? " compact" : ""}` });
  const picked = options.filter((option) => chosen.includes(option.value));
  const shown = picked.length ? shownText(picked, many) : [compact ? icon("more") : h("span", { className: "placeholder" }, label)];
  const opener = h(
    "button",
    {
      type: "button", className: "picker-button", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-invalid": invalid ? "true" : null,
      "aria-label": compact ? label : name && `${name}: ${picked.map((option) => option.words).join(", ") || label}`, onclick: () => toggle(holder, opener, build), dataset: { key },
    },
    h("span", { className: "picker-text" }, shown),
    !compact && h("span", { className: "chevron", "aria-hidden": "true" }, icon("down")),
  );
  const finish = (values) => {
    close();
    onChoose(options.filter((option) => values.has(option.value)));
  };
  const build = () => list({ key, options, chosen: new Set(chosen), many, most, compact, finish });
  holder.append(opener);
  return holder;
}

function shownText(picked, many) {
  if (!many) return copy(picked[0].text);
  return picked.map((option) => h("span", { className: "chip" }, copy(option.text)));
}

const copy = (nodes) => nodes.map((node) => (typeof node === "string" ? node : node.cloneNode(true)));

function toggle(holder, opener, build) {
  const again = open?.holder === holder;
  close();
  if (again) return;
  const panel = build();
  holder.append(panel);
  opener.setAttribute("aria-expanded", "true");
  open = { holder, panel, opener };
  place(panel, opener);
  panel.scrollIntoView({ block: "nearest" });
  (panel.querySelector("input") || panel.querySelector("[role=option]")).focus();
}

// Opens upwards when there is no room below.
function place(panel, opener) {
  const room = window.innerHeight - opener.getBoundingClientRect().bottom;
  if (room < panel.offsetHeight + 12 && opener.getBoundingClientRect().top > room) panel.classList.add("above");
}

function close() {
  if (!open) return;
  const { panel, opener } = open;
  open = null;
  panel.dispatchEvent(new Event("finish"));
  panel.remove();
  opener.setAttribute("aria-expanded", "false");
}

function list({ key, options, chosen, many, most, compact, finish }) {
  const search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search options", autocomplete: "off" });
  const items = h("ul", { role: "listbox", "aria-multiselectable": many ? "true" : null });
  const first = [...chosen].join("\n");
  const panel = h("div", { className: "picker-panel", dataset: { for: key } }, !compact && search, items);
  const pick = (option) => {
    if (!many) return finish(new Set([option.value]));
    if (chosen.has(option.value)) chosen.delete(option.value);
    else if (!most || chosen.size < most) chosen.add(option.value);
    const place = [...items.querySelectorAll("[role=option]")].indexOf(document.activeElement);
    fill();
    items.querySelectorAll("[role=option]")[place]?.focus();
    return undefined;
  };
  const fill = () => {
    const wanted = search.value.trim().toLowerCase();
    let group = "";
    const rows = [];
    for (const option of options.filter((one) => one.words.toLowerCase().includes(wanted))) {
      if (option.group !== group) rows.push(h("li", { className: "group", role: "presentation" }, option.group));
      group = option.group;
      rows.push(row(option, chosen.has(option.value), many, pick));
    }
    items.replaceChildren(...(rows.length ? rows : [h("li", { className: "quiet none" }, "No items")]));
  };
  search.addEventListener("input", fill);
  panel.addEventListener("keydown", (event) => move(event, search, items));
  if (many) panel.addEventListener("finish", () => [...chosen].join("\n") !== first && finish(chosen));
  fill();
  return panel;
}

function row(option, on, many, pick) {
  return h(
    "li",
    { role: "option", tabIndex: -1, "aria-selected": String(on), onclick: () => pick(option), onkeydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), pick(option)) },
    many && h("span", { className: "tick", "aria-hidden": "true" }, on ? "✓" : ""),
    h("span", {}, copy(option.text), option.description.length > 0 && h("small", {}, copy(option.description))),
  );
}

function move(event, search, items) {
  if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    const opener = open?.opener;
    close();
    opener?.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter" && event.target === search) {
    event.preventDefault();
    items.querySelector("[role=option]")?.click();
  }
  if (!step) return;
  event.preventDefault();
  const rows = [...items.querySelectorAll("[role=option]")];
  const next = rows.indexOf(document.activeElement) + step;
  (next < 0 ? search : rows[Math.min(next, rows.length - 1)])?.focus();
}

document.addEventListener("pointerdown", (event) => {
  if (open && !open.holder.contains(event.target)) close();
});
