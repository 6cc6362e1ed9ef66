"""The contents page of what can be asked. Adding a kind: one file, one line in each union, one EXAMPLE.

A forgotten case is a type error wherever a payload is matched to `assert_never`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from core.kinds import confirmation, questions
from core.kinds.confirmation import Confirmation
from core.kinds.questions import Questions

AnyPayload = Questions | Confirmation


class Kind(StrEnum):
    """The name of each kind on the wire."""

    QUESTIONS = "questions"
    CONFIRMATION = "confirmation"


PAYLOADS: dict[Kind, type[AnyPayload]] = {Kind.QUESTIONS: Questions, Kind.CONFIRMATION: Confirmation}

EXAMPLES: dict[Kind, dict[str, Any]] = {
    Kind.QUESTIONS: questions.EXAMPLE,
    Kind.CONFIRMATION: confirmation.EXAMPLE,
}


__all__ = ["EXAMPLES", "PAYLOADS", "AnyPayload", "Confirmation", "Kind", "Questions"]
