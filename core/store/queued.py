"""Which reminders of interactions wait, as statements shared by the work and the read side."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, select

from core.dues import DueKind
from core.held import Queued
from core.reminding import LEFT_ALONE, ReminderState
from core.store.named import Ask
from core.store.tables import dues, reminders


async def queued_of(ask: Ask, workspace: str, interactions: Sequence[str]) -> dict[str, Queued]:
    """What waits of each of them."""
    of_nudge = (dues.c.kind == DueKind.NUDGE.value, dues.c.subject.in_(interactions), dues.c.workspace == workspace)
    looked_at = {row.subject: row.due_at for row in await ask(select(dues.c.subject, dues.c.due_at).where(*of_nudge))}
    listed = and_(dues.c.kind == DueKind.HELD.value, dues.c.subject == reminders.c.recipient)
    waits = reminders.c.state.in_((ReminderState.HELD.value, ReminderState.OWED.value))
    table = reminders.c
    rows = await ask(
        select(table.interaction, table.state, table.reason, table.at, dues.c.due_at)
        .outerjoin(dues, listed)
        .where(table.interaction.in_(interactions), table.workspace == workspace, waits)
    )
    found = {}
    for id in interactions:
        own = [row for row in rows if row.interaction == id]
        lists = {row.due_at for row in own if row.state == ReminderState.HELD.value and row.due_at is not None}
        owed = [row for row in own if row.state == ReminderState.OWED.value and row.reason is not None]
        found[id] = Queued(
            looked_at=looked_at.get(id),
            lists=tuple(sorted(lists)),
            refused=any(row.reason != LEFT_ALONE for row in owed),
            put_off=tuple(sorted({row.at for row in owed if row.reason == LEFT_ALONE})),
        )
    return found
