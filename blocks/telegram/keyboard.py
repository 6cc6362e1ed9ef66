"""Inline keyboards: buttons, how many of them share a row, and pages of rows."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Final, TypeAlias

from blocks.characters import one_line
from blocks.codec import Codec
from blocks.telegram import limits
from blocks.telegram.check_keyboard import keyboard_bytes
from core.cards import Card
from core.controls import Action, Control

PAGE_ROWS: Final = 8
"""Rows of choices that are shown at once; more are paged."""
LONGEST_LABEL: Final = 60
"""UTF-16 units of a label that stands on a button. A longer one stands in the text, under a number."""
READABLE: Final = 30
"""UTF-16 units that a narrow telephone shows of a button; a longer label is also spelled out in the text."""

# The longest label of a card -> how many buttons share a row on a telephone before labels are cut off.
_PER_ROW: Final = ((3, 6), (8, 4), (12, 3), (20, 2))
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Zl", "Zp", "Zs"})
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


@dataclass(frozen=True, slots=True)
class Button:
    """One button: a press that comes back as `data`, or a link to `url`."""

    text: str
    data: str | None = None
    url: str | None = None

    def wire(self) -> dict[str, str]:
        """As the Bot API takes it."""
        action = {"callback_data": self.data} if self.data is not None else {"url": self.url or ""}
        return {"text": self.text, **action}


Row: TypeAlias = tuple[Button, ...]
Keyboard: TypeAlias = tuple[Row, ...]


@dataclass(frozen=True)
class Controls:
    """Makes the buttons of one copy of a card: each carries the token of one control of what is shown."""

    card: Card
    codec: Codec

    @cached_property
    def _seen(self) -> str:
        return self.card.interaction.content.seen()

    def button(self, text: str, action: Action, question: int = 0, option: int = 0) -> Button:
        """A button whose press is the control."""
        interaction = self.card.interaction
        control = Control(
            interaction=interaction.id,
            publication=self.card.publication,
            revision=interaction.revision,
            seen=self._seen,
            action=action,
            question=question,
            option=option,
        )
        return Button(text, data=self.codec.pack(control))


def markup(keyboard: Keyboard) -> Mapping[str, object]:
    """The `reply_markup` of a keyboard; one without rows takes the buttons off a message."""
    return {"inline_keyboard": [[button.wire() for button in row] for row in keyboard]}


def caption(label: str) -> str:
    """A label as a button can show it: on one line, or empty when nothing of it can be seen."""
    line = one_line(label)
    return line if any(map(_is_visible, line)) else ""


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in _INVISIBLE and character not in _BLANK_LETTERS


def in_rows(buttons: Sequence[Button]) -> Keyboard:
    """Lay buttons out in rows of about equal length: several to a row when all are short, else one."""
    if not buttons:
        return ()
    longest = max(limits.utf16_length(button.text) for button in buttons)
    most = next((count for length, count in _PER_ROW if longest <= length), 1)
    per_row = ceil(len(buttons) / ceil(len(buttons) / most))
    return tuple(tuple(buttons[at : at + per_row]) for at in range(0, len(buttons), per_row))


def page_count(rows: Keyboard) -> int:
    """How many pages the rows take; one even when there are none."""
    return max(1, ceil(len(rows) / PAGE_ROWS))


def paged(rows: Keyboard, page: int, controls: Controls) -> Keyboard:
    """The rows of one page, and beneath them `‹ 2/4 ›` when there are more. A page too far is the last one."""
    pages = page_count(rows)
    here = min(max(page, 0), pages - 1)
    shown = rows[here * PAGE_ROWS : (here + 1) * PAGE_ROWS]
    if pages == 1:
        return shown
    turns = [controls.button(f"{here + 1}/{pages}", Action.HOLD)]
    if here > 0:
        turns.insert(0, controls.button("‹", Action.PAGE, option=here - 1))
    if here < pages - 1:
        turns.append(controls.button("›", Action.PAGE, option=here + 1))
    return (*shown, tuple(turns))


def fits(keyboard: Keyboard) -> bool:
    """Whether Telegram takes a keyboard of this size."""
    return (
        all(len(row) <= limits.ROW_BUTTONS.number for row in keyboard)
        and sum(map(len, keyboard)) <= limits.KEYBOARD_BUTTONS.number
        and keyboard_bytes(markup(keyboard)) <= limits.KEYBOARD_BYTES.number
    )
