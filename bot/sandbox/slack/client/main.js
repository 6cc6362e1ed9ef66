// The page as a whole: load what the person sees, draw it, load again when something happened.

import { drawConversation, startComposer } from "./conversation.js";
import { drawModal } from "./modal.js";
import { drawSidebar } from "./sidebar.js";
import { listen, load, remember, state } from "./state.js";

let running = null;
let stale = false;

// Whoever waits for this sees at least what was true when they asked: a load in hand is followed by another.
export function refresh() {
  stale = true;
  running ??= drawUntilFresh();
  return running;
}

async function drawUntilFresh() {
  try {
    while (stale) {
      stale = false;
      const screen = await load().catch(() => null);
      if (screen) show(screen);
      else if (state.user) remember("user", "");
    }
  } finally {
    running = null;
  }
}

function show(screen) {
  state.screen = screen;
  if (state.user !== screen.me.id) remember("user", screen.me.id);
  const known = screen.channels.some((channel) => channel.id === state.channel);
  if (!known && screen.channels.length) {
    const busiest = screen.channels.reduce((one, other) => (other.latest > one.latest ? other : one));
    remember("channel", busiest.id);
    stale = true;
  }
  drawSidebar(refresh);
  drawConversation(refresh);
  drawModal(refresh);
}

startComposer(refresh);
listen(refresh);
refresh();
