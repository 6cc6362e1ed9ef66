"""An open database and its doors: `work` to write, `outbox` and `dues` to claim from, `records` to read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine

from core.errors import Raced
from core.ports import Committed, Wake
from core.signing import Signer
from core.store.dues import SqlDues
from core.store.engine import BUSY_SECONDS, reading
from core.store.outbox import SqlOutbox
from core.store.queries import SqlRecords
from core.store.work import SqlWork


def _wakes_nobody(_change: Committed) -> None:
    """For a process in which nobody waits."""


class Store:
    """`wake` is called after each commit made here; commits of other processes come through `notices`. `signer` signs
    the receipts that are written here; without one they are not signed."""

    def __init__(self, engine: AsyncEngine, wake: Wake = _wakes_nobody, signer: Signer | None = None) -> None:
        self.engine = engine
        self.records = SqlRecords(reading(engine))
        self.outbox = SqlOutbox(self.work, self.records)
        self.dues = SqlDues(self.work, self.records)
        self._wake = wake
        self._signer = signer
        # SQLite has one writer at a time. Those of this process take turns in order of arrival, because the file's
        # own lock is polled and would let some of them starve.
        self._turns = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @asynccontextmanager
    async def work(self) -> AsyncIterator[SqlWork]:
        """Open a transaction: a `core.ports.WorkFactory`. What was not committed when it is left is rolled back."""
        if self._turns is None:
            async with self.engine.connect() as connection:
                yield SqlWork(connection, self._wake, self._signer)
            return
        try:
            async with asyncio.timeout(BUSY_SECONDS):
                await self._turns.acquire()
        except TimeoutError:
            raise Raced(f"others have been writing for {BUSY_SECONDS} seconds") from None
        try:
            async with self.engine.connect() as connection:
                yield SqlWork(connection, self._wake, self._signer)
        finally:
            self._turns.release()

    async def close(self) -> None:
        """Close every connection."""
        await self.engine.dispose()
