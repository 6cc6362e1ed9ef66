"""The contents page of what can be asked. Adding a kind: one file, one line in each table, one EXAMPLE.

A forgotten case is a type error wherever a payload is matched to `assert_never`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from core.kinds import checklist, confirmation, connection, item_verdicts, questions, suggested_tasks
from core.kinds.checklist import Checklist
from core.kinds.confirmation import Confirmation
from core.kinds.connection import ConnectionRequest
from core.kinds.item_verdicts import ItemVerdicts
from core.kinds.questions import Questions
from core.kinds.suggested_tasks import SuggestedTasks

AnyPayload = Questions | Confirmation | Checklist | ItemVerdicts | SuggestedTasks | ConnectionRequest


class Kind(StrEnum):
    """The name of each kind on the wire."""

    QUESTIONS = "questions"
    CONFIRMATION = "confirmation"
    CHECKLIST = "checklist"
    ITEM_VERDICTS = "item_verdicts"
    SUGGESTED_TASKS = "suggested_tasks"
    CONNECTION = "connection"


PAYLOADS: dict[Kind, type[AnyPayload]] = {
    Kind.QUESTIONS: Questions,
    Kind.CONFIRMATION: Confirmation,
    Kind.CHECKLIST: Checklist,
    Kind.ITEM_VERDICTS: ItemVerdicts,
    Kind.SUGGESTED_TASKS: SuggestedTasks,
    Kind.CONNECTION: ConnectionRequest,
}

EXAMPLES: dict[Kind, dict[str, Any]] = {
    Kind.QUESTIONS: questions.EXAMPLE,
    Kind.CONFIRMATION: confirmation.EXAMPLE,
    Kind.CHECKLIST: checklist.EXAMPLE,
    Kind.ITEM_VERDICTS: item_verdicts.EXAMPLE,
    Kind.SUGGESTED_TASKS: suggested_tasks.EXAMPLE,
    Kind.CONNECTION: connection.EXAMPLE,
}


__all__ = [
    "EXAMPLES",
    "PAYLOADS",
    "AnyPayload",
    "Checklist",
    "Confirmation",
    "ConnectionRequest",
    "ItemVerdicts",
    "Kind",
    "Questions",
    "SuggestedTasks",
]
