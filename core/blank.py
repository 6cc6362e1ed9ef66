"""Whether words say anything: characters that nobody can see are no answer and no reason.

Categories and the blank letters among the visible ones are Unicode's.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Cs", "Zs", "Zl", "Zp"})
"""Controls, formatting (zero width, directions), what is no character, halves of one, and spaces."""
_BLANK: Final = frozenset(
    {
        "\u034f",  # combining grapheme joiner
        "\u115f",  # Hangul fillers
        "\u1160",
        "\u3164",
        "\uffa0",
        "\u2800",  # a Braille pattern without dots
        *map(chr, range(0xFE00, 0xFE10)),  # variation selectors
        *map(chr, range(0xE0100, 0xE01F0)),
    }
)


def is_blank(text: str) -> bool:
    """Whether there is nothing in it to see."""
    return all(one in _BLANK or unicodedata.category(one) in _UNSEEN for one in text)


def check_visible(text: str) -> str:
    """The text, for a pydantic validator. Raises ValueError where there is nothing in it to see."""
    if is_blank(text):
        raise ValueError("write at least one character that can be seen")
    return text
