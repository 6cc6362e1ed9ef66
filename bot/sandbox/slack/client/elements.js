// Interactive elements, and what happens when somebody uses one.

import { picker } from "./choices.js";
import { h } from "./dom.js";
import { text } from "./nodes.js";
import { notify } from "./notice.js";
import { act, state } from "./state.js";

export function control(block, element, place) {
  switch (element.type) {
    case "button": return button(block, element, place);
    case "overflow": return overflow(block, element, place);
    case "radio_buttons": case "checkboxes": return boxes(block, element, place);
    case "static_select": case "multi_static_select": return select(block, element, place, optionsOf(element));
    case "users_select": case "multi_users_select": return select(block, element, place, people());
    case "channels_select": case "multi_channels_select":
    case "conversations_select": case "multi_conversations_select": return select(block, element, place, channels());
    case "plain_text_input": case "email_text_input": case "url_text_input": case "number_input": return field(block, element, place);
    case "datepicker": return moment(block, element, place, "date", "selected_date");
    case "timepicker": return moment(block, element, place, "time", "selected_time");
    case "datetimepicker": return dateTime(block, element, place);
    default: return h("span", { className: "quiet" }, `A ${element.type}, which this page does not draw.`);
  }
}

const keyOf = (block, element, place, part = "") => `${place.place}|${block.block_id}|${element.action_id}|${part}`;
const held = (block, element, place) => place.values?.[block.block_id]?.[element.action_id] || {};

// Sends one act from where the control stands; trouble is shown beside the message and here.
async function use(name, block, element, place, body) {
  const where = place.on === "message" ? { channel: place.channel, ts: place.ts, version: place.version } : {};
  try {
    const seen = await act(name, { ...where, on: place.on, block_id: block.block_id, action_id: element.action_id, ...body });
    if (seen.trouble) notify(seen.trouble);
  } catch (error) {
    notify(error.message);
  }
  await place.refresh();
}

function button(block, element, place) {
  const press = async (event) => {
    if (element.confirm && !(await confirmed(element.confirm))) return;
    if (element.url) window.open(element.url, "_blank", "noopener,noreferrer");
    const pressed = event.target.closest("button");
    pressed.classList.add("waiting");
    await use("press", block, element, place, {});
    pressed.classList.remove("waiting");
  };
  const key = keyOf(block, element, place);
  return h(
    "button",
    { type: "button", className: `button ${element.style || ""}`, onclick: press, "aria-label": element.accessibility_label, dataset: { key } },
    text(element.text),
    element.url && h("span", { className: "outward", "aria-hidden": "true" }, "↗"),
  );
}

function overflow(block, element, place) {
  const choose = (chosen) => use("press", block, element, place, { option: chosen[0].value });
  return picker({ key: keyOf(block, element, place), label: "More actions", compact: true, options: optionsOf(element), chosen: [], many: false, onChoose: choose });
}

function boxes(block, element, place) {
  const many = element.type === "checkboxes";
  const now = held(block, element, place);
  const chosen = new Set((many ? now.selected_options || [] : [now.selected_option]).filter(Boolean).map((option) => option.value));
  const change = (option) => (event) => {
    if (!many) chosen.clear();
    if (event.target.checked) chosen.add(option.value);
    else chosen.delete(option.value);
    const kept = element.options.filter((one) => chosen.has(one.value)).map((one) => one.value);
    use("choose", block, element, place, { options: kept });
  };
  return h(
    "div",
    { className: "boxes", role: many ? "group" : "radiogroup" },
    element.options.map((option, index) => {
      const key = keyOf(block, element, place, index);
      return h(
        "label",
        { className: "box" },
        h("input", { type: many ? "checkbox" : "radio", name: keyOf(block, element, place), checked: chosen.has(option.value), onchange: change(option), dataset: { key } }),
        h("span", {}, text(option.text), option.description && h("small", {}, text(option.description))),
      );
    }),
  );
}

