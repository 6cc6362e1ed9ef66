"""What waits on a person as a list: the Home tab, and the private answer to `/sayso`. Nothing is decided there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from blocks.orders import PAGE
from blocks.slack.check import check_view
from blocks.slack.content import OPENS_WHERE, carries, full_form_button, may_link, place, way_to
from blocks.slack.fit import fits
from blocks.slack.loop_trail import state
from blocks.slack.parts import Block, actions, context, header, link_button, mrkdwn, plain, words
from blocks.slack.prose import line, prose
from blocks.slack.small_print import asked_by, asked_in, expires
from blocks.slack.text import date
from blocks.slack.text import plain as outside
from blocks.words import one_line, who
from core.loops.cards import LoopCard
from core.standing import so_far
from core.waiting import Entry, is_overdue, rest

OPEN: Final = "What waits for you"
NONE: Final = "Nothing waits for you just now. New questions appear in the conversations where they are asked."
MOST: Final = 40
"""Entries at most: each takes two blocks or three, of the 100 of a view."""


def home(cards: Sequence[Entry], *, cut: bool = False) -> Block:
    """The Home tab of someone on whom `cards` wait, in this order. `cut`: and maybe more than these."""

    def view(blocks: list[Block]) -> Block:
        return {"type": "home", "blocks": blocks}

    return view(_list(cards, lambda blocks: not check_view(view(blocks)), cut=cut))


def listing(cards: Sequence[Entry], *, cut: bool = False) -> list[Block]:
    """The same as the blocks of a message."""
    return _list(cards, fits, cut=cut)


def _list(cards: Sequence[Entry], fit: Callable[[list[Block]], bool], *, cut: bool) -> list[Block]:
    """As many whole entries as fit, and how many more there are."""
    if not cards:
        return [header(OPEN), *prose(line(words(NONE)))]
    entries = [_entry(card, number) for number, card in enumerate(cards[:MOST], start=1)]
    for count in range(len(entries), 0, -1):
        shown = [header(OPEN), *(block for entry in entries[:count] for block in entry)]
        left = len(cards) - count
        if left or cut:
            shown.append(context(plain(f"{rest(left, cut=cut)}; they move up as these are seen to.")))
        if any(not _opens(card) for card in cards[:count]):
            shown.append(context(plain(OPENS_WHERE)))
        if fit(shown):
            return shown
    return [header(OPEN), *prose(line(words(f"{len(cards)} things wait for you, too long to list here.")))]


def _opens(card: Entry) -> bool:
    """Whether Slack would carry an address of it as a control."""
    if card.message_url is not None and carries(card.message_url):
        return True
    return card.link_ok and carries(card.url) if isinstance(card, LoopCard) else may_link(card)


def order(card: LoopCard, number: int) -> list[Block]:
    """A work order: who sent it, when it is due in the reader's own zone, how it stands, and its page."""
    loop, stands = card.loop, state(card.loop)
    due = [mrkdwn(f"{'*Overdue*, was due' if is_overdue(card) else 'Due'} {date(loop.due_at)}")] if loop.due_at else []
    sender = outside(f"From {who(loop.sender)}")
    told = [plain(f"Work order {loop.name}"), sender, *due, outside(f"{stands[:1].upper()}{stands[1:]}")]
    title = line(words(one_line(loop.title) or "…", "bold"))
    if _opens(card):
        way = way_to(card.message_url, [link_button(PAGE, "full_form", card.url)])
        return [*prose(title), context(*told), actions(f"open:{number}", *way)]
    return [*prose(title, line(words("Page: "), words(card.url, "code"))), context(*told)]


def _entry(card: Entry, number: int) -> list[Block]:
    if isinstance(card, LoopCard):
        return order(card, number)
    interaction = card.interaction
    told = [
        asked_by(interaction),
        mrkdwn(f"In {asked_in(interaction)}"),
        *([plain(progress)] if (progress := so_far(interaction)) else []),
        *expires(interaction),
    ]
    title = line(words(one_line(interaction.content.title) or "…", "bold"))
    if _opens(card):
        way = way_to(card.message_url, full_form_button(card))
        return [*prose(title), context(*told), actions(f"open:{number}", *way)]
    address = line(words("Full form: "), place(card, card.review_url))
    return [*prose(title, address), context(*told)]
