"""Says a sentence in its one spelling: what is written is heard again before it is returned, so it cannot mean more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields as fields_of
from typing import Any

from core.sentences.forms import FIELD, FOOTER, FORMS, MARKS, Form
from core.sentences.parser import parse
from core.sentences.tokens import TOKENS
from core.sentences.values import Sentence

_BY_VALUE = {form.make: form for form in (*FORMS, FOOTER)}


def spell(sentence: Sentence) -> str:
    """The text that means `sentence` and nothing else; its `span` plays no part.

    Raises ValueError when no text does: an id with a slash, a moment without a zone, a summary that begins with a
    status, a reason with a sentence on a line of its own. `speakable` and `split_status` make any text fit.
    """
    form = _BY_VALUE[type(sentence)]
    fields = {field.name: getattr(sentence, field.name) for field in fields_of(sentence)}
    for text in _spellings(form, fields):
        if parse(text) == (sentence,):
            return text
    raise ValueError(f"no text means this {form.make.__name__} and nothing else: {sentence}")


def _spellings(form: Form, fields: dict[str, Any]) -> Iterator[str]:
    for template in filter(None, (form.template, form.roomy)):
        head = FIELD.sub(lambda field: _written(field[1], fields), template)
        marks = "".join(f" [{MARKS[name]} {_written(name, fields)}]" for name in form.marks if fields[name] is not None)
        for rest in form.rest.layouts(fields) if form.rest else ("",):
            yield head + marks + rest


def _written(name: str, fields: dict[str, Any]) -> str:
    return TOKENS[name].write(fields[name])
