"""From a filled-in form, or words typed in chat, to answers. One reading for modal, reply prompt and web page."""

from __future__ import annotations

import math
from typing import assert_never

from core.errors import Fault
from core.fields import Fields
from core.kinds.answers import Answer
from core.kinds.base import pointer
from core.kinds.questions import (
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    Questions,
    TextQuestion,
)
from core.replies import Wrong

YES, NO = "true", "false"
"""The values a form carries for a boolean."""


def field_name(index: int) -> str:
    """The form field of the question at `index`."""
    return f"q{index}"


def custom_name(index: int) -> str:
    """The form field for own words on the question at `index`."""
    return f"q{index}.custom"


def initial_ticks(payload: Questions, index: int) -> dict[str, str | tuple[str, ...]]:
    """What is ticked, and shown so, before anybody touches the multiple choice at `index`; nothing for other types."""
    question = payload.questions[index]
    ticked = question.initial if isinstance(question, ChoicesQuestion) else None
    return {field_name(index): ticked} if ticked else {}


def read_answers(payload: Questions, fields: Fields) -> dict[str, Answer]:
    """Read a form. A blank field is no answer, except a text whose `min_length` is 0 and that was submitted.

    What cannot be read as the question's type is passed on as text, so that the check names the fault.
    """
    answers: dict[str, Answer] = {}
    for index, question in enumerate(payload.questions):
        answer = _read_one(question, fields.get(field_name(index)), fields.get(custom_name(index)))
        if answer is not None:
            answers[question.id] = answer
    return answers


def _text(value: str | tuple[str, ...] | None) -> str:
    if isinstance(value, tuple):
        return value[0] if value else ""
    return value or ""


def _read_one(
    question: Question, value: str | tuple[str, ...] | None, custom: str | tuple[str, ...] | None
) -> Answer | None:
    own_words = _text(custom) if _text(custom).strip() else None
    match question:
        case ChoicesQuestion():
            picked = value if isinstance(value, tuple) else ((value,) if value else ())
            if not picked and own_words is None and not (question.required and question.least == 0):
                return None
            return Answer(values=tuple(picked), custom=own_words)
        case ChoiceQuestion():
            picked_one = _text(value) or None
            if picked_one is None and own_words is None:
                return None
            return Answer(value=picked_one, custom=own_words)
        case TextQuestion():
            text = _text(value)
            blank_counts = value is not None and question.min_length == 0 and question.required
            return Answer(value=text) if text or blank_counts else None
        case NumberQuestion():
            return Answer(value=parse_number(_text(value))) if _text(value).strip() else None
        case DateQuestion():
            return Answer(value=_text(value).strip()) if _text(value).strip() else None
        case BooleanQuestion():
            words = _text(value)
            if not words:
                return None
            return Answer(value={YES: True, NO: False}.get(words, words))
        case _:
            assert_never(question)


def parse_number(text: str) -> int | float | str:
    """Read a number as people type it; what is none comes back as the text."""
    trimmed = text.strip().replace("\N{MINUS SIGN}", "-")
    if len(trimmed) > 60:
        return text
    try:
        return int(trimmed)
    except ValueError:
        pass
    try:
        number = float(trimmed)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def name_fields(payload: Questions, faults: tuple[Fault, ...]) -> Wrong:
    """Say beside which form field each fault belongs."""
    names: list[str] = []
    for fault in faults:
        names.append("")
        for index, question in enumerate(payload.questions):
            at = pointer("answers", question.id)
            if fault.pointer == at or fault.pointer.startswith(at + "/"):
                own = fault.pointer == at + "/custom"
                names[-1] = custom_name(index) if own else field_name(index)
    return Wrong(faults, tuple(names))
