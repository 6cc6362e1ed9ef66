"""How far an interaction's reminders have come, who asked to be left alone until when, and who handed it to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from core.canonical import rfc3339
from core.held import Queued
from core.people import By, Identity, Person, Value
from core.quiet import WorkingCalendar

LEFT_ALONE = "they are left alone now"
"""Why a reminder that was about to be sent waits."""


class Snooze(Value):
    """Somebody wants to hear of it again at `until`, and not before. `publication` is the copy they said so on; 0: the
    review page."""

    by: By
    until: datetime
    publication: int = 0


class Delegation(Value):
    """Somebody who may answer handed it to somebody else, who may answer since then. `to` is an answerer."""

    by: By
    to: str
    name: str
    at: datetime

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {"by": self.by.wire(), "to": self.to, "at": rfc3339(self.at)}


class Reminding(Value):
    """`done_to` is the moment of the plan up to which everything was done or let go; `sent` counts what went out."""

    done_to: datetime | None = None
    sent: int = 0
    escalated_at: datetime | None = None
    snoozes: tuple[Snooze, ...] = ()

    def snoozed_until(self, person: str) -> datetime | None:
        """Until when somebody wants to hear nothing of it; may be past."""
        return next((one.until for one in self.snoozes if one.by.id == person), None)


class ReminderState(StrEnum):
    """`owed`: to be sent. `sending`: a call may be on the wire. `sent`: it is there. `held`: it goes out with others in
    one message. `dropped`: it was not sent, or nobody knows; it never will be again. `over`: it says that the card is
    settled, or is gone."""

    OWED = "owed"
    SENDING = "sending"
    SENT = "sent"
    HELD = "held"
    DROPPED = "dropped"
    OVER = "over"


@dataclass(frozen=True)
class Reminder:
    """One reminder on one copy. `recipient` is whom it counts for: a person's id, or a conversation. `number` of `of`;
    0 of 0 is one that `person` asked for. `reason` says why it is held or dropped."""

    id: str
    workspace: str
    interaction: str
    publication: str
    recipient: str
    number: int
    of: int
    at: datetime
    state: ReminderState = ReminderState.OWED
    person: str | None = None
    reason: str | None = None
    channel: str | None = None
    message: str | None = None


@dataclass(frozen=True)
class LoopReminder:
    """One reminder of a work order. `recipient` is the id of the person whom it counts for."""

    id: str
    workspace: str
    loop: str
    recipient: str
    at: datetime
    state: ReminderState = ReminderState.OWED


def changed(reminder: Reminder, state: ReminderState, reason: str | None = None) -> Reminder:
    """The reminder in another state, and why."""
    return replace(reminder, state=state, reason=reason)


class ReminderWork(Protocol):
    """The part of `core.ports.Work` that is about reminders, and about when people want to be left alone."""

    async def add_reminder(self, reminder: Reminder) -> None:
        """Insert one."""

    async def save_reminder(self, reminder: Reminder) -> None:
        """Write one."""

    async def reminder(self, id: str) -> Reminder | None:
        """Load and lock one. Lock its interaction first."""

    async def reminders(self, interaction: str) -> tuple[Reminder, ...]:
        """All of an interaction, oldest first."""

    async def held_reminders(self, workspace: str, recipient: str) -> tuple[Reminder, ...]:
        """Those of cards that are to go out to a recipient with others in one message, oldest first."""

    async def add_loop_reminder(self, reminder: LoopReminder) -> None:
        """Insert one."""

    async def save_loop_reminder(self, reminder: LoopReminder) -> None:
        """Write one."""

    async def held_loop_reminders(self, workspace: str, recipient: str) -> tuple[LoopReminder, ...]:
        """Those of work orders that are to go out to a person with others in one message, oldest first."""

    async def held_loops(self, workspace: str, loops: Sequence[str]) -> dict[str, datetime]:
        """Of these work orders, those with a reminder that waits to go out with others in one message, and until when
        that waits."""

    async def reminded_at(self, workspace: str, recipient: str, since: datetime) -> tuple[datetime, ...]:
        """When reminders of cards and of work orders went or are to go out to a recipient by themselves, `since` then,
        oldest first. Nobody else counts them until the end."""

    async def calendar(self, workspace: str) -> WorkingCalendar | None:
        """When the workspace works; None: nobody said."""

    async def save_calendar(self, workspace: str, calendar: WorkingCalendar | None) -> None:
        """Write it."""

    async def queued_reminders(self, workspace: str, interactions: Sequence[str]) -> dict[str, Queued]:
        """What is known of the reminders of each of these interactions that wait."""

    async def people_named(self, workspace: str, handles: Sequence[str], users: Sequence[str]) -> tuple[Person, ...]:
        """Those with one of these handles, or with an account whose name is one of `users` anywhere."""

    async def profile_zones(self, workspace: str, identities: Sequence[Identity]) -> dict[Identity, str]:
        """The time zones that providers last said these are in, where they did."""

    async def profile_zone(self, workspace: str, identity: Identity) -> str | None:
        """The time zone that a provider last said somebody is in."""
