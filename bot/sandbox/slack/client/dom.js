// Building elements. Text from cards only ever becomes text nodes.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name in element && name !== "list" && name !== "form") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Replaces what an element holds, leaving the keyboard where it was. Controls are told apart by data-key.
export function swap(parent, ...children) {
  const focused = document.activeElement;
  const key = parent.contains(focused) ? focused.dataset.key : undefined;
  const range = key && "selectionStart" in focused ? [focused.selectionStart, focused.selectionEnd] : null;
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (key === undefined) return;
  const again = parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!again) return;
  again.focus({ preventScroll: true });
  if (range && range[0] !== null) {
    try { again.setSelectionRange(...range); } catch { /* dates and numbers have no caret to restore */ }
  }
}

// Keeps a list of elements in step with records: an element is only built again when its record changed.
export function reconcile(parent, records, keyOf, build) {
  const kept = new Map([...parent.children].map((child) => [child.dataset.record, child]));
  let place = null;
  for (const record of records) {
    const key = keyOf(record);
    const mark = JSON.stringify(record);
    let child = kept.get(key);
    kept.delete(key);
    if (!child) {
      child = h("div", { className: "record", dataset: { record: key } });
      child.append(build(record));
    } else if (child.mark !== mark) {
      swap(child, build(record));
    }
    child.mark = mark;
    const wanted = place ? place.nextSibling : parent.firstChild;
    if (child !== wanted) parent.insertBefore(child, wanted);
    place = child;
  }
  for (const gone of kept.values()) gone.remove();
}
