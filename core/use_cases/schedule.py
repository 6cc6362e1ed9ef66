"""When an interaction is looked at next because of time."""

from __future__ import annotations

from core.dues import DueKind
from core.nudging import next_nudge
from core.ports import Work
from core.records import Interaction


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
