"""Questions on the page: a field for each, and each as it was asked and answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, assert_never

from blocks.web.demands import demands, spelled_value
from blocks.web.page import Visit
from blocks.web.parts import (
    MANY_ROWS,
    Asked,
    Choice,
    Control,
    Field,
    Line,
    OwnWords,
    Pick,
    faults_at,
    line_or_area,
    shown,
    typed,
)
from blocks.web.reading import own_words_name, spelled
from blocks.words import neutralise
from core.fields import Fields
from core.forms import NO, YES, custom_name, field_name
from core.kinds.base import Option
from core.kinds.questions import (
    CHAT_TEXT,
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    Questions,
    TextQuestion,
)
from core.telling import option_label

SELECT_FROM = 16
"""With more options than fit a screen, and all of them short, a list that opens is quicker than buttons."""
SHORT = 40
SPACIOUS = 250_000
"""Characters beyond which answers might not fit in one request when all are as long as they may be."""


def fields(payload: Questions, visit: Visit) -> Iterator[Field]:
    """The fields of a form, in order."""
    several = len(payload.questions) > 1
    for index, question in enumerate(payload.questions):
        name = field_name(index)
        yield Field(
            name=name,
            label=shown(question.prompt) or "…",
            control=_control(question, index, visit),
            help=shown(question.help),
            hint=demands(question),
            required=question.required,
            place=f"{index + 1} of {len(payload.questions)}" if several else "",
            faults=faults_at(visit.wrong, name),
        )


def asked(payload: Questions, answer: object) -> Iterator[Asked]:
    """The questions as they were asked, with what was said to each; `answer` is None where nothing was. What was said
    to the only question of a form is the outcome itself and stands there."""
    several = len(payload.questions) > 1
    given = answer if isinstance(answer, dict) else {}
    for index, question in enumerate(payload.questions):
        answered = given.get(question.id)
        yield Asked(
            label=shown(question.prompt) or "…",
            help=shown(question.help),
            hint=demands(question),
            place=f"{index + 1} of {len(payload.questions)}" if several else "",
            choices=_read_only(question, answered),
            said=said(question, answered) if several and answer is not None else None,
        )


def spacious(payload: Questions) -> str:
    """What to know before writing, where answers may be longer than one request."""
    most = sum(question.max_length for question in payload.questions if isinstance(question, TextQuestion))
    if most <= SPACIOUS:
        return ""
    return f"All answers together may have about {SPACIOUS:,} characters."


def _control(question: Question, index: int, visit: Visit) -> Control:
    name, filled = field_name(index), visit.filled
    match question:
        case ChoiceQuestion() | ChoicesQuestion():
            return _pick(question, index, visit)
        case BooleanQuestion():
            chosen = typed(filled, name) if filled is not None else spelled_value(question.initial)
            answers = [Choice(YES, "Yes", chosen=chosen == YES), Choice(NO, "No", chosen=chosen == NO)]
            return Pick("radio", (*answers, *_none(question, chosen)), short=True)
        case TextQuestion():
            value = typed(filled, name) if filled is not None else question.initial or ""
            many = question.max_length > CHAT_TEXT
            return line_or_area(value, multiline=question.multiline or many, rows=MANY_ROWS if many else 4)
        case NumberQuestion():
            value = typed(filled, name) if filled is not None else spelled_value(question.initial)
            return Line(value, keyboard=_keyboard(question))
        case DateQuestion():
            return Line(typed(filled, name) if filled is not None else question.initial or "", type="date")
        case _:
            assert_never(question)


def _keyboard(question: NumberQuestion) -> Literal["text", "numeric", "decimal"]:
    """The number pads of phones have no minus sign."""
    if question.min is None or question.min < 0:
        return "text"
    return "numeric" if question.integer else "decimal"


def _pick(question: ChoiceQuestion | ChoicesQuestion, index: int, visit: Visit) -> Pick:
    chosen = _chosen(question, index, visit.filled)
    several = isinstance(question, ChoicesQuestion)
    choices = tuple(
        Choice(
            value=spelled(option.id),
            label=shown(option.label) or "…",
            description=shown(option.description),
            marks=_marks(question, option),
            chosen=option.id in chosen,
        )
        for option in question.options
    )
    short = all(len(choice.label) <= SHORT and not choice.description and not choice.marks for choice in choices)
    own = _own_words(question, index, visit) if question.custom else None
    if several:
        return Pick("checkbox", choices, own, short=short)
    if short and len(choices) >= SELECT_FROM:
        return Pick("select", choices, own)
    nothing = not chosen and not (own and own.chosen)
    return Pick("radio", (*choices, *_none(question, "" if nothing else "chosen")), own, short=short)


def _none(question: ChoiceQuestion | BooleanQuestion | ChoicesQuestion, chosen: str) -> tuple[Choice, ...]:
    """A button once pressed cannot be let go, so a question that may stay open says so as a choice."""
    return () if question.required else (Choice("", "No answer", chosen=not chosen),)


def _chosen(question: ChoiceQuestion | ChoicesQuestion, index: int, filled: Fields | None) -> Sequence[str]:
    if filled is None:
        initial = question.initial or ()
        return (initial,) if isinstance(initial, str) else initial
    value = filled.get(field_name(index), ())
    return (value,) if isinstance(value, str) else value


def _own_words(question: ChoiceQuestion | ChoicesQuestion, index: int, visit: Visit) -> OwnWords:
    name, filled = custom_name(index), visit.filled or {}
    words = typed(filled, name)
    beside = isinstance(question, ChoiceQuestion) and typed(filled, field_name(index)) != ""
    return OwnWords(
        name=name,
        control=line_or_area(words, multiline=False),
        chosen=bool(filled.get(own_words_name(index))) or (bool(words.strip()) and not beside),
        faults=faults_at(visit.wrong, name),
    )


def _marks(question: Question, option: Option) -> tuple[str, ...]:
    initial = question.initial if isinstance(question, ChoiceQuestion | ChoicesQuestion) else None
    suggested = option.id == initial if isinstance(initial, str) else option.id in (initial or ())
    marks = (("recommended", option.recommended), ("suggested", suggested))
    return tuple(mark for mark, holds in marks if holds)


def _read_only(question: Question, said: object) -> tuple[Choice, ...]:
    if not isinstance(question, ChoiceQuestion | ChoicesQuestion):
        return ()
    given = said if isinstance(said, dict) else {}
    chosen = (given.get("value"), *(given.get("values") or ()))
    return tuple(
        Choice(
            value=spelled(option.id),
            label=shown(option.label) or "…",
            description=shown(option.description),
            marks=_marks(question, option),
            chosen=option.id in chosen,
        )
        for option in question.options
    )


def said(question: Question, answer: object) -> tuple[str, ...]:
    """What was answered, each choice by itself; nothing where the question was left open."""
    if not isinstance(answer, dict):
        return ()
    parts = [option_label(question, answer["value"])] if answer.get("value") is not None else []
    parts += [option_label(question, value) for value in answer.get("values") or ()]
    if isinstance(answer.get("custom"), str):
        parts.append(answer["custom"])
    return tuple(neutralise(part).strip("\n") or "(left blank)" for part in parts)
