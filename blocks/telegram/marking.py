"""A person's message with its code and quotes marked by characters, as Markdown has them.

Telegram keeps formatting beside the text, so the text alone does not tell what was only quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from blocks.telegram.entities import CODE, QUOTES, Entity, Formatted, covered

_TICKS = re.compile("`+")
_FENCE = re.compile("```|~~~")


def marked(message: Formatted) -> str:
    """The text with backticks around code, a fence around code of several lines, and `> ` before quoted lines.

    No sentence in code or a quote is heard in what comes out, whatever characters are typed within it or around it.
    """
    if not any(entity.type in CODE | QUOTES for entity in message.entities):
        return message.text
    # As many as stand nowhere in the text, so that no backtick that somebody typed pairs with these.
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(message.text)), default=0))
    # A fence may close another one, so beside one that was typed the lines of code are quoted instead.
    fence = None if _FENCE.search(message.text) else ticks.ljust(3, "`")
    lines = _Lines()
    for typed, kind in _stretches(message):
        # A backtick within may pair with one outside; then a bracket says nothing because of its backslash.
        text = typed.replace("[", "\\[") if kind and "`" in typed else typed
        if kind in QUOTES or (kind in CODE and "\n" in text and fence is None):
            lines.apart("\n".join(f"> {line}" for line in text.split("\n")))
        elif kind in CODE and "\n" in text:
            lines.apart(f"{fence}\n{text}\n{fence}")
        elif kind in CODE:
            lines.add_code(text, ticks)
        elif text:
            lines.add(text)
    return lines.text


class _Lines:
    """A text that grows, with some parts on lines of their own."""

    def __init__(self) -> None:
        self.text = ""
        self._is_apart = False
        self._is_code = False

    def add(self, text: str) -> None:
        if self._is_apart and not text.startswith("\n"):
            self.text += "\n"
        # A backtick beside those that mark code would make another mark of them.
        self.text += f" {text}" if self._is_code and text.startswith("`") else text
        self._is_apart = self._is_code = False

    def add_code(self, text: str, ticks: str) -> None:
        inner = f" {text} " if text.startswith("`") or text.endswith("`") else text
        self.add(" " if self.text.endswith("`") else "")
        self.add(f"{ticks}{inner}{ticks}")
        self._is_code = True

    def apart(self, text: str) -> None:
        if self.text and not self.text.endswith("\n"):
            self.text += "\n"
        self.text += text
        self._is_apart, self._is_code = True, False


def _stretches(message: Formatted) -> Iterator[tuple[str, str]]:
    """The text in order, each stretch with what it is: a quote as a whole, code, or nothing of these."""
    position = 0
    for entity in _outermost(message.entities):
        if entity.end <= position:
            continue  # within the one before
        begins = max(entity.offset, position)
        yield _between(message.text, position, begins), ""
        yield _between(message.text, begins, entity.end), entity.type
        position = entity.end
    yield _between(message.text, position, len(message.text) * 2), ""


def _outermost(entities: Iterable[Entity]) -> list[Entity]:
    found = [entity for entity in entities if entity.type in CODE | QUOTES]
    return sorted(found, key=lambda one: (one.offset, -one.end, one.type not in QUOTES))


def _between(text: str, start: int, end: int) -> str:
    return covered(text, Entity("", start, end - start))
