"""Pages: as many entries on each as their buttons and their text leave room for, and the row that turns them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from blocks.telegram import limits
from blocks.telegram.asked import Asked, Entry
from blocks.telegram.keyboard import Button, Controls, Keyboard, Row, in_rows
from blocks.telegram.sizes import page_buttons
from blocks.telegram.text import utf16_length
from core.controls import Action

Page: TypeAlias = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Weight:
    """What a text takes of a message: UTF-16 units as read, and bytes as written."""

    units: int
    bytes: int

    @classmethod
    def of(cls, html: str) -> Weight:
        """The weight of a text."""
        return cls(utf16_length(html), limits.size(html))

    def __add__(self, other: Weight) -> Weight:
        return Weight(self.units + other.units, self.bytes + other.bytes)

    def fits(self, room: Weight) -> bool:
        """Whether there is room for it."""
        return self.units <= room.units and self.bytes <= room.bytes


_BREAK = Weight(1, 1)
_NOTHING = Weight(0, 0)


def packed(asked: Asked, entries: Sequence[Entry], room: Weight) -> tuple[Page, ...] | None:
    """Entries by pages, in their order; None when one of them is longer than `room`. There is always one page."""
    most = 1 if asked.alone else page_buttons(asked.per_row)
    pages: list[Page] = []
    page: list[Entry] = []
    taken = _NOTHING
    for entry in entries:
        weight = Weight.of(entry.line) + _BREAK if asked.listed else _NOTHING
        if not weight.fits(room):
            return None
        if page and (len(page) == most or not (taken + weight).fits(room)):
            pages.append(tuple(page))
            page, taken = [], _NOTHING
        page.append(entry)
        taken += weight
    return (*pages, tuple(page))


def rows(asked: Asked, page: Page) -> Keyboard:
    """The buttons of a page."""
    if asked.alone:
        return tuple(row for entry in page for row in entry.rows)
    buttons: list[Button] = [button for entry in page for row in entry.rows for button in row]
    return in_rows(buttons, asked.per_row)


def texts(asked: Asked, page: Page) -> Iterator[str]:
    """What a page says, fullest first. The last one is what its room was measured for."""
    for level in range(max((len(entry.noted) for entry in page), default=0)):
        noted = (
            entry.noted[level] if level < len(entry.noted) else (entry.line if asked.listed else "") for entry in page
        )
        yield "\n".join(line for line in noted if line)
    yield "\n".join(entry.line for entry in page) if asked.listed else ""


def shown(pages: Sequence[object], number: int) -> int:
    """The page that is shown: one too far is the last."""
    return min(max(number, 0), len(pages) - 1)


def turns(here: int, count: int, controls: Controls) -> tuple[Row, ...]:
    """`‹ 2/4 ›`, where there is more than one page."""
    if count == 1:
        return ()
    turn = [controls.button(f"{here + 1}/{count}", Action.HOLD)]
    if here > 0:
        turn.insert(0, controls.button("‹", Action.PAGE, option=here - 1))
    if here < count - 1:
        turn.append(controls.button("›", Action.PAGE, option=here + 1))
    return (tuple(turn),)
