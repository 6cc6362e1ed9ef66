"""A table as lines of text in columns, for surfaces that show it in a fixed-width face."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from blocks.characters import isolate
from blocks.markdown.tree import Table, plain, spelled

WIDEST: Final = 40  # one long cell must not push every other row apart

_UNSEEN: Final = frozenset({"Mn", "Me", "Cf"})


def grid(table: Table) -> str:
    """Draw a table: cells between ` | `, a rule under the head. Links are written out.

    The head's columns are padded, up to `WIDEST`; cells beyond them follow as they come.
    """
    rows = [[isolate(plain(spelled(cell))) for cell in row] for row in (table.head, *table.rows)]
    widths = [0] * len(table.head)
    for row in rows:
        for column, cell in enumerate(row[: len(widths)]):
            widths[column] = max(widths[column], min(WIDEST, _width(cell)))
    head, *body = [_line(row, widths) for row in rows]
    return "\n".join([head, "-+-".join("-" * width for width in widths), *body])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False)]
    return " | ".join([*padded, *row[len(widths) :]]).rstrip()


def _width(text: str) -> int:
    """How many columns a text takes: two for wide characters, none for marks and invisible ones."""
    return sum(
        0 if unicodedata.category(character) in _UNSEEN else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )
