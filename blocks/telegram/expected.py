"""What an answer in words must look like."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from blocks.telegram.parts import code
from blocks.telegram.text import inside
from core.kinds.questions import (
    CHAT_TEXT,
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    TextQuestion,
    spell_number,
)


def expected(question: Question) -> str:
    """What an answer in words must look like, as one paragraph of HTML; empty when anything will do."""
    match question:
        case TextQuestion():
            return " ".join(_expected_text(question))
        case NumberQuestion():
            kind = "whole number" if question.integer else "number"
            return f"The answer is a {kind}{_bounds(question)}."
        case DateQuestion():
            return "The answer is a day, written YYYY-MM-DD."
        case ChoiceQuestion() | ChoicesQuestion() | BooleanQuestion():
            return ""
        case _:
            assert_never(question)


def spelled(value: str | float | None) -> str:
    """A value as people write it; empty for none."""
    if value is None:
        return ""
    return value if isinstance(value, str) else spell_number(value)


def _expected_text(question: TextQuestion) -> Iterable[str]:
    least, most = question.min_length or 0, question.max_length
    if least and most < CHAT_TEXT:
        yield f"The answer has {least} to {most} characters."
    elif least:
        yield f"The answer has at least {least} characters."
    elif most < CHAT_TEXT:
        yield f"The answer has at most {most} characters."
    if question.pattern_hint:
        yield inside(question.pattern_hint)
    elif question.pattern:
        yield f"The answer matches the pattern {code(question.pattern)}"


def _bounds(question: NumberQuestion) -> str:
    least, most = spelled(question.min), spelled(question.max)
    if least and most:
        return f" from {least} to {most}"
    if least:
        return f", {least} or more"
    return f", {most} or less" if most else ""
