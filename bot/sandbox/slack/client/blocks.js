// Block Kit blocks as Slack lays them out. `place` says where they stand: a message, a modal or Home.

import { control } from "./elements.js";
import { h } from "./dom.js";
import { draw, text } from "./nodes.js";

export function blocks(list, place) {
  return list.map((block) => h("div", { className: `block ${block.type}` }, body(block, place)));
}

function body(block, place) {
  switch (block.type) {
    case "section": return section(block, place);
    case "header": return h("p", { className: "header-text", role: "heading", "aria-level": 3 }, text(block.text));
    case "divider": return h("hr");
    case "context": return h("div", { className: "context-row" }, block.elements.map(contextPart));
    case "actions": return h("div", { className: "actions-row" }, block.elements.map((element) => control(block, element, place)));
    case "input": return input(block, place);
    case "image": return figure(block);
    case "rich_text": case "markdown": return h("div", { className: "rich" }, draw(block.nodes));
    case "table": return table(block);
    case "alert": return h("p", { className: `alert-text ${block.level || "default"}` }, text(block.text));
    case "container": return blocks(block.child_blocks, place);
    default: return h("p", { className: "quiet" }, `A ${block.type} block, which this page does not draw.`);
  }
}

function section(block, place) {
  const words = h(
    "div",
    { className: "section-text" },
    block.text && h("div", { className: "text" }, text(block.text)),
    block.fields && h("div", { className: "fields" }, block.fields.map((field) => h("div", { className: "text" }, text(field)))),
  );
  const { accessory } = block;
  if (!accessory) return words;
  const beside = accessory.type === "image" ? picture(accessory, "thumbnail") : control(block, accessory, place);
  return h("div", { className: `with-accessory ${accessory.type}` }, words, h("div", { className: "accessory" }, beside));
}

function contextPart(element) {
  if (element.type === "image") return picture(element, "tiny");
  return h("span", { className: "text" }, text(element));
}

function input(block, place) {
  const error = place.errors?.[block.block_id];
  const grouped = ["radio_buttons", "checkboxes"].includes(block.element.type);
  // A press on an option would be passed on to the opener by a label around both.
  const listed = block.element.type.endsWith("_select");
  const label = [text(block.label), block.optional && h("span", { className: "quiet" }, " (optional)")];
  const field = control(block, block.element, { ...place, invalid: Boolean(error), name: block.label.text });
  return h(
    grouped ? "fieldset" : listed ? "div" : "label",
    { className: error ? "field invalid" : "field" },
    h(grouped ? "legend" : "span", { className: "label" }, label),
    field,
    error && h("span", { className: "field-error", role: "alert" }, error),
    block.hint && h("span", { className: "hint" }, text(block.hint)),
  );
}

function figure(block) {
  return h("figure", {}, block.title && h("figcaption", {}, text(block.title)), picture(block, "large"));
}

function picture(image, size) {
  return h("img", { className: size, src: image.image_url, alt: image.alt_text, loading: "lazy" });
}

function table(block) {
  const cell = (one) => h("td", {}, one.nodes ? draw(one.nodes) : String(one.text ?? one.value ?? ""));
  return h("div", { className: "table" }, h("table", {}, h("tbody", {}, block.rows.map((row) => h("tr", {}, row.map(cell))))));
}
