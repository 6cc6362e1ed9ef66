"""Patterns that several readers share. All are possessive or bounded, so none looks at a character often."""

from __future__ import annotations

import re

BLANK = r"[^\S\n]"
"""A space of any kind that does not end the line. Lines end with a line feed alone; a carriage return is a blank."""

MARKER = rf"{BLANK}*+(?:[-*+•]|[0-9]{{1,9}}[.)]){BLANK}++"
"""What makes a line an item of a list."""

LEAD = rf"(?:{MARKER})*+{BLANK}*+"
"""What may stand before the first word of a line and still leave it the first: indentation and list markers."""

ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
REFERENCE = rf"{ID}(?:/[0-9]{{1,9}})?"

_BLANKS = re.compile(rf"{BLANK}*+")
_LINE = re.compile(r"[^\n]*+")


def after_blanks(text: str, start: int) -> int:
    """Where the next character of the line is that is no blank."""
    found = _BLANKS.match(text, start)
    return found.end() if found else start


def line_end(text: str, start: int) -> int:
    """Where the line ends that `start` is on."""
    found = _LINE.match(text, start)
    return found.end() if found else start
