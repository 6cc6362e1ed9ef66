"""A long list of items on one card, a page at a time. Which items share a page depends on what was asked, never on what
was answered: a page stays the same page while it is filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from blocks.codec import Codec
from blocks.slack import limits
from blocks.slack.check import budget
from blocks.slack.controls import control, press
from blocks.slack.fit import MESSAGE
from blocks.slack.parts import Block
from blocks.slack.small_print import small_print
from core.cards import Card
from core.controls import Action

_HEAD_AND_TURNS = 1_200
"""Characters kept for the line above a page, the buttons that turn it, and Submit."""
_STATE = 600
"""Characters kept for small print that comes and goes: who is answering, when it expires, that it was set aside."""
_STATE_BLOCKS = 5
"""Blocks kept for the same."""


@dataclass(frozen=True)
class Room:
    """What is left of a message for one page."""

    characters: int
    blocks: int

    @classmethod
    def beside(cls, card: Card, rest: Sequence[Block]) -> Room:
        """What is left beside `rest` and the small print of this card, whatever state it comes to."""
        interaction = card.interaction.model_copy(update={"expires_at": None, "dismissed_at": None})
        still = small_print(replace(card, interaction=interaction, holder=None, answering=()))
        taken = budget([*rest, *still]) + _HEAD_AND_TURNS + _STATE
        return cls(MESSAGE - taken, limits.MESSAGE_BLOCKS.number - len(rest) - len(still) - _STATE_BLOCKS)


@dataclass(frozen=True)
class Weight:
    """The most that one item ever takes of a message."""

    characters: int
    blocks: int

    @classmethod
    def of(cls, drawn: Sequence[Block]) -> Weight:
        """What blocks of its own take."""
        return cls(budget(drawn), len(drawn))


def paged(items: Sequence[Weight], most: int, room: Room) -> list[range] | None:
    """Which items stand on each page. None: one of them is larger than a page."""
    pages: list[range] = []
    characters = blocks = 0
    for index, one in enumerate(items):
        if one.characters > room.characters or one.blocks > room.blocks:
            return None
        full = pages and len(pages[-1]) == most
        if not pages or full or characters + one.characters > room.characters or blocks + one.blocks > room.blocks:
            pages.append(range(index, index))
            characters = blocks = 0
        pages[-1] = range(pages[-1].start, index + 1)
        characters, blocks = characters + one.characters, blocks + one.blocks
    return pages


def shown_page(card: Card, pages: Sequence[range]) -> int:
    """The number of the page that this copy shows, from 0."""
    return max(0, min(card.page, len(pages) - 1))


def place_of(page: range, count: int) -> str:
    """Which items of how many a page holds: `11–20 of 30`; nothing where it holds all."""
    if len(page) == count:
        return ""
    shown = f"{page.start + 1}–{page.stop}" if len(page) > 1 else f"{page.start + 1}"
    return f"{shown} of {count}"


def turns(card: Card, codec: Codec, number: int, count: int) -> list[Block]:
    """The buttons to the pages before and after, for a row of controls."""
    row: list[Block] = []
    if number > 0:
        row.append(press(codec, "‹ Back", control(card, Action.PAGE, 0, number - 1)))
    if number < count - 1:
        row.append(press(codec, "Next ›", control(card, Action.PAGE, 0, number + 1)))
    return row
