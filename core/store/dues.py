"""The waking side of what is due. Each call is a transaction of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime

from core.dues import Due
from core.errors import Raced
from core.store.queries import SqlRecords
from core.store.work import SqlWork


class SqlDues:
    """`core.dues.Dues` on SQLite or PostgreSQL."""

    def __init__(self, work: Callable[[], AbstractAsyncContextManager[SqlWork]], records: SqlRecords) -> None:
        self._work = work
        self._records = records

    async def claim(self, now: datetime, lease_until: datetime, limit: int) -> tuple[Due, ...]:
        """Take rows that are due and that nobody holds, longest due first."""
        first = await self._records.next_due_row()
        if first is None or first > now:
            # The usual case, which waits for no writer.
            return ()
        try:
            async with self._work() as work:
                claimed = tuple(await work.claim_dues(now, lease_until, limit))
                await work.commit()
                return claimed
        except Raced:
            # Another one is at them in this moment.
            return ()

    async def next_due(self) -> datetime | None:
        """When the earliest row falls due; None: there is none."""
        return await self._records.next_due_row()
