"""Everything that counts from moments which a clock that went back has before it again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Column, Table, delete, func, or_, select, update

from core.dues import Due, DueKind
from core.nudging import CAP_SPAN
from core.outbox import LONGEST_GAP, Lane
from core.restoring import LEASE
from core.store.tables import WAITING, drafts, dues, inbox, leases, loop_reminders, outbox, paces, reminders
from core.store.transaction import Transaction
from core.store.work.dues import due_of
from core.turned_back import LONGEST_CLAIM

LONGEST_JITTER: Final = 1.5
"""By how much the gap before another try may be stretched."""

LONGEST_TURN: Final = timedelta(minutes=1)
"""How far ahead turns are taken in the usual course."""


class TurnedBackWork(Transaction):
    """Bring moments near."""

    async def draw_near(self, now: datetime) -> None:
        for lane in Lane:
            # A reminder that waits for people to wake finds that out again.
            furthest = now if lane is Lane.NUDGE else now + LONGEST_GAP[lane] * LONGEST_JITTER
            late = (outbox.c.lane == lane.value, outbox.c.state == WAITING, outbox.c.due_at > furthest)
            await self._run(update(outbox).where(*late).values(due_at=now))
        if self._on_postgres:
            # Turns are counted by the database's own clock. Where they are taken again too soon, the provider says so.
            await self._run(delete(paces).where(paces.c.free_at > func.clock_timestamp() + LONGEST_TURN))
        claimed = now + LONGEST_CLAIM
        for table in (outbox, dues, inbox):
            await self._lower(table, table.c.lease_until, claimed)
        held = or_(leases.c.name == LEASE, leases.c.until <= claimed)
        await self._run(update(leases).where(~held).values(until=claimed))
        for table in (reminders, loop_reminders):
            await self._lower(table, table.c.at, now)
        await self._lower(drafts, drafts.c.updated_at, now)
        lists = (dues.c.kind == DueKind.HELD.value, dues.c.due_at > now + CAP_SPAN)
        await self._run(update(dues).where(*lists).values(due_at=now + CAP_SPAN, generation=dues.c.generation + 1))

    async def dues_after(self, kind: DueKind, subject: str, limit: int) -> Sequence[Due]:
        which = (dues.c.kind == kind.value, dues.c.subject > subject)
        return [
            due_of(row) for row in await self._all(select(dues).where(*which).order_by(dues.c.subject).limit(limit))
        ]

    async def _lower(self, table: Table, column: Column[datetime], to: datetime) -> None:
        await self._run(update(table).where(column > to).values({column: to}))
