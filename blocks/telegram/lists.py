"""What the bot says besides cards: the list of open cards, and what it answers to a press or a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from blocks.graphemes import pieces
from blocks.telegram import limits, parts
from blocks.telegram.text import escape, inside, linked
from blocks.words import neutralise
from core.awaited import clock
from core.cards import Card
from core.errors import Fault
from core.loops.cards import LoopCard
from core.quiet import zone_of
from core.replies import Helped, Listed, OpenForm, Quiet, Reply, Saved, Told, Wrong
from core.standing import OPEN_UNTIL
from core.waiting import Entry, is_overdue, rest

NOT_COUNTED: Final = "This was not counted."
NOTHING_OPEN: Final = "Nothing waits for you."
COMMANDS: Final = {
    "inbox": "What waits for you",
    "digest": "A list of them every morning: /digest 09:00, or off",
    "zone": "Your time zone: /zone Europe/Madrid",
    "prefer": "Where you get what is for you alone: /prefer slack",
    "signin": "A name for one sign-in on the page, if no code comes",
    "help": "What this bot does",
    "start": "Begin, or connect your account",
}
_ROOM: Final = 120  # units for the line that tells how many cards the list could not hold


def open_cards(cards: Sequence[Entry], zone: str = "UTC", *, cut: bool = False) -> str:
    """What waits for someone, in this order, as HTML, with times in `zone` (an IANA name). It says how many more there
    are than one message holds."""
    if not cards:
        return NOTHING_OPEN
    text = "Waiting for you:" if len(cards) > 1 else _alone(cards[0])
    for shown, card in enumerate(cards):
        longer = parts.joined((text, order(card, zone) if isinstance(card, LoopCard) else _line(card, zone)))
        if not parts.fits(longer, _ROOM):
            return parts.joined((text, f"{rest(len(cards) - shown, cut=cut)}: see to some of these first."))
        text = longer
    return parts.joined((text, f"{rest(0, cut=cut)}.")) if cut else text


def _alone(card: Entry) -> str:
    return f"One {'work order' if isinstance(card, LoopCard) else 'question'} waits for you:"


def order(card: LoopCard, zone: str) -> str:
    """A work order: what it is called, who sent it, when it is due, and its page."""
    loop = card.loop
    told = f"Work order {parts.code(loop.name)} from {parts.name(loop.sender)}"
    late = "<b>Overdue</b>: was due" if is_overdue(card) else "Due"
    due = f"\n{late} {clock(loop.due_at, zone_of(zone))}" if loop.due_at is not None else ""
    return "\n".join((f"• {named(loop.title, card.message_url)}", f"{told}{due}", *_page(card.message_url, card.url)))


def _line(card: Card, zone: str) -> str:
    interaction = card.interaction
    ends = interaction.expires_at
    until = (f"{OPEN_UNTIL} {clock(ends, zone_of(zone))}",) if ends else ()
    title = named(interaction.content.title, card.message_url)
    return "\n".join((f"• {title}", *until, *_page(card.message_url, card.review_url)))


def named(title: str, message: str | None) -> str:
    """A title that leads to the message itself, where that has an address."""
    words = f"<b>{inside(title)}</b>"
    return linked(message, words) if message is not None else words


def _page(message: str | None, address: str) -> tuple[str, ...]:
    """The address of its page, where no message is led to."""
    return () if message is not None else (escape(address),)


def said(reply: Reply) -> str:
    """A reply to a message or command, as HTML; empty when there is nothing to say."""
    match reply:
        case Saved() | Told() | Helped():
            return escape(reply.text)
        case Wrong():
            return escape(f"{NOT_COUNTED} {corrections(reply.faults)} Reply again to correct it.")
        case Listed():
            return open_cards(reply.cards, reply.zone, cut=reply.cut)
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
