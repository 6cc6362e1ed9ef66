"""Answers to questions, and the checks an answer must pass before it counts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import assert_never

from pydantic import JsonValue, StrictBool, StrictFloat, StrictInt, StrictStr, field_validator

from core.blank import is_blank
from core.errors import Fault, Invalid
from core.kinds.base import Payload, pointer
from core.kinds.patterns import matches_whole
from core.kinds.questions import (
    LARGEST_NUMBER,
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    Questions,
    TextQuestion,
    parse_day,
    spell_number,
)

Scalar = StrictBool | StrictInt | StrictFloat | StrictStr


class Answer(Payload):
    """One question's answer: `value` for one thing, `values` for several, `custom` for own words."""

    value: Scalar | None = None
    values: tuple[str, ...] | None = None
    custom: StrictStr | None = None

    @field_validator("custom")
    @classmethod
    def _has_words(cls, custom: str | None) -> str | None:
        if custom is not None and is_blank(custom):
            raise ValueError("own words need at least one character")
        return custom

    def wire(self) -> dict[str, JsonValue]:
        """Only what was given."""
        return {name: value for name, value in self.model_dump(mode="json").items() if value is not None}


Answers = Mapping[str, Answer]
LONGEST_CUSTOM = 3_000


def check_answers(payload: Questions, answers: Answers, at: tuple[str, ...] = ("answers",)) -> dict[str, Answer]:
    """Return the answers in the order asked, or raise `Invalid` with a pointer per fault."""
    known = {question.id: question for question in payload.questions}
    faults = [
        Fault(pointer(*at, unknown), f"there is no question with the id {unknown!r}")
        for unknown in answers
        if unknown not in known
    ]
    given: dict[str, Answer] = {}
    for question in payload.questions:
        answer = answers.get(question.id)
        if answer is None or answer == Answer():
            if question.required:
                faults.append(Fault(pointer(*at, question.id), "an answer is required"))
            continue
        found = _faults(question, answer, (*at, question.id))
        faults.extend(found)
        if not found:
            given[question.id] = in_order(question, answer)
    if faults:
        raise Invalid(faults)
    return given


def in_order(question: Question, answer: Answer) -> Answer:
    """The same answer with what was chosen in the order asked, so that it is the same whoever ticked what first."""
    if not isinstance(question, ChoicesQuestion) or answer.values is None:
        return answer
    places = {option.id: place for place, option in enumerate(question.options)}
    return answer.model_copy(update={"values": tuple(sorted(answer.values, key=lambda one: places.get(one, 0)))})


def question_fault(question: Question, answer: Answer | None) -> str | None:
    """What is wrong with the answer to one question, None being none; in words."""
    if answer is None or answer == Answer():
        return "an answer is required" if question.required else None
    found = _faults(question, answer, ())
    return found[0].detail if found else None


def _faults(question: Question, answer: Answer, at: tuple[str, ...]) -> list[Fault]:
    match question:
        case ChoicesQuestion():
            return _choices_faults(question, answer, at)
        case ChoiceQuestion():
            return _choice_faults(question, answer, at)
        case TextQuestion() | NumberQuestion() | DateQuestion() | BooleanQuestion():
            if answer.values is not None:
                return [Fault(pointer(*at, "values"), "this question takes one value, in `value`")]
            if answer.custom is not None:
                return [Fault(pointer(*at, "custom"), "this question takes no own words; use `value`")]
            detail = _value_fault(question, answer.value)
            return [Fault(pointer(*at, "value"), detail)] if detail else []
        case _:
            assert_never(question)


def own_words_fault(question: ChoiceQuestion | ChoicesQuestion, custom: str) -> str | None:
    """What is wrong with own words for a question with options, None being nothing; in words."""
    if not question.custom:
        return "this question takes none but its options"
    if is_blank(custom):
        return "write at least one character"
    if len(custom) > LONGEST_CUSTOM:
        return f"own words may have at most {LONGEST_CUSTOM} characters"
    return None


def _choice_faults(question: ChoiceQuestion, answer: Answer, at: tuple[str, ...]) -> list[Fault]:
    if answer.values is not None:
        return [Fault(pointer(*at, "values"), "this question takes one option, in `value`")]
    if answer.custom is not None:
        if answer.value is not None:
            return [Fault(pointer(*at), "give an option or own words, not both")]
        detail = own_words_fault(question, answer.custom)
        return [Fault(pointer(*at, "custom"), detail)] if detail else []
    if answer.value not in {option.id for option in question.options} or not isinstance(answer.value, str):
        return [Fault(pointer(*at, "value"), "not the id of an option")]
    return []


def _choices_faults(question: ChoicesQuestion, answer: Answer, at: tuple[str, ...]) -> list[Fault]:
    if answer.value is not None:
        return [Fault(pointer(*at, "value"), "this question takes several options, in `values`")]
    known = {option.id for option in question.options}
    values = answer.values or ()
    faults = [
        Fault(pointer(*at, "values", index), "not the id of an option")
        for index, value in enumerate(values)
        if value not in known
    ]
    if len(set(values)) != len(values):
        faults.append(Fault(pointer(*at, "values"), "an option is chosen twice"))
    if answer.custom is not None:
        detail = own_words_fault(question, answer.custom)
        if detail:
            faults.append(Fault(pointer(*at, "custom"), detail))
    count = len(values) + (1 if answer.custom is not None else 0)
    if count < question.least:
        faults.append(Fault(pointer(*at, "values"), f"choose at least {question.least}"))
    if count > question.most:
        faults.append(Fault(pointer(*at, "values"), f"choose at most {question.most}"))
    return faults


def _value_fault(
    question: TextQuestion | NumberQuestion | DateQuestion | BooleanQuestion, value: Scalar | None
) -> str | None:
    match question:
        case TextQuestion():
            return _text_fault(question, value)
        case NumberQuestion():
            return _number_fault(question, value)
        case DateQuestion():
            return None if isinstance(value, str) and parse_day(value) else "write a date as YYYY-MM-DD"
        case BooleanQuestion():
            return None if isinstance(value, bool) else "answer true or false"
        case _:
            assert_never(question)


def _text_fault(question: TextQuestion, value: Scalar | None) -> str | None:
    if not isinstance(value, str):
        return "the answer must be text"
    least = question.min_length
    if least is None and question.required and is_blank(value):
        return "write at least one character"
    if least is not None and len(value) < least:
        return f"write at least {least} characters (now {len(value)})"
    if len(value) > question.max_length:
        return f"write at most {question.max_length} characters (now {len(value)})"
    if question.pattern is not None and not matches_whole(question.pattern, value):
        return question.pattern_hint or f"the answer must match {question.pattern}"
    return None


def _number_fault(question: NumberQuestion, value: Scalar | None) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "the answer must be a number"
    if isinstance(value, int) and not -LARGEST_NUMBER <= value < LARGEST_NUMBER:
        return "this whole number has too many digits"
    if not math.isfinite(value):
        return "the answer must be a finite number"
    if question.integer and not float(value).is_integer():
        return "the answer must be a whole number"
    if question.min is not None and value < question.min:
        return f"the least is {spell_number(question.min)}"
    if question.max is not None and value > question.max:
        return f"the most is {spell_number(question.max)}"
    return None
