"""The waking side of what is due. Each call is a transaction of its own."""

from __future__ import annotations

from datetime import datetime

from core.dues import EVERY_KIND, Due, DueKind
from core.errors import Raced
from core.store.queries import SqlRecords
from core.store.works import Works


class SqlDues:
    """`core.dues.Dues` on SQLite or PostgreSQL."""

    def __init__(self, works: Works, records: SqlRecords) -> None:
        self._works = works
        self._records = records

    async def claim(
        self, now: datetime, lease_until: datetime, limit: int, kinds: frozenset[DueKind] = EVERY_KIND
    ) -> tuple[Due, ...]:
        """Take rows of these kinds that are due and that nobody holds, longest due first."""
        if not await self._records.is_due_row(now, kinds):
            # The usual case, which waits for no writer.
            return ()
        try:
            return tuple(await self._works.run(lambda work: work.claim_dues(now, lease_until, limit, kinds)))
        except Raced:
            # Another one is at them in this moment.
            return ()

    async def next_due(self) -> datetime | None:
        """When the earliest row falls due; None: there is none."""
        return await self._records.next_due_row()
