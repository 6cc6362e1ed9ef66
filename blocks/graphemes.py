"""Cutting text without cutting a character: what a reader sees as one character stays in one piece.

The boundaries are those of Unicode's UAX #29, computed from character properties that Python ships. Where the
annex needs tables Python lacks, the rule here joins more than it: after a zero-width joiner and after a virama
nothing is cut. Joining too much only makes a piece a little shorter; cutting too much would break a character.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_JOINER: Final = "\u200d"
_CONTROLS: Final = frozenset({"Cc", "Zl", "Zp"})
_MARKS: Final = frozenset({"Mn", "Mc", "Me"})
_VIRAMA: Final = 9
# Extenders that are no marks: joiners, half-width voicing, SARA AM, skin tones, tag characters of flags.
_EXTENDERS: Final = frozenset(
    "\u200c\u200d\uff9e\uff9f\u0e33\u0eb3"
    + "".join(map(chr, range(0x1F3FB, 0x1F400)))
    + "".join(map(chr, range(0xE0020, 0xE0080)))
)
# Signs written before the number or letter they belong to.
_PREPENDED: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")


def units(text: str) -> int:
    """Return the UTF-16 units of `text`: never fewer than its code points, so a budget in them holds for both."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def pieces(text: str, limit: int) -> list[str]:
    """Cut `text` into pieces of at most `limit` units each; joined, they are `text` again.

    A cut falls after a line end or a space when one stands in the second half of the piece, else between
    clusters. Only a cluster that is longer than `limit` by itself is cut, between code points. `limit` is at
    least 2, the units of one code point.
    """
    if limit < 2:
        raise ValueError("a piece has room for at least 2 units")
    done: list[str] = []
    start = 0
    while (end := _reach(text, start, limit)) < len(text):
        half = _reach(text, start, limit // 2) + 1
        cut = _cut(text, start, half, end)
        done.append(text[start:cut])
        start = cut
    return [*done, text[start:]]


def _reach(text: str, start: int, limit: int) -> int:
    """Return how far `limit` units go from `start`."""
    end = min(start + limit, len(text))
    while (over := units(text[start:end]) - limit) > 0:
        end -= (over + 1) // 2  # a code point has at most two
    return end


def _cut(text: str, start: int, half: int, end: int) -> int:
    """Return where to cut a piece that begins at `start` and has room up to `end`; late is from `half` on."""
    hard = end
    while not _is_boundary(text, start, hard):
        hard -= 1
        if hard == start:
            return end
    if line := text.rfind("\n", half - 1, hard) + 1:
        return line
    spaces = (at for at in range(hard, half - 1, -1) if text[at - 1].isspace())
    return next((at for at in spaces if _is_alone(text, start, at)), hard)


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether the code point before `end` is a cluster of its own."""
    return _is_boundary(text, start, end) and (end - 1 == start or _is_boundary(text, start, end - 1))


def _is_boundary(text: str, start: int, at: int) -> bool:
    """Whether a cluster ends before `at`, where one begins at `start`. Flags are pairs, counted from there (GB12)."""
    before, after = text[at - 1], text[at]
    if not (_is_regional(before) and _is_regional(after)):
        return not _joined(before, after)
    flags = at
    while flags > start and _is_regional(text[flags - 1]):
        flags -= 1
    return (at - flags) % 2 == 0


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _joined(before: str, after: str) -> bool:
    """Whether no boundary falls between two neighbours (GB3 to GB9c, but for flags)."""
    if before == "\r" and after == "\n":
        return True
    if before.isascii() and after.isascii():
        return False
    if unicodedata.category(before) in _CONTROLS or unicodedata.category(after) in _CONTROLS:
        return False
    if before == _JOINER or after in _EXTENDERS or unicodedata.category(after) in _MARKS:
        return True
    if unicodedata.combining(before) == _VIRAMA and unicodedata.category(after) == "Lo":
        return True
    return before in _PREPENDED or _hangul_joined(before, after)


def _hangul_joined(before: str, after: str) -> bool:
    first, second = _hangul(before), _hangul(after)
    if not first or not second:
        return False
    if first == "L":
        return second in "LVS"
    return second == "T" or (second == "V" and first in "VS")


def _hangul(character: str) -> str:
    """Return L, V or T for the three kinds of jamo, S for a whole syllable, nothing otherwise."""
    if "\u1100" <= character <= "\u115f" or "\ua960" <= character <= "\ua97c":
        return "L"
    if "\u1160" <= character <= "\u11a7" or "\ud7b0" <= character <= "\ud7c6":
        return "V"
    if "\u11a8" <= character <= "\u11ff" or "\ud7cb" <= character <= "\ud7fb":
        return "T"
    return "S" if "\uac00" <= character <= "\ud7a3" else ""
