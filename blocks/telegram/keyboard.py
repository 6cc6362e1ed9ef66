"""Inline keyboards: buttons, what they stand for, and how many of them share a row."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, TypeAlias
from urllib.parse import quote

from blocks.characters import one_line
from blocks.codec import LENGTH, Codec
from blocks.telegram import limits
from blocks.telegram.check_keyboard import keyboard_bytes
from blocks.telegram.sizes import per_row
from core.cards import Card
from core.controls import Action, Control

OPENING: Final = 80
"""Bytes that a link of a card takes more where it is opened inside Telegram; a card has one."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Zl", "Zp", "Zs"})
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


@dataclass(frozen=True, slots=True)
class Button:
    """One button: a press that comes back as `data`, a link to `url`, or the page `app` opened inside Telegram."""

    text: str
    data: str | None = None
    url: str | None = None
    app: str | None = None

    def wire(self) -> dict[str, object]:
        """As the Bot API takes it."""
        if self.app is not None:
            return {"text": self.text, "web_app": {"url": self.app}}
        action = {"callback_data": self.data} if self.data is not None else {"url": self.url or ""}
        return {"text": self.text, **action}


Row: TypeAlias = tuple[Button, ...]
Keyboard: TypeAlias = tuple[Row, ...]


@dataclass(frozen=True)
class Controls:
    """Makes the buttons of one copy of a card: each carries the token of one control of what is shown.

    Without a codec the tokens are blank and as long: enough to see whether what is not shown now would fit.
    """

    card: Card
    codec: Codec | None

    def button(self, text: str, action: Action, question: int = 0, option: int = 0) -> Button:
        """A button whose press is the control."""
        if self.codec is None:
            return Button(text, data="-" * LENGTH)
        interaction = self.card.interaction
        control = Control(
            interaction=interaction.id,
            publication=self.card.publication,
            revision=interaction.revision,
            seen=self.card.seen,
            action=action,
            question=question,
            option=option,
        )
        return Button(text, data=self.codec.pack(control))

    def submit(self, text: str, question: int = 0) -> Button:
        """A button that sends what is filled in here; the token says whether anything was when it was drawn."""
        return self.button(text, Action.SUBMIT, question, 0 if self.card.draft is None else 1)

    @property
    def blank(self) -> Controls:
        """The same buttons without what they stand for."""
        return Controls(self.card, None)


def markup(keyboard: Keyboard) -> Mapping[str, object]:
    """The `reply_markup` of a keyboard; one without rows takes the buttons off a message."""
    return {"inline_keyboard": [[button.wire() for button in row] for row in keyboard]}


def caption(label: str) -> str:
    """A label as a button can show it: on one line, or empty when nothing of it can be seen."""
    line = one_line(label)
    return line if any(map(_is_visible, line)) else ""


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in _INVISIBLE and character not in _BLANK_LETTERS


def in_rows(buttons: Sequence[Button], most: int | None = None) -> Keyboard:
    """Lay buttons out in rows of about equal length: several to a row (at most `most`) when all are short, else one."""
    if not buttons:
        return ()
    most = per_row(button.text for button in buttons) if most is None else most
    count = ceil(len(buttons) / ceil(len(buttons) / most))
    return tuple(tuple(buttons[at : at + count]) for at in range(0, len(buttons), count))


def opening_inside(keyboard: Keyboard, site: str, launcher: str) -> Keyboard:
    """The same, with what leads to our pages at `site` opened inside Telegram, by way of the page `launcher`: only a
    private chat takes such buttons."""

    def opened(button: Button) -> Button:
        path = (button.url or "").removeprefix(site)
        if button.url is None or path == button.url or not path.startswith("/"):
            return button
        return Button(button.text, app=f"{launcher}?next={quote(path)}")

    return tuple(tuple(map(opened, row)) for row in keyboard)


def fits(keyboard: Keyboard) -> bool:
    """Whether Telegram takes a keyboard of this size, and as much more as `opening_inside` may add to it."""
    return (
        all(len(row) <= limits.ROW_BUTTONS.number for row in keyboard)
        and sum(map(len, keyboard)) <= limits.KEYBOARD_BUTTONS.number
        and keyboard_bytes(markup(keyboard)) + OPENING <= limits.KEYBOARD_BYTES.number
    )
