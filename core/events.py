"""What the asker hears: one event id over webhook, long poll, list and stream."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from core.canonical import rfc3339
from core.people import Value
from core.records import Status

WEBHOOK_TYPES = frozenset(
    {f"interaction.{status.value}" for status in Status if status is not Status.PENDING}
    | {"interaction.progressed", "interaction.commented"}
)
"""The event types a webhook carries; the list and the stream carry all."""

CREATED = "interaction.created"
REPLIED = "interaction.replied"


class Event(Value):
    """`position` orders the events of one workspace by commit: none appears before one already handed out."""

    id: str
    workspace: str
    position: int
    type: str
    at: datetime
    interaction: str
    data: dict[str, Any]

    def wire(self) -> dict[str, Any]:
        """As list, stream and webhook show it; the webhook sends the last three."""
        return {"id": self.id, "type": self.type, "timestamp": rfc3339(self.at), "data": self.data}
