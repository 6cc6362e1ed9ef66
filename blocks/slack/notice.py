"""Words of ours to one person: as a private message, or in the place of a form that cannot be used any more."""

from __future__ import annotations

from typing import Final

from blocks.graphemes import pieces
from blocks.slack import limits
from blocks.slack.parts import Block, plain, words
from blocks.slack.prose import line, prose
from blocks.slack.text import escape
from blocks.words import neutralise

_LONGEST_ESCAPE: Final = len("&amp;") + 1
"""Characters that one may become, the mark that keeps it from being a mention among them."""


def notice(text: str) -> list[Block]:
    """The blocks of a message that only says something."""
    return prose(line(words(neutralise(text).strip() or "…")))


def parts(text: str) -> list[str]:
    """Words as one message or, where Slack would cut that, as several."""
    if len(escape(text)) <= limits.MESSAGE_TEXT.number:
        return [text]
    return pieces(text, limits.MESSAGE_TEXT.number // _LONGEST_ESCAPE)


def notice_view(text: str) -> Block:
    """The view that takes the place of a form; it has nothing to submit."""
    return {"type": "modal", "title": plain("Not saved"), "close": plain("Close"), "blocks": notice(text)}
