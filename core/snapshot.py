"""An interaction as the outside sees it: everything asked, and everything known of it now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.canonical import rfc3339
from core.held import Held
from core.nudging import next_nudge, plan_of, unreachable
from core.progress import progress
from core.publications import Publication
from core.records import Interaction


def _reminders(interaction: Interaction, held: Sequence[Held]) -> dict[str, Any] | None:
    """How far the reminders have come; None where none are wanted. `unreachable` of them can never come."""
    if interaction.policy.nudges is None:
        return None
    next_at, escalated = next_nudge(interaction), interaction.reminding.escalated_at
    return {
        "sent": interaction.reminding.sent,
        "planned": len(plan_of(interaction).reminders),
        "unreachable": unreachable(interaction.policy),
        "next_at": rfc3339(next_at) if next_at else None,
        "escalated_at": rfc3339(escalated) if escalated else None,
        "waiting": [one.wire() for one in held],
    }


def snapshot(
    interaction: Interaction, publications: Sequence[Publication], review_url: str, held: Sequence[Held] = ()
) -> dict[str, Any]:
    """The JSON of `GET /v1/interactions/{id}`, of lists, of events and of webhooks. `held` are its reminders that
    wait."""
    content = interaction.content
    return {
        "id": interaction.id,
        "kind": content.kind.value,
        "status": interaction.status.value,
        "revision": interaction.revision,
        "digest": content.digest(),
        "to": list(interaction.to),
        "title": content.title,
        "body": content.body,
        "recommendation": content.recommendation,
        "payload": content.payload.model_dump(mode="json"),
        "audience": interaction.audience.model_dump(mode="json"),
        "policy": interaction.policy.wire(),
        "continuation": interaction.continuation.model_dump(mode="json"),
        "supersedes": interaction.supersedes,
        "supersede_key": interaction.supersede_key,
        "target": None,
        "creator": interaction.creator.wire(),
        "created_at": rfc3339(interaction.created_at),
        "expires_at": rfc3339(interaction.expires_at) if interaction.expires_at else None,
        "dismissed": interaction.dismissed_at is not None,
        "reminders": _reminders(interaction, held),
        "delegations": [one.wire() for one in interaction.delegations],
        "votes": [vote.wire() for vote in interaction.votes],
        "progress": progress(interaction),
        "review_url": review_url,
        "outcome": interaction.outcome.wire() if interaction.outcome else None,
        "publications": [publication.wire() for publication in publications],
    }
