"""A person's open cards as a list: the Home tab, and the private answer to `/sayso`. Nothing is decided there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from blocks.slack.check import check_view
from blocks.slack.content import OPENS_WHERE, full_form_button, may_link, place
from blocks.slack.fit import fits
from blocks.slack.parts import Block, actions, context, header, mrkdwn, plain, words
from blocks.slack.prose import line, prose
from blocks.slack.small_print import asked_by, asked_in, expires
from blocks.words import one_line
from core.cards import Card
from core.standing import so_far

OPEN: Final = "Questions that wait for you"
NONE: Final = "Nothing waits for you just now. New questions appear in the conversations where they are asked."
MOST: Final = 40
"""Entries at most: each takes two blocks or three, of the 100 of a view."""


def home(cards: Sequence[Card]) -> Block:
    """The Home tab of someone on whom `cards` wait, newest first."""

    def view(blocks: list[Block]) -> Block:
        return {"type": "home", "blocks": blocks}

    return view(_list(cards, lambda blocks: not check_view(view(blocks))))


def listing(cards: Sequence[Card]) -> list[Block]:
    """The same as the blocks of a message."""
    return _list(cards, fits)


def _list(cards: Sequence[Card], fit: Callable[[list[Block]], bool]) -> list[Block]:
    """As many whole entries as fit, and how many more there are."""
    if not cards:
        return [header(OPEN), *prose(line(words(NONE)))]
    entries = [_entry(card, number) for number, card in enumerate(cards[:MOST], start=1)]
    for count in range(len(entries), 0, -1):
        shown = [header(OPEN), *(block for entry in entries[:count] for block in entry)]
        left = len(cards) - count
        if left:
            more = f"{left} older {'one waits' if left == 1 else 'ones wait'} too; they move up as these are answered."
            shown.append(context(plain(more)))
        if any(not may_link(card) for card in cards[:count]):
            shown.append(context(plain(OPENS_WHERE)))
        if fit(shown):
            return shown
    return [header(OPEN), *prose(line(words(f"{len(cards)} questions wait for you, too long to list here.")))]


def _entry(card: Card, number: int) -> list[Block]:
    interaction = card.interaction
    told = [
        asked_by(interaction),
        mrkdwn(f"In {asked_in(interaction)}"),
        *([plain(progress)] if (progress := so_far(interaction)) else []),
        *expires(interaction),
    ]
    title = line(words(one_line(interaction.content.title) or "…", "bold"))
    if may_link(card):
        return [*prose(title), context(*told), actions(f"open:{number}", *full_form_button(card))]
    address = line(words("Full form: "), place(card, card.review_url))
    return [*prose(title, address), context(*told)]
