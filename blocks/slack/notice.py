"""Words of ours to one person: as a private message, or in the place of a form that cannot be used any more."""

from __future__ import annotations

from blocks.slack.parts import Block, plain, words
from blocks.slack.prose import line, prose
from blocks.words import neutralise


def notice(text: str) -> list[Block]:
    """The blocks of a message that only says something."""
    return prose(line(words(neutralise(text).strip() or "…")))


def notice_view(text: str) -> Block:
    """The view that takes the place of a form; it has nothing to submit."""
    return {"type": "modal", "title": plain("Not saved"), "close": plain("Close"), "blocks": notice(text)}
