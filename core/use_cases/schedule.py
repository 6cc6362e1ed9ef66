"""When an interaction is looked at next because of time."""

from __future__ import annotations

from datetime import datetime

from core.dues import DueKind
from core.nudging import Plan, plan
from core.ports import Work
from core.records import Interaction


def plan_of(interaction: Interaction) -> Plan:
    """The reminders of an interaction; none before its clock starts."""
    if interaction.started_at is None:
        return Plan((), None)
    return plan(interaction.policy, interaction.started_at, interaction.expires_at)


def next_nudge(interaction: Interaction) -> datetime | None:
    """When the plan wants something next; None: never, as things stand."""
    if not interaction.is_pending or interaction.dismissed_at is not None:
        return None
    reminding = interaction.reminding
    return plan_of(interaction).left(reminding.done_to, escalated=reminding.escalated_at is not None)


async def schedule(work: Work, before: Interaction | None, after: Interaction) -> None:
    """Keep the row of what is due in step with a change."""
    old = next_nudge(before) if before is not None else None
    new = next_nudge(after)
    if old != new:
        await work.set_due(DueKind.NUDGE, after.id, after.workspace, new)
    if after.is_pending:
        return
    for snooze in after.reminding.snoozes:
        await work.set_due(DueKind.SNOOZE, snooze_key(after.id, snooze.by.id or ""), after.workspace, None)


def snooze_key(interaction: str, person: str) -> str:
    """What the row of somebody's own reminder is about."""
    return f"{interaction}/{person}"
