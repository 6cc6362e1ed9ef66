"""Things to choose from, in words: what stands on their buttons, and what the text says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from blocks.telegram import limits
from blocks.telegram.keyboard import caption
from blocks.telegram.sizes import LISTED_BUTTONS, ON_BUTTON, READABLE, per_row
from blocks.telegram.text import escape

TICKED: Final = "☑"
UNTICKED: Final = "☐"
_BULLET: Final = "•"


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing to choose: its label, what is said of it in a word or two, and what describes it."""

    label: str
    marks: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Offers:
    """All things to choose from. `captions` stand on their buttons: the labels, or numbers (`numbered`) when a label is
    too long, unseen or there twice."""

    each: tuple[Offer, ...]
    captions: tuple[str, ...]
    numbered: bool

    @property
    def listed(self) -> bool:
        """Whether the buttons do not say it all."""
        return self.numbered or any(
            one.marks or one.description or limits.utf16_length(one.label) > READABLE.most for one in self.each
        )

    @property
    def per_row(self) -> int:
        """How many buttons share a row, each of them with a tick in front."""
        return per_row(f"{TICKED} {text}" for text in self.captions) if self.numbered else LISTED_BUTTONS.most

    def line(self, index: int, sign: str = _BULLET, indent: str = "") -> str:
        """One of them as a line of HTML: `sign` or its number, its label, and all that is said of it."""
        one = self.each[index]
        marks = f" ({escape(', '.join(one.marks))})" if one.marks else ""
        more = f": {escape(one.description)}" if one.description else ""
        return f"{indent}{self._sign(index, sign)} {escape(one.label)}{marks}{more}"

    def _sign(self, index: int, sign: str) -> str:
        if not self.numbered:
            return sign
        return f"{index + 1}." if sign == _BULLET else f"{sign} {index + 1}."

    def lines(self) -> str:
        """All of them, as one paragraph."""
        return "\n".join(self.line(index) for index in range(len(self.each)))


def offers(each: Sequence[Offer]) -> Offers:
    """Decide what stands on the buttons."""
    labels = tuple(caption(one.label) for one in each)
    readable = all(text and limits.utf16_length(text) <= ON_BUTTON.most for text in labels)
    if readable and len(set(labels)) == len(labels):
        return Offers(tuple(each), labels, numbered=False)
    return Offers(tuple(each), tuple(str(number) for number in range(1, len(each) + 1)), numbered=True)


def how_many(least: int, most: int) -> str:
    """`exactly 2`, `up to 3`, `1 to 3`."""
    if least == most:
        return f"exactly {least}"
    if least == 0:
        return f"up to {most}"
    return f"{least} to {most}"
