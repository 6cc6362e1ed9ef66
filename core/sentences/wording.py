"""Makes any text fit to stand in a sentence, so that what people type into a form says nothing of its own."""

from __future__ import annotations

import re
from dataclasses import replace

from core.sentences.forms import MARKS
from core.sentences.hidden import Hidden
from core.sentences.parser import TAGS
from core.sentences.shapes import BLANK, LEAD
from core.sentences.values import SubagentUpdate

_WORDS = "|".join((TAGS, *map(re.escape, MARKS.values())))
_TEMPTING = re.compile(
    rf"(?m)^{LEAD}(?<!\\)(?P<bracket>\[){BLANK}*+(?ai:{_WORDS})(?=[\s:\]])|(?<![^\W_])(?ai:Reply)(?P<colon>:)"
)
_TICK = re.compile("`")


def speakable(text: str) -> str:
    """The text with a backslash before every bracket or colon that would begin a sentence, a mark or a footer.

    It stays as it is where it is quoted or code. Any text that comes out can be a reason, a summary (after
    `split_status`), a prompt, a message, details, a task or a body.
    """
    text = text.strip()
    hidden = Hidden(text)
    pieces, position = [], 0
    for tempting in _TEMPTING.finditer(text):
        sign = tempting.start("bracket") if tempting["bracket"] else tempting.start("colon")
        if sign not in hidden:
            pieces += [text[position:sign], "\\"]
            position = sign
    return "".join((*pieces, text[position:]))


def speakable_title(text: str) -> str:
    """The text as the title of an order: on one line, without the dash that ends it, all code closed."""
    line = " ".join(text.split()).replace("—", "–")
    behind_the_tag = f"] {line}"
    hidden = Hidden(behind_the_tag)
    if any(tick.start() not in hidden for tick in _TICK.finditer(behind_the_tag)):
        line = line.replace("`", "'")
    return speakable(line)


def speakable_update(update: SubagentUpdate) -> SubagentUpdate:
    """An update that was heard, to be said by itself elsewhere: no code of its title hides what follows, and its
    details say nothing of their own."""
    return replace(update, title=update.title.replace("`", "´"), details=speakable(update.details))
