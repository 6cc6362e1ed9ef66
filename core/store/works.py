"""Transactions: where they are opened, how many there are at once, and where they run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy.engine import Connection, Engine

from core.errors import Raced
from core.ports import Committed, Wake
from core.signing import Signer
from core.store.engine import BUSY_SECONDS, WRITERS
from core.store.races import races
from core.store.running import Calls
from core.store.spare import Spare
from core.store.threads import Driven, OneByOne, Threads, begin, finish, whole
from core.store.work import SqlWork
from core.vault import Vault

T = TypeVar("T")


class Works:
    """Opens transactions: a `core.ports.WorkFactory`."""

    def __init__(self, engine: Engine, wake: Wake, signer: Signer | None, vault: Vault) -> None:
        self._engine = engine
        self._wake = wake
        self._signer = signer
        self._vault = vault
        # SQLite has one writer at a time. Those of this process take turns in order of arrival, because the file's
        # own lock is polled and would let some of them starve.
        self._on_sqlite = engine.dialect.name == "sqlite"
        writers = 1 if self._on_sqlite else WRITERS
        self._turns = asyncio.Semaphore(writers)
        # As many threads as may have a turn: one who holds a lock never waits for a thread.
        self._threads = Threads(writers, "sayso-writes")
        self._spare = Spare(engine, self._threads)

    async def run(self, inner: Callable[[SqlWork], Awaitable[T]]) -> T:
        """Run `inner` whole, and commit. It may wait for nothing but its work: on SQLite it runs in a thread, on
        PostgreSQL on the loop until it asks what blocks, and then in a thread too."""
        changes: list[Committed] = []
        run = self._in_thread if self._on_sqlite else self._on_loop
        try:
            async with self._turn():
                return await run(inner, changes.append)
        finally:
            for change in changes:
                self._wake(change)

    async def _in_thread(self, inner: Callable[[SqlWork], Awaitable[T]], wake: Wake) -> T:
        return await self._threads.run(self._whole, inner, wake)

    def _whole(self, inner: Callable[[SqlWork], Awaitable[T]], wake: Wake) -> T:
        with races(), self._engine.connect() as connection:
            return finish(_committed(self._work(connection, wake, Driven()), inner))

    async def _on_loop(self, inner: Callable[[SqlWork], Awaitable[T]], wake: Wake) -> T:
        # In a task of its own: whoever is cancelled waits for its end, as somebody may hear of it already.
        return await whole(asyncio.ensure_future(self._begun(inner, wake)))

    async def _begun(self, inner: Callable[[SqlWork], Awaitable[T]], wake: Wake) -> T:
        connection = await self._spare.take()
        try:
            return await begin(_committed(self._work(connection, wake, Driven()), inner), self._threads)
        finally:
            await self._spare.give_back(connection)

    def _work(self, connection: Connection, wake: Wake, calls: Calls) -> SqlWork:
        return SqlWork(connection, wake, calls, self._vault, self._signer)

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[SqlWork]:
        """Open a transaction for whoever has other things to wait for: whatever blocks runs in a thread. What was not
        committed when it is left is rolled back."""
        lent = self._lent_on_sqlite if self._on_sqlite else self._spare.lent
        async with self._turn(), lent() as connection:
            yield self._work(connection, self._wake, OneByOne(self._threads))

    @asynccontextmanager
    async def _lent_on_sqlite(self) -> AsyncIterator[Connection]:
        opened: list[Connection] = []
        try:
            with races():
                await self._threads.run(lambda: opened.append(self._engine.connect()))
            yield opened[0]
        finally:
            for connection in opened:
                await self._threads.run(connection.close)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        try:
            # A timer is set only for those who wait.
            async with asyncio.timeout(BUSY_SECONDS if self._turns.locked() else None):
                await self._turns.acquire()
        except TimeoutError:
            raise Raced(f"others have been writing for {BUSY_SECONDS} seconds") from None
        try:
            yield
        finally:
            self._turns.release()

    def close(self) -> None:
        """End its threads, and close what it has open."""
        self._spare.close()
        self._threads.close()


async def _committed(work: SqlWork, inner: Callable[[SqlWork], Awaitable[T]]) -> T:
    result = await inner(work)
    await work.commit()
    return result
