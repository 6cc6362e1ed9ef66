"""The right control for each size: tables that renderers and tests both read. Lengths are UTF-16 units."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from blocks.telegram import limits


@dataclass(frozen=True, slots=True)
class Layout:
    """Where no label is longer than `longest`, so many buttons share a row, for this reason."""

    longest: int
    per_row: int
    reason: str


@dataclass(frozen=True, slots=True)
class Size:
    """At most so much of `what`, for this reason."""

    what: str
    most: int
    reason: str


LAYOUTS: Final = (
    Layout(3, 6, "numbers and Yes or No: six are still wide enough for a thumb"),
    Layout(8, 4, "one short word: four stand on a narrow telephone without being cut off"),
    Layout(12, 3, "a word with its tick or number: three stand without being cut off"),
    Layout(20, 2, "two or three words: half of a narrow telephone shows them"),
)
"""Anything longer has a row of its own."""
PAGE_ROWS: Final = Size("rows", 8, "with the text above they fill the screen of a telephone; more are turned to")
PAGE_BUTTONS: Final = Size(
    "buttons", 40, "Telegram was seen to refuse keyboards of well under its hundred buttons as too long"
)
READABLE: Final = Size(
    "a label", 30, "what a narrow telephone shows of a button; a longer one is spelled out in the text"
)
ON_BUTTON: Final = Size("a label", 60, "a longer one is cut off everywhere, so it stands in the text under a number")
PAGE_UNSEARCHED: Final = Size("pages", 1, "what is in sight is found by looking; more pages are searched by typing")
KEPT_OPTIONS: Final = Size(
    "options of a card that ended", 10, "what was chosen is what counts then; a longer list stands on the full form"
)
LISTED_BUTTONS: Final = Size("items in a row", 1, "what is ticked or picked from a list is read from top to bottom")


def per_row(labels: Iterable[str]) -> int:
    """How many buttons with these labels may share a row."""
    longest = max((limits.utf16_length(label) for label in labels), default=0)
    return next((layout.per_row for layout in LAYOUTS if longest <= layout.longest), 1)


def page_buttons(in_row: int) -> int:
    """How many buttons are on a page whose rows have `in_row` each."""
    return min(PAGE_ROWS.most, PAGE_BUTTONS.most // in_row) * in_row
