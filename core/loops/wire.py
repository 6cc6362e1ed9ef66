"""A loop as the outside sees it: what was ordered, and everything known of it now."""

from __future__ import annotations

from typing import Any

from core.canonical import rfc3339
from core.loops.places import Conversation
from core.loops.values import Loop


def snapshot(loop: Loop, conversation: Conversation | None, url: str) -> dict[str, Any]:
    """The JSON of `GET /v1/loops/{name}`, of events and of webhooks. `id` is the public name."""
    return {
        "id": loop.name,
        "title": loop.title,
        "body": loop.body,
        "priority": loop.priority,
        "due": rfc3339(loop.due_at) if loop.due_at else None,
        "state": loop.state.value,
        "overdue": loop.overdue_at is not None,
        "sender": loop.sender.wire(),
        "sender_label": loop.sender_label,
        "to": loop.recipient,
        "conversation": conversation.wire() if conversation else {"id": loop.conversation},
        "parent": loop.parent,
        "alert": loop.from_alert,
        "digest": loop.digest(),
        "created_at": rfc3339(loop.created_at),
        "acknowledged": loop.acknowledged.wire() if loop.acknowledged else None,
        "claimed": loop.claimed.wire() if loop.claimed else None,
        "slots": [slot.wire() for slot in loop.slots],
        "nudges": {
            "sent": loop.nudges,
            "max": loop.reminders.max,
            "every": loop.reminders.every,
            "escalated_at": rfc3339(loop.escalated_at) if loop.escalated_at else None,
        },
        "outcome": loop.outcome.wire() if loop.outcome else None,
        "continuation": loop.continuation.model_dump(mode="json"),
        "url": url,
        "card": loop.card.wire() if loop.card else None,
    }
