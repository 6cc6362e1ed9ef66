"""How a loop stands and how it ended: its state, the marks on the way, and the outcome."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from core.canonical import rfc3339
from core.people import By, Value, Via
from core.sentences.values import Status as ResultStatus


class LoopState(StrEnum):
    """Open ones first. `overdue` is a mark beside them."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    CLAIMED = "claimed"
    RUNNING = "running"
    CLOSED = "closed"
    DECLINED = "declined"
    NO_ACTION = "no_action"


ENDED = frozenset({LoopState.CLOSED, LoopState.DECLINED, LoopState.NO_ACTION})
OPEN_STATES = tuple(state for state in LoopState if state not in ENDED)


class Mark(Value):
    """That somebody did something: who, through what, when, and the receipt of it."""

    by: By
    via: Via
    at: datetime
    receipt: str

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {"by": self.by.wire(), "via": self.via.value, "at": rfc3339(self.at), "receipt": self.receipt}


class LoopOutcome(Value):
    """How it ended. `result` and `summary` are of a result, `reason` of a refusal or of no action."""

    status: LoopState
    by: By
    via: Via
    at: datetime
    receipt: str
    result: ResultStatus | None = None
    summary: str | None = None
    reason: str | None = None

    def wire(self) -> dict[str, Any]:
        """As the API, events and webhooks show it."""
        return {
            "status": self.status.value,
            "by": self.by.wire(),
            "via": self.via.value,
            "at": rfc3339(self.at),
            "receipt": self.receipt,
            "result": self.result.value if self.result else None,
            "summary": self.summary,
            "reason": self.reason,
        }