function select(block, element, place, options) {
  const many = element.type.startsWith("multi_");
  const listed = element.type.includes("static");
  const now = held(block, element, place);
  const values = Object.entries(now).find(([name]) => name.startsWith("selected"))?.[1];
  const chosen = [values].flat().filter(Boolean).map((value) => (listed ? value.value : value));
  const choose = (picked) => {
    const found = picked.map((option) => option.value);
    if (listed) return use("choose", block, element, place, { options: found });
    return use("fill", block, element, place, { value: many ? found : found[0] ?? null });
  };
  return picker({
    key: keyOf(block, element, place),
    label: element.placeholder ? element.placeholder.text : many ? "Select options" : "Select an option",
    name: place.name, options, chosen, many, most: element.max_selected_items, invalid: place.invalid, onChoose: choose,
  });
}

function optionsOf(element) {
  const shape = (option, group) => ({ value: option.value, text: text(option.text), words: option.text.text, description: text(option.description), group });
  const loose = (element.options || []).map((option) => shape(option, ""));
  return [...loose, ...(element.option_groups || []).flatMap((group) => group.options.map((option) => shape(option, group.label.text)))];
}

function people() {
  return state.screen.people.filter((person) => !person.deleted).map((person) => ({ value: person.id, text: [person.name], words: person.name, description: [], group: "" }));
}

function channels() {
  return state.screen.channels.filter((one) => one.kind !== "im").map((one) => ({ value: one.id, text: [`#${one.name}`], words: one.name, description: [], group: "" }));
}

const KINDS = { email_text_input: "email", url_text_input: "url", number_input: "text", plain_text_input: "text" };

function field(block, element, place) {
  const key = keyOf(block, element, place);
  const value = state.drafts.get(key) ?? held(block, element, place).value ?? "";
  const keep = (event) => state.drafts.set(key, event.target.value);
  const sendIt = (event) => use("fill", block, element, place, { value: event.target.value });
  const props = {
    value, oninput: keep, onchange: place.on === "modal" ? null : sendIt,
    placeholder: element.placeholder?.text || "", "aria-invalid": place.invalid ? "true" : null, dataset: { key, block: block.block_id, action: element.action_id, text: "" },
  };
  if (element.multiline) return h("textarea", { rows: 4, ...props });
  return h("input", { type: KINDS[element.type], inputMode: element.type === "number_input" ? "decimal" : null, autocomplete: "off", ...props });
}

function moment(block, element, place, type, name) {
  const value = held(block, element, place)[name] || "";
  const change = (event) => use("fill", block, element, place, { value: event.target.value || null });
  return h("input", { type, value, onchange: change, "aria-label": place.name || element.placeholder?.text || type, dataset: { key: keyOf(block, element, place) } });
}

function dateTime(block, element, place) {
  const seconds = held(block, element, place).selected_date_time;
  const local = (at) => new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
  const change = (event) => use("fill", block, element, place, { value: event.target.value ? Math.floor(new Date(event.target.value).getTime() / 1000) : null });
  return h("input", { type: "datetime-local", value: seconds ? local(new Date(seconds * 1000)) : "", onchange: change, "aria-label": place.name || "Date and time", dataset: { key: keyOf(block, element, place) } });
}

// Slack's "are you sure" in front of an action.
function confirmed(dialog) {
  const box = document.getElementById("confirm");
  return new Promise((resolve) => {
    const done = (answer) => () => box.close(answer ? "yes" : "no");
    box.replaceChildren(
      h("h2", { id: "confirm-title" }, text(dialog.title)),
      h("div", { className: "text" }, text(dialog.text)),
      h(
        "footer",
        {},
        h("button", { type: "button", className: "button", onclick: done(false) }, text(dialog.deny)),
        h("button", { type: "button", className: `button ${dialog.style || "primary"}`, onclick: done(true) }, text(dialog.confirm)),
      ),
    );
    box.returnValue = "no";
    box.addEventListener("close", () => resolve(box.returnValue === "yes"), { once: true });
    box.showModal();
  });
}
