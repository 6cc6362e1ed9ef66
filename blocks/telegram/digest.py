"""The list of what waits for somebody: in the morning, or in place of reminders that were too many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from blocks.telegram.keyboard import Button, Keyboard
from blocks.telegram.lists import named, order
from blocks.telegram.parts import fits, joined
from blocks.telegram.text import escape
from blocks.timely import heading, left, unlisted
from core.cards import Card
from core.loops.cards import LoopCard
from core.notices import DigestNotice

OPEN_INBOX: Final = "Open inbox"
_ROOM: Final = 200
"""Units for what says how many the list could not hold, and where they are."""


def digest(notice: DigestNotice) -> str:
    """The list as HTML, in one message: what it has no room for is counted among the rest."""
    text, shown = f"<b>{escape(heading(notice))}</b>", 0
    for paragraph in _paragraphs(notice):
        longer = joined((text, paragraph))
        if not fits(longer, _ROOM):
            break
        text, shown = longer, shown + 1
    return joined((text, *_rest(notice, len(notice.entries) - shown)))


def keyboard(notice: DigestNotice) -> Keyboard:
    """The way to the whole list, where the chat may carry it."""
    return ((Button(OPEN_INBOX, url=notice.inbox_url),),) if notice.link_ok else ()


def _paragraphs(notice: DigestNotice) -> Iterator[str]:
    for one in notice.entries:
        yield order(one, notice.zone) if isinstance(one, LoopCard) else _card(one, notice)


def _card(card: Card, notice: DigestNotice) -> str:
    until = left(card.interaction, notice.now, notice.zone)
    title = named(card.interaction.content.title, card.message_url or (card.review_url if card.link_ok else None))
    address = "" if card.link_ok or card.message_url is not None else escape(card.review_url)
    return "\n".join(line for line in (f"• {title}", f"{escape(until)}." if until else "", address) if line)


def _rest(notice: DigestNotice, left_out: int) -> Iterator[str]:
    more = notice.more + left_out
    if more:
        yield escape(unlisted(replace(notice, more=more)))
    if not notice.link_ok:
        yield f"Your inbox: {escape(notice.inbox_url)}"
