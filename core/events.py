"""What the asker hears: one event id over webhook, long poll, list and stream."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from core.canonical import rfc3339
from core.people import Value
from core.records import Status


class EventType(StrEnum):
    """What happened. Every way to settle has its own."""

    CREATED = "interaction.created"
    PATCHED = "interaction.patched"
    PROGRESSED = "interaction.progressed"
    COMMENTED = "interaction.commented"
    DISMISSED = "interaction.dismissed"
    REOPENED = "interaction.reopened"
    REPLIED = "interaction.replied"
    NUDGED = "interaction.nudged"
    ESCALATED = "interaction.escalated"
    RESTORED = "interaction.restored"
    ANSWERED = "interaction.answered"
    ACCEPTED = "interaction.accepted"
    REJECTED = "interaction.rejected"
    COMPLETED = "interaction.completed"
    CANCELLED = "interaction.cancelled"
    WITHDRAWN = "interaction.withdrawn"
    SKIPPED = "interaction.skipped"
    EXPIRED = "interaction.expired"
    SUPERSEDED = "interaction.superseded"
    UNDELIVERABLE = "interaction.undeliverable"


class LoopEventType(StrEnum):
    """What happened to a work order, was said where it is talked about, or was raised as an alert."""

    OPENED = "loop.opened"
    ACKNOWLEDGED = "loop.acknowledged"
    CLAIMED = "loop.claimed"
    RUNNING = "loop.running"
    CLOSED = "loop.closed"
    DECLINED = "loop.declined"
    NO_ACTION = "loop.no_action"
    PROGRESSED = "loop.progressed"
    NUDGED = "loop.nudged"
    OVERDUE = "loop.overdue"
    ESCALATED = "loop.escalated"
    RESTORED = "loop.restored"
    FOLLOWUP = "loop.followup"
    MESSAGE = "loop.message"
    ALERT = "alert.raised"


def settled_as(status: Status) -> EventType:
    """The event of settling with this status."""
    return EventType(f"interaction.{status.value}")


WEBHOOK_TYPES = frozenset(
    {settled_as(status) for status in Status if status is not Status.PENDING}
    | {EventType.PROGRESSED, EventType.COMMENTED}
)
"""The event types a webhook carries; the list and the stream carry all."""
LOOP_WEBHOOK_TYPES = frozenset(
    set(LoopEventType) - {LoopEventType.OPENED, LoopEventType.NUDGED, LoopEventType.RESTORED}
)
"""The same of work orders."""


class Event(Value):
    """`position` orders the events of one workspace by commit: none appears before one already handed out.

    It is about an `interaction`, a `loop` (its internal id) or an `alert`."""

    id: str
    workspace: str
    position: int
    type: EventType | LoopEventType
    at: datetime
    interaction: str | None = None
    loop: str | None = None
    alert: str | None = None
    data: dict[str, Any]

    def wire(self) -> dict[str, Any]:
        """As list, stream and webhook show it; the webhook sends the last three."""
        return {"id": self.id, "type": self.type.value, "timestamp": rfc3339(self.at), "data": self.data}
