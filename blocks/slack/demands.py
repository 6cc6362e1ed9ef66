"""What a question asks of its answer, as one plain sentence."""

from __future__ import annotations

from decimal import Decimal
from typing import assert_never

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
    """Counts, bounds and whether it may stay unanswered; empty when there is nothing to say."""
    return " ".join(part for part in (wanted(question), "" if question.required else "No answer is needed.") if part)


def wanted(question: Question) -> str:
    """Counts and bounds alone, for a field that says itself whether it may stay empty."""
    match question:
        case TextQuestion():
            return _length(question)
        case ChoicesQuestion():
            return _count(question)
        case NumberQuestion():
            return _bounds(question)
        case BooleanQuestion():
            return "" if question.initial is None else f"Suggested: {'Yes' if question.initial else 'No'}."
        case ChoiceQuestion() | DateQuestion():
            return ""
        case _:
            assert_never(question)


def is_suggested(question: Question, option: str) -> bool:
    """Whether the asker filled this option in beforehand."""
    match question:
        case ChoiceQuestion():
            return question.initial == option
        case ChoicesQuestion():
            return option in (question.initial or ())
        case TextQuestion() | NumberQuestion() | DateQuestion() | BooleanQuestion():
            return False
        case _:
            assert_never(question)


def decimal(number: float) -> str:
    """Spell a number without an exponent: `0.001`, `12`, `1000000`."""
    spelled = format(Decimal(repr(number)), "f")
    return spelled.rstrip("0").rstrip(".") if "." in spelled else spelled


def _length(question: TextQuestion) -> str:
    least, most = question.min_length or 0, question.max_length
    if least > 1 and most < CHAT_TEXT:
        return f"{least} to {most} characters."
    if least > 1:
        return f"At least {least} characters."
    return f"At most {most} characters." if most < CHAT_TEXT else ""


def _count(question: ChoicesQuestion) -> str:
    least, most = question.least, question.most
    if question.max is None:
        return f"Choose at least {least}." if least > 1 else ""
    if least == most:
        return f"Choose exactly {least}."
    return f"Choose {least} to {most}." if least else f"Choose at most {most}."


def _bounds(question: NumberQuestion) -> str:
    sort = "A whole number" if question.integer else "A number"
    low = None if question.min is None else decimal(question.min)
    high = None if question.max is None else decimal(question.max)
    if low is not None and high is not None:
        return f"{sort} from {low} to {high}."
    if low is not None:
        return f"{sort}, {low} or more."
    return f"{sort}, {high} or less." if high is not None else f"{sort}."
