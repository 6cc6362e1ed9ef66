"""The record of one question: what was asked of whom, its status, votes and outcome."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import JsonValue

from core.audience import Audience
from core.canonical import rfc3339
from core.content import Content
from core.kinds.checklist import Ticks
from core.kinds.connection import Connecting
from core.kinds.item_verdicts import Verdicts
from core.people import By, Value, Via
from core.policy import Policy


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
    """How it ended. `answer` by kind, `default` the policy's answer beside an expiry, `successor` the newer card."""

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


class Continuation(Value):
    """Where the asker hears of it: a webhook address, and state echoed back untouched."""

    webhook: str | None = None
    state: JsonValue = None


class Interaction(Value):
    """One question. `version` counts every change (redraws follow it), `revision` only changes of content.

    `expires_at` is None until the clock starts. `undelivered_until` ends a question whose clock waits for a
    delivery that never comes. `ticks`, `verdicts` and `connecting` are the progress of their kinds. Of two with one
    creator and `sole_key`, only one is pending at a time.
    """

    id: str
    workspace: str
    content: Content
    audience: Audience
    policy: Policy
    continuation: Continuation
    to: tuple[str, ...]
    creator: By
    created_at: datetime
    status: Status = Status.PENDING
    revision: int = 1
    version: int = 1
    expires_at: datetime | None = None
    undelivered_until: datetime | None = None
    dismissed_at: datetime | None = None
    votes: tuple[Vote, ...] = ()
    ticks: Ticks = ()
    verdicts: Verdicts = ()
    connecting: Connecting | None = None
    outcome: Outcome | None = None
    supersedes: str | None = None
    supersede_key: str | None = None
    sole_key: str | None = None
    fallbacks_used: int = 0

    @property
    def is_pending(self) -> bool:
        """Whether it may still settle."""
        return self.status is Status.PENDING

    @property
    def due_at(self) -> datetime | None:
        """When the timer settles it, as things stand; None: never."""
        return self.expires_at or self.undelivered_until

    def is_due(self, now: datetime) -> bool:
        """Whether its time to answer is over."""
        return self.is_pending and self.due_at is not None and self.due_at <= now

    def verdict(self, votes: Sequence[Vote]) -> bool | None:
        """What these votes decide. True: enough accepted. False: enough rejected. None: not yet."""
        quorum = self.audience.quorum
        accepted = sum(vote.accepted for vote in votes)
        rejected = len(votes) - accepted
        if accepted >= quorum:
            return True
        needed = 1 if self.policy.reject == "any" else quorum
        return False if rejected >= needed else None
