"""What a control points at: a question, an option, an item, a task. `Forged` when the card has no such thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from core.controls import Control
from core.errors import Forged
from core.fields import Fields
from core.forms import NO, TASKS, YES, field_name
from core.kinds import Checklist, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.questions import (
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    TextQuestion,
)
from core.records import Interaction

NOT_HERE = "This control does not belong to this card."


def question_of(interaction: Interaction, control: Control) -> Question:
    """The question a control is about."""
    payload = interaction.content.payload
    if not isinstance(payload, Questions) or control.question >= len(payload.questions):
        raise Forged(NOT_HERE)
    return payload.questions[control.question]


def option_value(question: Question, option: int) -> str:
    """The form value of an option by its index. One past the last stands for none of them, where that is an answer:
    what was chosen or written cannot be taken back otherwise."""
    may_be_none = not question.required or (isinstance(question, ChoiceQuestion) and question.custom)
    if isinstance(question, BooleanQuestion) and option in (0, 1):
        return (YES, NO)[option]
    if isinstance(question, ChoiceQuestion | ChoicesQuestion) and option < len(question.options):
        return question.options[option].id
    if may_be_none and option == _past_last(question):
        return ""
    raise Forged(NOT_HERE)


def _past_last(question: Question) -> int | None:
    """The option that stands for no answer; None where ticks are taken back one by one."""
    match question:
        case ChoiceQuestion():
            return len(question.options)
        case BooleanQuestion():
            return 2
        case TextQuestion() | NumberQuestion() | DateQuestion():
            return 0
        case ChoicesQuestion():
            return None
        case _:
            assert_never(question)


def picked_field(interaction: Interaction, control: Control) -> tuple[str, str]:
    """The form field and the value that a control ticks or chooses."""
    payload = interaction.content.payload
    if isinstance(payload, SuggestedTasks):
        if control.option >= len(payload.tasks):
            raise Forged(NOT_HERE)
        return TASKS, payload.tasks[control.option].key
    return field_name(control.question), option_value(question_of(interaction, control), control.option)


def picked_fields(interaction: Interaction, picked: Sequence[Control]) -> Fields:
    """The options that were picked, as form fields."""
    fields: dict[str, tuple[str, ...]] = {}
    for control in picked:
        name, value = picked_field(interaction, control)
        fields[name] = (*fields.get(name, ()), value)
    return fields


def item_of(payload: Checklist | ItemVerdicts, control: Control) -> str:
    """The id of the item a control is about."""
    return item_at(payload, control.option)


def item_at(payload: Checklist | ItemVerdicts, index: int) -> str:
    """The id of an item by its index."""
    if index >= len(payload.items):
        raise Forged(NOT_HERE)
    return payload.items[index].id


def verdict_of(payload: ItemVerdicts, control: Control) -> str:
    """The id of the verdict a control gives."""
    if control.question >= len(payload.verdicts):
        raise Forged(NOT_HERE)
    return payload.verdicts[control.question].id
