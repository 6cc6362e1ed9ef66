"""Questions: 1 to 64 of them, each of one type; answered all at once."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from core.kinds.base import Id, LongText, Options, Payload, check_unique, misplaced
from core.kinds.patterns import check_pattern

LONGEST_TEXT = 100_000
CHAT_TEXT = 3_000
"""The default `max_length`, and the most a chat can carry back."""
LARGEST_NUMBER = 2**63
"""Whole numbers from here on (and below its negative) are read differently by different readers of JSON."""


class _Question(Payload):
    id: Id
    prompt: LongText
    help: Annotated[str, StringConstraints(max_length=4_000)] | None = None
    required: bool = True


class TextQuestion(_Question):
    """Words. The pattern must match the whole value."""

    type: Literal["text"]
    multiline: bool = False
    min_length: Annotated[int, Field(ge=0, le=LONGEST_TEXT)] | None = None
    max_length: Annotated[int, Field(ge=1, le=LONGEST_TEXT)] = CHAT_TEXT
    pattern: Annotated[str, StringConstraints(min_length=1, max_length=1_000)] | None = None
    pattern_hint: Annotated[str, StringConstraints(max_length=1_000)] | None = None
    initial: Annotated[str, StringConstraints(max_length=LONGEST_TEXT)] | None = None
    placeholder: Annotated[str, StringConstraints(max_length=1_000)] | None = None

    @field_validator("pattern")
    @classmethod
    def _known_syntax(cls, pattern: str | None) -> str | None:
        if pattern is not None:
            check_pattern(pattern)
        return pattern

    @model_validator(mode="after")
    def _lengths_agree(self) -> Self:
        if self.min_length is not None and self.min_length > self.max_length:
            raise misplaced("min_length is greater than max_length", "min_length")
        if self.initial is not None and len(self.initial) > self.max_length:
            raise misplaced("initial is longer than max_length", "initial")
        return self


class ChoiceQuestion(_Question):
    """One of the options, or with `custom` a person's own words instead."""

    type: Literal["choice"]
    options: Options
    custom: bool = False
    initial: str | None = None

    @model_validator(mode="after")
    def _ids_agree(self) -> Self:
        ids = [option.id for option in self.options]
        check_unique(ids, "option", "options", "id")
        if self.initial is not None and self.initial not in ids:
            raise misplaced("initial is not the id of an option", "initial")
        return self


class ChoicesQuestion(_Question):
    """Several of the options, and with `custom` a person's own words as one more."""

    type: Literal["choices"]
    options: Options
    custom: bool = False
    min: Annotated[int, Field(ge=0, le=129)] | None = None
    max: Annotated[int, Field(ge=1, le=129)] | None = None
    initial: tuple[str, ...] | None = None

    @model_validator(mode="after")
    def _ids_and_counts_agree(self) -> Self:
        ids = [option.id for option in self.options]
        check_unique(ids, "option", "options", "id")
        most = len(ids) + (1 if self.custom else 0)
        if self.max is not None and self.max > most:
            raise misplaced("max is more than there is to choose", "max")
        if self.least > self.most:
            raise misplaced("min is more than can be chosen", "min")
        initial = self.initial or ()
        check_unique(list(initial), "initial", "initial")
        for index, one in enumerate(initial):
            if one not in ids:
                raise misplaced("initial holds something that is not the id of an option", "initial", index)
        return self

    @property
    def least(self) -> int:
        """How many must be chosen once the question is answered."""
        if self.min is not None:
            return self.min
        return 1 if self.required else 0

    @property
    def most(self) -> int:
        """How many may be chosen."""
        return self.max if self.max is not None else len(self.options) + (1 if self.custom else 0)


class NumberQuestion(_Question):
    """A number, whole if `integer`, within bounds."""

    type: Literal["number"]
    min: float | None = Field(default=None, allow_inf_nan=False)
    max: float | None = Field(default=None, allow_inf_nan=False)
    integer: bool = False
    initial: float | None = Field(default=None, allow_inf_nan=False)

    @model_validator(mode="after")
    def _bounds_agree(self) -> Self:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise misplaced("min is greater than max", "min")
        if self.integer and self.initial is not None and not float(self.initial).is_integer():
            raise misplaced("initial is not a whole number", "initial")
        return self


class DateQuestion(_Question):
    """A calendar day, YYYY-MM-DD."""

    type: Literal["date"]
    initial: str | None = None

    @field_validator("initial")
    @classmethod
    def _is_a_day(cls, value: str | None) -> str | None:
        if value is not None and parse_day(value) is None:
            raise ValueError("a date is written YYYY-MM-DD")
        return value


class BooleanQuestion(_Question):
    """Yes or no."""

    type: Literal["boolean"]
    initial: bool | None = None


Question = Annotated[
    TextQuestion | ChoiceQuestion | ChoicesQuestion | NumberQuestion | DateQuestion | BooleanQuestion,
    Field(discriminator="type"),
]


class Questions(Payload):
    """The payload of kind `questions`."""

    questions: Annotated[tuple[Question, ...], Field(min_length=1, max_length=64)]

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        check_unique([question.id for question in self.questions], "question", "questions", "id")
        return self


def spell_number(number: float) -> str:
    """A number as people write it: no `.0` on a whole one, and an exponent only where the digits would be endless."""
    return str(int(number)) if float(number).is_integer() and abs(number) < LARGEST_NUMBER else repr(number)


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def parse_day(text: str) -> date | None:
    """Read YYYY-MM-DD and nothing else: Python reads other spellings of ISO 8601 as well, such as weeks."""
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


EXAMPLE: dict[str, Any] = {
    "kind": "questions",
    "title": "Release 4.2",
    "body": "The canary has been **clean** for two hours.",
    "recommendation": "Ship it",
    "payload": {
        "questions": [
            {
                "id": "ship",
                "prompt": "Ship now?",
                "type": "choice",
                "options": [
                    {"id": "yes", "label": "Yes", "recommended": True},
                    {"id": "no", "label": "No", "description": "wait for Monday"},
                ],
            }
        ]
    },
}
