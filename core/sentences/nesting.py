"""Where brackets close: of a tool call by its JSON, of anything else by counting the brackets that are said."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.sentences.hidden import Hidden

_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_JSON_TOKEN = re.compile(
    r"""[\s,:0-9.eE+-]++|true|false|null|(?P<open>[{\[])|(?P<close>[}\]])|"(?:[^"\\\x00-\x1f]++|\\.)*+\""""
)
DEEPEST = 64
"""How deep objects and lists may be nested in the arguments of a call."""


def json_end(text: str, start: int) -> int | None:
    """Where the JSON object that begins at `start` ends, judged by its words alone; None when it does not.

    It stops at the first word that JSON does not know. A call within a string of another call's arguments is read with
    quotes inside out and stops within a word or two, so that all calls of a text together cost what the text costs.
    """
    depth, position = 0, start
    while token := _JSON_TOKEN.match(text, position):
        position = token.end()
        if token["open"]:
            depth += 1
            if depth > DEEPEST:
                return None
        elif token["close"]:
            depth -= 1
            if depth == 0:
                return position
    return None


class Brackets:
    """Which bracket closes which. Brackets that are hidden or escaped, or inside a tool call, are left out.

    `call_end` tells where the tool call ends that begins at a bracket; None when none does.
    """

    def __init__(self, text: str, hidden: Hidden, call_end: Callable[[int], int | None]) -> None:
        self._text = text
        self._hidden = hidden
        self._call_end = call_end
        self._closing: dict[int, int] | None = None

    def closing(self, opening: int) -> int | None:
        """Where the `]` for the `[` at `opening` is; None when there is none."""
        if self._closing is None:  # few texts ask, so the others do not pay
            self._closing = self._pairs()
        return self._closing.get(opening)

    def _pairs(self) -> dict[int, int]:
        pairs: dict[int, int] = {}
        waiting: list[int] = []
        passed = 0
        for bracket in _BRACKET.finditer(self._text):
            position = bracket.start()
            if position < passed or position in self._hidden:
                continue
            if bracket[0] == "]":
                if waiting:
                    pairs[waiting.pop()] = position
            elif call_end := self._call_end(position):
                passed = call_end
            else:
                waiting.append(position)
        return pairs
