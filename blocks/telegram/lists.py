"""What the bot says besides cards: the list of open cards, and what it answers to a press or a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from blocks.graphemes import pieces
from blocks.telegram import limits, parts
from blocks.telegram.text import escape, inside
from blocks.words import neutralise, when
from core.cards import Card
from core.errors import Fault
from core.replies import Helped, Listed, OpenForm, Quiet, Reply, Saved, Told, Wrong
from core.standing import OPEN_UNTIL

NOT_COUNTED: Final = "This was not counted."
NOTHING_OPEN: Final = "Nothing waits for you."
COMMANDS: Final = {
    "inbox": "The questions that wait for you",
    "digest": "A list of them every morning: /digest 09:00, or off",
    "zone": "Your time zone: /zone Europe/Madrid",
    "prefer": "Where you get what is for you alone: /prefer slack",
    "help": "What this bot does",
    "start": "Begin, or connect your account",
}
_ROOM: Final = 120  # units for the line that tells how many cards the list could not hold


def open_cards(cards: Sequence[Card]) -> str:
    """The cards that wait for someone, newest first, as HTML; says how many more there are than one message holds."""
    if not cards:
        return NOTHING_OPEN
    text = "Waiting for you:" if len(cards) > 1 else "One question waits for you:"
    for shown, card in enumerate(cards):
        longer = parts.joined((text, _line(card)))
        if not parts.fits(longer, _ROOM):
            return parts.joined((text, f"And {len(cards) - shown} more: answer some of these first."))
        text = longer
    return text


def _line(card: Card) -> str:
    interaction = card.interaction
    until = f"\n{OPEN_UNTIL} {when(interaction.expires_at)}" if interaction.expires_at else ""
    return f"• <b>{inside(interaction.content.title)}</b>{until}\n{escape(card.review_url)}"


def said(reply: Reply) -> str:
    """A reply to a message or command, as HTML; empty when there is nothing to say."""
    match reply:
        case Saved() | Told() | Helped():
            return escape(reply.text)
        case Wrong():
            return escape(f"{NOT_COUNTED} {corrections(reply.faults)} Reply again to correct it.")
        case Listed():
            return open_cards(reply.cards)
        case Quiet() | OpenForm():
            return ""
        case _:
            assert_never(reply)


def toast(reply: Reply) -> str:
    """A reply to a press as plain text of at most 200 units; empty when there is nothing to say."""
    match reply:
        case Saved() | Told() | Helped():
            return _short(reply.text)
        case Wrong():
            return _short(corrections(reply.faults))
        case Quiet() | OpenForm() | Listed():
            return ""
        case _:
            assert_never(reply)


def corrections(faults: Sequence[Fault]) -> str:
    """What to change, one sentence for each fault."""
    details = [fault.detail.strip().rstrip(".") for fault in faults]
    return " ".join(f"{detail[:1].upper()}{detail[1:]}." for detail in details if detail)


def messages(text: str) -> list[str]:
    """Outside words as HTML messages, each short enough to send: one, unless they are longer than any message."""
    return (
        [escape(piece) for piece in pieces(text, limits.MESSAGE_TEXT.number // 2)] if _is_long(text) else [escape(text)]
    )


def _is_long(text: str) -> bool:
    return not parts.fits(escape(text))


def _short(words: str) -> str:
    text = neutralise(words)
    if limits.utf16_length(text) <= limits.TAP_TEXT.number:
        return text
    cut = pieces(text, limits.TAP_TEXT.number - 2)[0].rstrip()
    # Whole sentences are read more easily than the start of one more.
    end = cut.rfind(". ") + 1
    return f"{cut[:end]} …" if end > len(cut) // 2 else f"{cut}…"
