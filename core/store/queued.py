"""Which reminders of an interaction wait, as statements shared by the work and the read side."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from sqlalchemy import Executable, Row, and_, select

from core.dues import DueKind
from core.held import Queued
from core.reminding import LEFT_ALONE, ReminderState
from core.store.tables import dues, reminders


async def queued_of(
    ask: Callable[[Executable], Awaitable[Sequence[Row[Any]]]], workspace: str, interaction: str
) -> Queued:
    """What waits; `ask` returns the rows of a statement."""
    of_nudge = (dues.c.kind == DueKind.NUDGE.value, dues.c.subject == interaction, dues.c.workspace == workspace)
    looked_at = await ask(select(dues.c.due_at).where(*of_nudge))
    listed = and_(dues.c.kind == DueKind.HELD.value, dues.c.subject == reminders.c.recipient)
    waits = reminders.c.state.in_((ReminderState.HELD.value, ReminderState.OWED.value))
    rows = await ask(
        select(reminders.c.state, reminders.c.reason, reminders.c.at, dues.c.due_at)
        .outerjoin(dues, listed)
        .where(reminders.c.interaction == interaction, reminders.c.workspace == workspace, waits)
    )
    lists = {row.due_at for row in rows if row.state == ReminderState.HELD.value and row.due_at is not None}
    owed = [row for row in rows if row.state == ReminderState.OWED.value and row.reason is not None]
    refused = any(row.reason != LEFT_ALONE for row in owed)
    put_off = {row.at for row in owed if row.reason == LEFT_ALONE}
    return Queued(looked_at[0].due_at if looked_at else None, tuple(sorted(lists)), refused, tuple(sorted(put_off)))
