"""A work order from one party to another, its state, its slots and how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from core.addresses import ChatAddress, Provider
from core.canonical import digest, rfc3339
from core.durations import parse_duration
from core.loops.outcomes import ENDED, LoopOutcome, LoopState, Mark
from core.people import By, Value
from core.policy import Duration
from core.publications import PublicationState
from core.records import Continuation
from core.sentences.values import Status as ResultStatus

LONGEST_TITLE = 240
LONGEST_BODY = 20_000
LONGEST_WORDS = 20_000
"""Characters of a result's summary, or of a reason."""
MOST_SLOTS = 100
HIGHEST_SLOT = 999_999_999
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Title = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TITLE, strip_whitespace=True)]
Body = Annotated[str, StringConstraints(max_length=LONGEST_BODY)]
Priority = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
USUAL_EVERY = "15m"
USUAL_MOST = 3


def _is_none(value: Mark | None) -> bool:
    """What is not there is not kept, so that an older service reads what a newer one wrote."""
    return value is None


class Verb(StrEnum):
    """What can be done to a loop."""

    ACK = "ack"
    CLAIM = "claim"
    START = "start"
    RESULT = "result"
    DECLINE = "decline"
    NO_ACTION = "no_action"
    TRACK = "track"
    OVERDUE = "overdue"
    NUDGE = "nudge"
    ESCALATE = "escalate"


class Slot(Value):
    """One share of the work. `task` is what was said of it, `done` its end: a result, or that nothing was needed.
    `freed`: who said last that they will not do it."""

    number: Annotated[int, Field(ge=0, le=HIGHEST_SLOT)]
    task: str = ""
    claimed: Mark | None = None
    done: Mark | None = None
    status: ResultStatus | None = None
    summary: str | None = None
    freed: Annotated[Mark | None, Field(exclude_if=_is_none)] = None

    def says(self, status: ResultStatus | None, summary: str | None, by: By) -> bool:
        """Whether this one ended it with just this."""
        same_words = (self.status, self.summary) == (status, summary)
        return self.done is not None and self.done.by.is_same(by) and same_words

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        state = "done" if self.done else "claimed" if self.claimed else "open"
        return {
            "slot": self.number,
            "state": state,
            "task": self.task or None,
            "claimed": self.claimed.wire() if self.claimed else None,
            "status": self.status.value if self.status else None,
            "summary": self.summary,
            "done": self.done.wire() if self.done else None,
        }


class Reminders(Value):
    """How a loop reminds: the first gap, and how many at most; 0 is none."""

    every: Duration = USUAL_EVERY
    max: Annotated[int, Field(ge=0, le=50)] = USUAL_MOST


class LoopCopy(Value):
    """The one message that shows a loop. `place` is where it was addressed, `channel` where it is; `reply_to` is the
    message it hangs under where a chat has no threads. `posts` counts tries whose answer was lost."""

    provider: Provider
    account: str
    place: str
    thread: str | None = None
    reply_to: str | None = None
    channel: str | None = None
    message: str | None = None
    state: PublicationState = PublicationState.QUEUED
    reason: str | None = None
    attempt_at: datetime | None = None
    posts: int = 0
    shown_version: int | None = None

    @property
    def where(self) -> str:
        """The conversation it lives in, without its thread: `slack:T1.C1`."""
        return str(ChatAddress(self.provider, self.account, self.channel or self.place))

    @property
    def is_private(self) -> bool:
        """Whether one person alone sees it."""
        return ChatAddress(self.provider, self.account, self.channel or self.place).is_private

    def wire(self) -> dict[str, Any]:
        """As the API shows it. A call on the wire is still owed, so `sending` reads `queued`."""
        state = PublicationState.QUEUED if self.state is PublicationState.SENDING else self.state
        return {
            "provider": self.provider.value,
            "account": self.account,
            "channel": self.channel or self.place,
            "thread": self.thread,
            "message": self.message,
            "state": state.value,
            "reason": self.reason,
        }


class Loop(Value):
    """One work order. `name` is its public id, unique in the workspace; `id` is ours.

    `sender_label` is what a text claimed in `[from …]`: display, never identity. `recipient` is the address as asked:
    a conversation, `person:<handle>` or `agent:<name>`. `parent` is the name of the loop that it is a part of, or that
    it was dispatched again for; `from_alert` the alert it answers. `version` counts every change.
    """

    id: str
    workspace: str
    name: Name
    conversation: str
    title: Title
    body: Body = ""
    priority: Priority | None = None
    due_at: datetime | None = None
    sender: By
    sender_label: str | None = None
    recipient: str
    reminders: Reminders = Reminders()
    continuation: Continuation = Continuation()
    parent: str | None = None
    from_alert: str | None = None
    created_at: datetime
    state: LoopState = LoopState.OPEN
    version: int = 1
    slots: tuple[Slot, ...] = ()
    acknowledged: Mark | None = None
    claimed: Mark | None = None
    started: Mark | None = None
    overdue_at: datetime | None = None
    nudges: int = 0
    nudged_at: datetime | None = None
    escalated_at: datetime | None = None
    outcome: LoopOutcome | None = None
    card: LoopCopy | None = None

    @property
    def is_open(self) -> bool:
        """Whether it still waits for its end."""
        return self.state not in ENDED

    @property
    def first_gap(self) -> timedelta:
        """How long after the first moment the next reminder is."""
        return parse_duration(self.reminders.every)

    def slot(self, number: int) -> Slot | None:
        """One share of the work."""
        return next((one for one in self.slots if one.number == number), None)

    @property
    def free_slots(self) -> tuple[Slot, ...]:
        """The shares that nobody has."""
        return tuple(one for one in self.slots if one.claimed is None and one.done is None)

    def slot_said(self, number: int | None, status: ResultStatus | None, summary: str, by: By) -> Slot | None:
        """The share, `number` if one is named, that this one ended with just this."""
        named = (one for one in self.slots if number in (None, one.number))
        return next((one for one in named if one.says(status, summary, by)), None)

    def with_slot(self, slot: Slot) -> tuple[Slot, ...]:
        """The slots with this one in the place of its namesake, or at its place in order."""
        others = [one for one in self.slots if one.number != slot.number]
        return tuple(sorted([*others, slot], key=lambda one: one.number))

    def digest(self) -> str:
        """The sha256 of what was ordered, which never changes."""
        return digest(
            {
                "name": self.name,
                "title": self.title,
                "body": self.body,
                "priority": self.priority,
                "due_at": rfc3339(self.due_at) if self.due_at else None,
                "sender": dict(self.sender.wire()),
                "recipient": self.recipient,
            }
        )


def claimers(slots: Iterable[Slot]) -> tuple[By, ...]:
    """Who has a share of the work that is not done."""
    return tuple(one.claimed.by for one in slots if one.claimed and not one.done)
