"""What an interaction was answered with, as models: one shape for each kind."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.held import Reason


class View(BaseModel):
    """Base of all answers: nothing more than what is listed."""

    model_config = ConfigDict(extra="forbid")


class WaitingReminder(View):
    """A reminder that is due and does not go out yet. `until` is null where nobody knows."""

    reason: Reason
    until: datetime | None


def identifier(prefix: str) -> Any:
    """An example of an id with this prefix."""
    return Field(examples=[f"{prefix}_06f1zq3v9k7m2n8p4r5t6w0x1y"])


TaskId = Annotated[str, identifier("tsk")]


class By(View):
    """Who did it, and as which account."""

    type: Literal["person", "agent", "timer"]
    id: str | None
    handle: str | None
    identity: Annotated[str | None, Field(examples=["slack:T1.U1"])]


class QuestionAnswer(View):
    """The answer to one question: `value`, or `values` of one that takes several; `custom` are own words."""

    value: str | int | float | bool | None = None
    values: list[str] = []
    custom: str | None = None


class ConfirmationAnswer(View):
    """Yes or no."""

    accepted: bool


class TickView(View):
    """Who ticked an item, and when. What the asker had ticked from the start is nobody's."""

    id: str
    by: By
    at: datetime


class ChecklistAnswer(View):
    """The items that are ticked."""

    selected: list[str]
    ticks: list[TickView]


class VerdictView(View):
    """What somebody decided about an item, and when."""

    verdict: str
    reason: str | None
    by: By
    at: datetime


class VerdictsAnswer(View):
    """The verdicts by item."""

    verdicts: dict[str, VerdictView]


class CreatedTask(View):
    """A task that was created: the asker's key, and its id."""

    key: str
    id: TaskId


class TasksAnswer(View):
    """Which of the suggested tasks were created."""

    selected: list[str]
    skipped: list[str]
    created: list[CreatedTask]


class ConnectionAnswer(View):
    """Whether the connection was granted."""

    connected: bool


Questionnaire = Annotated[
    dict[str, QuestionAnswer], Field(examples=[{"ship": {"value": "yes"}}], description="Answers by question.")
]
AnyAnswer = ConfirmationAnswer | ChecklistAnswer | VerdictsAnswer | TasksAnswer | ConnectionAnswer | Questionnaire
