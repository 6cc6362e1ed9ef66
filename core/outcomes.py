"""How a question stands and how it ended: its status, the votes on the way, and the outcome."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import JsonValue

from core.canonical import rfc3339
from core.people import By, Value, Via


class Status(StrEnum):
    """`pending`, then exactly one of the others."""

    PENDING = "pending"
    ANSWERED = "answered"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    WITHDRAWN = "withdrawn"
    SKIPPED = "skipped"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    UNDELIVERABLE = "undeliverable"


class Vote(Value):
    """One person's accept or reject while a quorum is not reached. `at` is when, `reason` only on a reject."""

    by: By
    via: Via
    accepted: bool
    at: datetime
    reason: str | None = None

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {
            "by": self.by.wire(),
            "via": self.via.value,
            "accepted": self.accepted,
            "at": rfc3339(self.at),
            "reason": self.reason,
        }


class Outcome(Value):
    """How it ended. `answer` by kind, `default` the policy's answer beside an expiry, `successor` the newer card.
    `edits` are what was changed in accepted tasks, by key: kept to know the same act again, not shown."""

    status: Status
    by: By
    via: Via
    at: datetime
    answer: dict[str, JsonValue] | None = None
    reason: str | None = None
    receipt: str
    default: dict[str, JsonValue] | None = None
    votes: tuple[Vote, ...] = ()
    successor: str | None = None
    edits: dict[str, dict[str, str | None]] | None = None

    def wire(self) -> dict[str, Any]:
        """As the API, events and webhooks show it."""
        return {
            "status": self.status.value,
            "by": self.by.wire(),
            "via": self.via.value,
            "at": rfc3339(self.at),
            "answer": self.answer,
            "reason": self.reason,
            "receipt": self.receipt,
            "default": self.default,
            "votes": [vote.wire() for vote in self.votes],
            "successor": self.successor,
        }
