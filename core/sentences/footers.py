"""The reminder of how to reply, `Reply: [ACK 7] seen | [CLAIM 7] mine | …`: found anywhere, so as not to count.

At the beginning of a line `Reply:` and one bracketed reply are enough, whatever follows on the line. Within a line
there must be a bar behind the first one: `my reply: [ACK 7]` is a reply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.sentences.forms import FOOTER
from core.sentences.shapes import BLANK, REFERENCE, line_end
from core.sentences.tokens import TOKENS
from core.sentences.values import Reference

OPENING = r"(?<![^\W_])(?ai:Reply):"
"""What a footer begins with."""

_TAGS = "|".join(re.escape(tag) for tag in re.findall(r"\[([A-Z-]+)", FOOTER.template))
_REPLY = rf"\[{BLANK}*+(?ai:{_TAGS})(?=[\s:])[^\[\]\n|]*+\]"
_FOOTER = re.compile(rf"{OPENING}[*_]{{0,3}}{BLANK}*+{_REPLY}(?P<bar>[^\[\]\n|]*+\|)?")
_MEANT = re.compile(rf"\[{BLANK}*+(?ai:{_TAGS})(?:{BLANK}*+:{BLANK}*+|{BLANK}++)(?P<reference>{REFERENCE}){BLANK}*+\]")
_CONTINUED = re.compile(rf"\n{BLANK}*+\|")


@dataclass(frozen=True)
class Footer:
    """Where a footer ends, and the loop it is about; None when it only shows how replies look: `[ACK <id>]`."""

    end: int
    reference: Reference | None


def footer(text: str, start: int, *, first_on_line: bool) -> Footer | None:
    """The footer that begins at `start`, to the end of its line and of those that a bar joins to it."""
    found = _FOOTER.match(text, start)
    if not found or not (first_on_line or found["bar"]):
        return None
    end = line_end(text, found.end())
    while _goes_on(text, found.end() - 1, end):
        end = line_end(text, end + 1)
    meant = _MEANT.search(text, start, end)
    return Footer(end, TOKENS["reference"].read(meant["reference"]) if meant else None)


def _goes_on(text: str, start: int, end: int) -> bool:
    if end >= len(text):
        return False
    last = max(start, text.rfind("\n", start, end))
    return text[last:end].rstrip().endswith("|") or _CONTINUED.match(text, end) is not None
