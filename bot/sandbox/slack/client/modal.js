// The modal on top of the person's stack.

import { blocks } from "./blocks.js";
import { h, swap } from "./dom.js";
import { icon } from "./icons.js";
import { text } from "./nodes.js";
import { notify } from "./notice.js";
import { act, state } from "./state.js";

let mark = "";
let shown = "";

export function drawModal(refresh) {
  const dialog = document.getElementById("modal");
  const view = state.screen.modal;
  const now = JSON.stringify(view);
  if (now === mark) return;
  mark = now;
  if (!view) {
    shown = "";
    dialog.close();
    dialog.replaceChildren();
    return;
  }
  const isNew = view.id !== shown;
  shown = view.id;
  swap(dialog, form(view, refresh));
  if (!dialog.open) dialog.showModal();
  if (isNew) dialog.querySelector("[data-text], input, textarea, .picker-button")?.focus();
}

function form(view, refresh) {
  const place = { on: "modal", place: view.id, values: view.state, errors: view.errors, refresh };
  const close = (everything) => () => leave(everything, refresh);
  return h(
    "form",
    { method: "dialog", noValidate: true, onsubmit: (event) => submit(event, view, refresh) },
    h(
      "header",
      {},
      h("h2", { id: "modal-title" }, text(view.title)),
      h("button", { type: "button", className: "close", "aria-label": "Close", onclick: close(true) }, icon("close")),
    ),
    h("div", { className: "modal-body" }, blocks(view.blocks, place)),
    h(
      "footer",
      {},
      h("button", { type: "button", className: "button", onclick: close(false) }, view.close ? text(view.close) : "Cancel"),
      view.submit && h("button", { type: "submit", className: "button primary", dataset: { key: `${view.id}|submit` } }, text(view.submit)),
    ),
  );
}

// What was typed goes to the stand-in first, then the submission.
async function submit(event, view, refresh) {
  event.preventDefault();
  const dialog = document.getElementById("modal");
  const button = dialog.querySelector("footer .primary");
  button.disabled = true;
  try {
    for (const field of dialog.querySelectorAll("[data-text]")) {
      await act("fill", { on: "modal", block_id: field.dataset.block, action_id: field.dataset.action, value: field.value });
    }
    const seen = await act("submit", {});
    if (seen.trouble) notify(seen.trouble);
  } catch (error) {
    notify(error.message);
  }
  button.disabled = false;
  await refresh();
}

async function leave(everything, refresh) {
  await act("close", { everything }).catch((error) => notify(error.message));
  refresh();
}

// Escape is the close button, so that the app hears of it.
document.getElementById("modal").addEventListener("cancel", (event) => {
  event.preventDefault();
  document.querySelector("#modal footer .button")?.click();
});
