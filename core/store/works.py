"""Transactions: where they are opened, how many there are at once, and in which threads they run."""

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
from core.store.threads import Threads, finish, here
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
        writers = 1 if engine.dialect.name == "sqlite" else WRITERS
        self._turns = asyncio.Semaphore(writers)
        # As many threads as may have a turn: one who holds a lock never waits for a thread.
        self._threads = Threads(writers, "sayso-writes")

    async def run(self, inner: Callable[[SqlWork], Awaitable[T]]) -> T:
        """Run `inner` whole in one thread, and commit. It may wait for nothing but its work."""
        changes: list[Committed] = []
        try:
            async with self._turn():
                return await self._threads.run(self._whole, inner, changes.append)
        finally:
            for change in changes:
                self._wake(change)

    def _whole(self, inner: Callable[[SqlWork], Awaitable[T]], wake: Wake) -> T:
        with races(), self._engine.connect() as connection:
            return finish(_committed(SqlWork(connection, wake, here, self._vault, self._signer), inner))

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[SqlWork]:
        """Open a transaction, of which each statement runs in a thread. What was not committed when it is left is
        rolled back."""
        opened: list[Connection] = []
        async with self._turn():
            try:
                with races():
                    await self._threads.run(lambda: opened.append(self._engine.connect()))
                yield SqlWork(opened[0], self._wake, self._threads.run, self._vault, self._signer)
            finally:
                for connection in opened:
                    await self._threads.run(connection.close)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(BUSY_SECONDS):
                await self._turns.acquire()
        except TimeoutError:
            raise Raced(f"others have been writing for {BUSY_SECONDS} seconds") from None
        try:
            yield
        finally:
            self._turns.release()

    def close(self) -> None:
        """End its threads."""
        self._threads.close()


async def _committed(work: SqlWork, inner: Callable[[SqlWork], Awaitable[T]]) -> T:
    result = await inner(work)
    await work.commit()
    return result
