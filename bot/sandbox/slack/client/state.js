// What the page remembers, and its way to the stand-in.

// `?user=U…&channel=C…` chooses who looks at what, for a page that shows this one in a frame.
const asked = new URLSearchParams(location.search);

export const state = {
  user: asked.get("user") || sessionStorage.getItem("user") || "",
  channel: asked.get("channel") || sessionStorage.getItem("channel") || "",
  tab: "messages",
  thread: "",
  screen: null,
  drafts: new Map(), // typed into fields and not sent yet
  seen: new Map(), // the newest message looked at, by conversation
};

export function remember(name, value) {
  state[name] = value;
  if (name === "user" || name === "channel") sessionStorage.setItem(name, value);
}

export async function load() {
  const query = new URLSearchParams({ user: state.user, channel: state.channel, thread: state.thread });
  const response = await fetch(`../_control/screen?${query}`);
  if (!response.ok) return null;
  return response.json();
}

// Lets the chosen person do something and returns what they see. Trouble is shown by whoever asked.
export async function act(name, body) {
  const response = await fetch(`../_control/people/${encodeURIComponent(state.user)}/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const seen = await response.json();
  if (!response.ok) throw new Error(seen.error || `refused with ${response.status}`);
  return seen;
}

export function listen(onChange) {
  const stream = new EventSource("../_control/stream");
  stream.onmessage = onChange;
  stream.onerror = () => document.documentElement.classList.add("offline");
  stream.onopen = () => document.documentElement.classList.remove("offline");
}
