"""What is shown but not said: quotes, code fences and code spans, found in one pass from left to right.

A quote is one line: what follows a quoted line without a `>` of its own is the reply to it. A fence that nobody closes
hides the rest. A span of three and more backticks may hold blank lines, as in Slack; one of one or two ends with its
paragraph. Where surfaces differ, more is hidden rather than less.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from core.sentences.shapes import BLANK, LEAD, MARKER, line_end

_MARK = re.compile(rf"(?m)^{LEAD}(?P<quote>>)|^{LEAD}(?P<fence>`{{3,}}+(?![^\n]*`)|~{{3,}}+)|(?P<run>`++)")
_CLOSING = re.compile(rf"(?m)^{BLANK}*+(?P<fence>`{{3,}}+|~{{3,}}+){BLANK}*+$")
_RUN = re.compile("`++")
_PARAGRAPH_END = re.compile(rf"\n(?:{MARKER}|{BLANK}*+(?:\n|>|```|~~~))")
LONGEST_WITHIN_A_PARAGRAPH = 2
"""How many backticks at most begin code that a blank line, a quote, a fence or a list item cuts short."""


class Hidden:
    """The parts of a text that are quoted or code."""

    def __init__(self, text: str) -> None:
        spans = tuple(_hidden(text))
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def __contains__(self, position: int) -> bool:
        index = bisect_right(self._starts, position)
        return index > 0 and position < self._ends[index - 1]


def _hidden(text: str) -> Iterator[tuple[int, int]]:
    partners: dict[int, int] | None = None
    position = 0
    while mark := _MARK.search(text, position):
        start, position = mark.span()
        if mark["quote"]:
            position = line_end(text, position)
        elif mark["fence"]:
            position = _fence_end(text, mark["fence"], position)
        else:
            if partners is None:
                partners = _partners(text)
            partner = partners.get(start)
            if partner is None or not _may_pair(text, start, position, partner):
                continue  # the run of backticks is just that
            position += partner - start
        yield start, position


def _fence_end(text: str, opening: str, start: int) -> int:
    for closing in _CLOSING.finditer(text, line_end(text, start)):
        if closing["fence"].startswith(opening):
            return closing.end()
    return len(text)


def _partners(text: str) -> dict[int, int]:
    """For the start of every run of backticks, where the next run of the same length starts."""
    latest: dict[int, int] = {}
    partners: dict[int, int] = {}
    for run in _RUN.finditer(text):
        start, end = run.span()
        length = end - start
        if length in latest:
            partners[latest[length]] = start
        latest[length] = start
    return partners


def _may_pair(text: str, start: int, end: int, partner: int) -> bool:
    """Whether the run from `start` to `end` and its partner are close enough to be the ends of one span."""
    return end - start > LONGEST_WITHIN_A_PARAGRAPH or not _PARAGRAPH_END.search(text, end, partner)
