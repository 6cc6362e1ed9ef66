"""The relay's side of what is owed. Each call is a transaction of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.errors import Raced
from core.outbox import Claimed, Lane
from core.store.queries import SqlRecords
from core.store.works import Works


class SqlOutbox:
    """`core.ports.Outbox` on SQLite or PostgreSQL."""

    def __init__(self, works: Works, records: SqlRecords) -> None:
        self._works = works
        self._records = records

    async def claim(
        self, lanes: Sequence[Lane], now: datetime, lease_until: datetime, owner: str, limit: int
    ) -> Sequence[Claimed]:
        """Take due deliveries, as `core.store.claims.claim_statement` says, in the order in which they were owed."""
        try:
            return await self._works.run(lambda work: work.claim(lanes, now, lease_until, owner, limit))
        except Raced:
            # Another worker was first, so there is nothing to take in this moment.
            return ()

    async def next_due(self, lanes: Sequence[Lane]) -> datetime | None:
        """When the next delivery of these lanes falls due or its lease lapses; None: nothing is owed."""
        return await self._records.next_due(lanes)
