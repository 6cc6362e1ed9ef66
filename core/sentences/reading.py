"""Reads the fixed part of one sentence where it begins: brackets, fields and marks, as its row in the table says."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from core.sentences.forms import FORMS, MARKS, Form, Part, mark_pattern
from core.sentences.hidden import Hidden
from core.sentences.nesting import Brackets, json_end
from core.sentences.tokens import TOKENS, Reach
from core.sentences.values import ToolCall

_BY_TAG = {form.tag.casefold(): form for form in FORMS}
_MARKS = {name: mark_pattern(name) for name in MARKS}
_SPACE = re.compile(r"\s*+")


def form_of(tag: str) -> Form:
    """The row of the table for a tag, however it is capitalised and spaced."""
    tag = tag.casefold()
    return _BY_TAG.get(tag) or _BY_TAG[" ".join(tag.split())]


class Head(NamedTuple):
    """The fixed part of a sentence: which form, the fields in it, and where it ends."""

    form: Form
    fields: dict[str, Any]
    end: int


class Reader:
    """Reads heads from one text."""

    def __init__(self, text: str, hidden: Hidden) -> None:
        self._text = text
        self._brackets = Brackets(text, hidden, self._call_end)

    def head(self, form: Form, start: int) -> Head | None:
        """The head of a sentence of this form whose bracket opens at `start`; None when there is none."""
        fields: dict[str, Any] = {}
        end = start
        for part in form.parts:
            reached = self._part(part, start, end, fields)
            if reached is None:
                return None
            end = reached
        return Head(form, fields, self._marks(form, end, fields))

    def _part(self, part: Part, opening: int, start: int, fields: dict[str, Any]) -> int | None:
        found = part.pattern.match(self._text, start)
        if found is None:
            return None
        for name, written in found.groupdict().items():
            if not _take(name, written, fields):
                return None
        if part.open_field is None:
            return found.end()
        return self._open(part.open_field, opening, found.end(), fields)

    def _open(self, name: str, opening: int, start: int, fields: dict[str, Any]) -> int | None:
        """Read a field that has no pattern; returns where the text goes on."""
        is_json = TOKENS[name].extent is Reach.JSON
        end = json_end(self._text, start) if is_json else self._brackets.closing(opening)
        if end is None or end < start or not _take(name, self._text[start:end].strip(), fields):
            return None
        after = _SPACE.match(self._text, end)
        return after.end() if after else end

    def _marks(self, form: Form, end: int, fields: dict[str, Any]) -> int:
        """Read the marks that follow, each at most once. What is no mark of the form is left to the rest."""
        for _ in form.marks:
            for name in form.marks:
                found = None if name in fields else _MARKS[name].match(self._text, end)
                if found and _take(name, found["value"], fields):
                    end = found.end()
        return end

    def _call_end(self, start: int) -> int | None:
        call = self.head(_CALL, start) if _CALL.parts[0].pattern.match(self._text, start) else None
        return call.end if call else None


_CALL = next(form for form in FORMS if form.make is ToolCall)


def _take(name: str, written: str, fields: dict[str, Any]) -> bool:
    """Put the meaning of a field into `fields`; False when what is written means nothing."""
    try:
        fields[name] = TOKENS[name].read(written)
    except ValueError:
        return False
    return True
