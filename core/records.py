"""The record of one question: what was asked of whom, its status, progress and outcome."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import JsonValue

from core.audience import Audience
from core.content import Content
from core.kinds.checklist import Ticks
from core.kinds.connection import Connecting
from core.kinds.item_verdicts import Verdicts
from core.outcomes import Outcome, Status, Vote
from core.people import By, Value
from core.policy import Policy
from core.reminding import Delegation, Reminding

__all__ = ["Continuation", "Interaction", "Outcome", "Status", "Vote"]


class Continuation(Value):
    """Where the asker hears of it: a webhook address, and state echoed back untouched."""

    webhook: str | None = None
    state: JsonValue = None


class Interaction(Value):
    """One question. `version` counts every change (redraws follow it), `revision` only changes of content.

    `expires_at` is None until the clock starts, and `started_at` says when it did: first delivered, or asked.
    `undelivered_until` ends a question whose clock waits for a delivery that never comes. `ticks`, `verdicts` and
    `connecting` are the progress of their kinds, `reminding` that of its reminders. Of two with one creator and
    `sole_key`, only one is pending at a time.
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
    started_at: datetime | None = None
    votes: tuple[Vote, ...] = ()
    ticks: Ticks = ()
    verdicts: Verdicts = ()
    connecting: Connecting | None = None
    reminding: Reminding = Reminding()
    delegations: tuple[Delegation, ...] = ()
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

    def has_voted(self, person: str) -> bool:
        """Whether somebody has said what they think of it as it is now."""
        return any(vote.by.id == person for vote in self.votes)

    def verdict(self, votes: Sequence[Vote]) -> bool | None:
        """What these votes decide. True: enough accepted. False: enough rejected. None: not yet."""
        quorum = self.audience.quorum
        accepted = sum(vote.accepted for vote in votes)
        rejected = len(votes) - accepted
        if accepted >= quorum:
            return True
        needed = 1 if self.policy.reject == "any" else quorum
        return False if rejected >= needed else None
