// The few pictures of the page itself; emoji are drawn by the reader's own fonts and may be missing.

const PATHS = {
  lock: "M5 9V6.5a5 5 0 0 1 10 0V9h1a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1h1zm2 0h6V6.5a3 3 0 0 0-6 0V9z",
  eye: "M10 4c4.2 0 7.4 2.6 9 6-1.6 3.4-4.8 6-9 6s-7.4-2.6-9-6c1.6-3.4 4.8-6 9-6zm0 2.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zm0 1.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4z",
  warning: "M9 2.6a1.2 1.2 0 0 1 2 0l7.8 13.6a1.2 1.2 0 0 1-1 1.8H2.2a1.2 1.2 0 0 1-1-1.8L9 2.6zM9 7v5h2V7H9zm0 6.5v2h2v-2H9z",
  file: "M5 2h7l4 4v12H5V2zm2 2v12h7V7h-3V4H7z",
  menu: "M3 5h14v2H3V5zm0 4h14v2H3V9zm0 4h14v2H3v-2z",
  close: "m5.4 4 4.6 4.6L14.6 4 16 5.4 11.4 10l4.6 4.6-1.4 1.4L10 11.4 5.4 16 4 14.6 8.6 10 4 5.4 5.4 4z",
  more: "M4.5 8.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zm5.5 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zm5.5 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z",
  down: "m5 7 5 5 5-5 1.2 1.2L10 14.4 3.8 8.2 5 7z",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  path.setAttribute("fill", "currentColor");
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}
