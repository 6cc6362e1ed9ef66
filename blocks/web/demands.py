"""What an answer must be, in our words, beside the asker's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from blocks.web.parts import sentence, shown
from core.forms import NO, YES
from core.kinds.questions import (
    CHAT_TEXT,
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    TextQuestion,
)


def demands(question: Question) -> str:
    """What an answer must be, in one or two sentences; empty where anything will do."""
    match question:
        case TextQuestion():
            return " ".join(_text_demands(question))
        case ChoicesQuestion():
            return _count_demands(question)
        case NumberQuestion():
            return f"A {'whole number' if question.integer else 'number'}{_bounds(question)}."
        case ChoiceQuestion() | DateQuestion() | BooleanQuestion():
            return ""
        case _:
            assert_never(question)


def _text_demands(question: TextQuestion) -> Iterator[str]:
    least, most = question.min_length or 0, question.max_length
    if least and most != CHAT_TEXT:
        yield f"From {least:,} to {most:,} characters."
    elif least:
        yield f"At least {least:,} characters."
    elif most != CHAT_TEXT:
        yield f"At most {most:,} characters."
    if question.pattern_hint:
        yield sentence(question.pattern_hint)
    elif question.pattern:
        yield f"It must match the pattern {shown(question.pattern)}"
    if question.placeholder:
        yield f"For example: {shown(question.placeholder)}"


def _count_demands(question: ChoicesQuestion) -> str:
    least, most = question.least, question.most
    everything = len(question.options) + (1 if question.custom else 0)
    if least == most:
        return f"Choose exactly {least}."
    if least <= 1 and most >= everything:
        return "Choose all that apply."
    if least == 0:
        return f"Choose at most {most}."
    return f"Choose at least {least}." if most >= everything else f"Choose {least} to {most}."


def _bounds(question: NumberQuestion) -> str:
    least, most = spelled_value(question.min), spelled_value(question.max)
    if least and most:
        return f" from {least} to {most}"
    if least:
        return f", {least} or more"
    return f", {most} or less" if most else ""


def spelled_value(value: float | bool | None) -> str:
    """A number or yes/no as a form carries it; empty for none."""
    match value:
        case None:
            return ""
        case bool():
            return YES if value else NO
        case _:
            return str(int(value)) if float(value).is_integer() else repr(value)
