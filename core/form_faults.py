"""Beside which field of a form a fault belongs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from core.errors import Fault
from core.forms import TASKS, TICKS, custom_name, edit_name, field_name, reason_name, verdict_name
from core.kinds import (
    AnyPayload,
    Checklist,
    Confirmation,
    ConnectionRequest,
    ItemVerdicts,
    Questions,
    SuggestedTasks,
)
from core.kinds.base import pointer
from core.kinds.item_verdicts import Given
from core.replies import Wrong


def name_fields(payload: AnyPayload, faults: tuple[Fault, ...], given: Sequence[Given] = ()) -> Wrong:
    """Name the form field of each fault, "" where there is none; `given` are the verdicts that the form gave."""
    return Wrong(faults, tuple(_field_of(payload, fault.pointer, given) for fault in faults))


def _field_of(payload: AnyPayload, at: str, given: Sequence[Given]) -> str:
    if at.startswith("/reason"):
        return "reason"
    if at.startswith("/text"):
        return "comment"
    match payload:
        case Questions():
            return _of_questions(payload, at)
        case ItemVerdicts():
            return _of_verdicts(payload, at, given)
        case SuggestedTasks():
            return _of_tasks(payload, at)
        case Checklist():
            return TICKS if at.startswith(("/selected", "/tick", "/untick")) else ""
        case Confirmation() | ConnectionRequest():
            return ""
        case _:
            assert_never(payload)


def _is_in(at: str, own: str) -> bool:
    return at == own or at.startswith(own + "/")


def _of_questions(payload: Questions, at: str) -> str:
    for index, question in enumerate(payload.questions):
        own = pointer("answers", question.id)
        if _is_in(at, own):
            return custom_name(index) if at == own + "/custom" else field_name(index)
    return ""


def _of_verdicts(payload: ItemVerdicts, at: str, given: Sequence[Given]) -> str:
    places = {item.id: index for index, item in enumerate(payload.items)}
    for place, one in enumerate(given):
        if _is_in(at, pointer("verdicts", place)) and one.item in places:
            name = reason_name if at.endswith("/reason") else verdict_name
            return name(places[one.item])
    return ""


def _of_tasks(payload: SuggestedTasks, at: str) -> str:
    for index, task in enumerate(payload.tasks):
        own = pointer("edits", task.key) + "/"
        if at.startswith(own):
            return edit_name(index, at.removeprefix(own))
    return TASKS if at.startswith("/selected") else ""
