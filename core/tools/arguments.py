"""The arguments of each operation: nothing but what is named is taken."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue, StringConstraints

from core.blank import check_visible
from core.loops.outcomes import LoopState
from core.loops.values import Name
from core.people import Value

FURTHEST = timedelta(days=90)
MOST_LISTED = 20


class CreateFollowUp(Value):
    """Say `prompt` again in `in_m` minutes; `loop` names the work order it is about."""

    in_m: Annotated[int, Field(ge=1, le=int(FURTHEST.total_seconds()) // 60)]
    prompt: Annotated[
        str, StringConstraints(min_length=1, max_length=3_000, strip_whitespace=True), AfterValidator(check_visible)
    ]
    loop: Name | None = None


class CancelFollowUp(Value):
    """Do not say it again."""

    id: Annotated[str, StringConstraints(pattern=r"^fup_[0-9a-z]{26}$")]


class ListLoops(Value):
    """The work orders of this conversation, newest first; without a state the open ones."""

    state: LoopState | Literal["overdue"] | None = None
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = 10


class ShowLoop(Value):
    """One work order of this conversation."""

    id: Name


class AskInteraction(Value):
    """Ask people with a card, as `POST /v1/interactions` does; without `to` it is asked in this conversation."""

    to: JsonValue = None
    kind: str
    title: str
    body: str = ""
    recommendation: str = ""
    payload: dict[str, JsonValue]
    audience: dict[str, JsonValue] | None = None
    policy: dict[str, JsonValue] | None = None
    continuation: dict[str, JsonValue] | None = None

    def request(self, here: str) -> dict[str, Any]:
        """The body of the request, asked `here` when it says no place."""
        given = self.model_dump(mode="json", exclude_none=True)
        return {**given, "to": self.to if self.to is not None else here}


ToolArguments = CreateFollowUp | CancelFollowUp | ListLoops | ShowLoop | AskInteraction
