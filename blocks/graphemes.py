"""Cutting text without cutting a character: what a reader sees as one character stays in one piece.

The boundaries are those of Unicode's UAX #29, computed from character properties that Python ships. Where the
annex needs tables Python lacks, the rule here joins more than it: after a zero-width joiner and after a virama
nothing is cut. Joining too much only makes a piece a little shorter; cutting too much would break a character.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import pairwise
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
    return len(text) + sum(character > "\uffff" for character in text)


def clusters(text: str) -> Iterator[str]:
    """Yield the grapheme clusters of `text` in order."""
    start = 0
    flags = int(bool(text) and _is_regional(text[0]))
    for at, (before, after) in enumerate(pairwise(text), start=1):
        paired = flags % 2 == 1 and _is_regional(after)
        flags = flags + 1 if _is_regional(after) else 0
        if not (paired or _joined(before, after)):
            yield text[start:at]
            start = at
    if text:
        yield text[start:]


def pieces(text: str, limit: int) -> list[str]:
    """Cut `text` into pieces of at most `limit` units each; joined, they are `text` again.

    A cut falls after a line end or a space when one stands in the second half of the piece, else between
    clusters. Only a cluster that is longer than `limit` by itself is cut, between code points. `limit` is at
    least 2, the units of one code point.
    """
    if limit < 2:
        raise ValueError("a piece has room for at least 2 units")
    if units(text) <= limit:
        return [text]
    done: list[str] = []
    current: list[str] = []
    size = 0
    for part in _parts(text, limit):
        weight = units(part)
        if size + weight > limit:
            cut = _soft_cut(current, limit)
            done.append("".join(current[:cut]))
            current = current[cut:]
            size = units("".join(current))
        current.append(part)
        size += weight
    done.append("".join(current))
    return done


def _parts(text: str, limit: int) -> Iterator[str]:
    for cluster in clusters(text):
        if units(cluster) <= limit:
            yield cluster
        else:
            yield from cluster


def _soft_cut(parts: list[str], limit: int) -> int:
    """Return how many parts to keep: up to a late line end or space, or all of them."""
    size = 0
    space = line = 0
    for count, part in enumerate(parts, start=1):
        size += units(part)
        if size * 2 <= limit:
            continue
        if part.endswith("\n"):
            line = count
        elif part.isspace():
            space = count
    return line or space or len(parts)


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _joined(before: str, after: str) -> bool:
    """Whether no boundary falls between two neighbours (GB3 to GB9c, but for flags)."""
    if before == "\r" and after == "\n":
        return True
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
