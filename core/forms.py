"""From a filled-in form, or words typed in chat, to answers. One reading for modal, reply prompt and web page."""

from __future__ import annotations

import math
from typing import assert_never

from pydantic import ValidationError

from core.blank import is_blank
from core.errors import Fault, Invalid
from core.fields import Fields
from core.kinds import (
    AnyPayload,
    Checklist,
    Confirmation,
    ConnectionRequest,
    ItemVerdicts,
    Questions,
    SuggestedTasks,
)
from core.kinds.answers import Answer
from core.kinds.base import pointer
from core.kinds.item_verdicts import Given
from core.kinds.questions import (
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    TextQuestion,
    spell_number,
)
from core.kinds.suggested_tasks import Edit, initially_selected

YES, NO = "true", "false"
"""The values a form carries for a boolean."""


def field_name(index: int) -> str:
    """The form field of the question at `index`."""
    return f"q{index}"


def custom_name(index: int) -> str:
    """The form field for own words on the question at `index`."""
    return f"q{index}.custom"


TICKS = "ticks"
"""The form field of a checklist: the ids that are ticked."""
TASKS = "tasks"
"""The form field of suggested tasks: the keys that are chosen."""


def verdict_name(index: int) -> str:
    """The form field of the verdict on the item at `index`."""
    return f"v{index}"


def reason_name(index: int) -> str:
    """The form field of the reason for the verdict on the item at `index`."""
    return f"v{index}.reason"


def edit_name(index: int, what: str) -> str:
    """The form field of what a task's `title`, `assignee` or `priority` is changed to; `index` is as asked."""
    return f"t{index}.{what}"


def initial_fields(payload: AnyPayload) -> dict[str, str | tuple[str, ...]]:
    """What a form holds before anybody touches it, and is shown so."""
    match payload:
        case Questions():
            fields: dict[str, str | tuple[str, ...]] = {}
            for index, question in enumerate(payload.questions):
                value = _initial(question)
                if value:
                    fields[field_name(index)] = value
            return fields
        case SuggestedTasks():
            return {TASKS: initially_selected(payload)}
        case Checklist():
            return {TICKS: tuple(item.id for item in payload.items if item.checked)}
        case Confirmation() | ItemVerdicts() | ConnectionRequest():
            return {}
        case _:
            assert_never(payload)


def _initial(question: Question) -> str | tuple[str, ...]:
    match question:
        case TextQuestion() | ChoiceQuestion() | DateQuestion():
            return question.initial or ""
        case ChoicesQuestion():
            return question.initial or ()
        case NumberQuestion():
            return "" if question.initial is None else spell_number(question.initial)
        case BooleanQuestion():
            return "" if question.initial is None else (YES if question.initial else NO)
        case _:
            assert_never(question)


def read_answers(payload: Questions, fields: Fields) -> dict[str, Answer]:
    """Read a form. A blank field is no answer, except a text whose `min_length` is 0 and that was submitted.

    What cannot be read as the question's type is passed on as text, so that the check names the fault.
    """
    answers: dict[str, Answer] = {}
    for index, question in enumerate(payload.questions):
        answer = read_answer(question, index, fields)
        if answer is not None:
            answers[question.id] = answer
    return answers


def read_answer(question: Question, index: int, fields: Fields) -> Answer | None:
    """Read the answer to one question; None: there is none."""
    return _read_one(question, fields.get(field_name(index)), fields.get(custom_name(index)))


def read_verdicts(payload: ItemVerdicts, fields: Fields) -> tuple[Given, ...]:
    """The verdicts that a form gives, in the order of the items; one without a verdict gives none."""
    return tuple(
        Given(item.id, verdict, _text(fields.get(reason_name(index))) or None)
        for index, item in enumerate(payload.items)
        if (verdict := _text(fields.get(verdict_name(index))))
    )


def read_edits(payload: SuggestedTasks, fields: Fields) -> dict[str, Edit]:
    """What a form changes in the tasks it chooses; a field as it was asked changes nothing.

    Raises `Invalid` with a pointer per fault.
    """
    chosen, edits, faults = fields.get(TASKS, ()), dict[str, Edit](), list[Fault]()
    for index, task in enumerate(payload.tasks):
        now = {"title": task.title, "assignee": task.assignee or "", "priority": task.priority or ""}
        written = {
            what: _text(fields[edit_name(index, what)]).strip() for what in now if edit_name(index, what) in fields
        }
        changes = {what: words for what, words in written.items() if words != now[what]}
        if task.key not in chosen or not changes:
            continue
        try:
            edits[task.key] = Edit(**changes)
        except ValidationError as error:
            for one in error.errors():
                faults.append(Fault(pointer("edits", task.key, *one["loc"]), one["msg"]))
    if faults:
        raise Invalid(faults)
    return edits


def _text(value: str | tuple[str, ...] | None) -> str:
    if isinstance(value, tuple):
        return value[0] if value else ""
    return value or ""


def _read_one(
    question: Question, value: str | tuple[str, ...] | None, custom: str | tuple[str, ...] | None
) -> Answer | None:
    own_words = None if is_blank(_text(custom)) else _text(custom)
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
