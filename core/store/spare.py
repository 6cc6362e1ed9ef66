"""The connections that transactions at PostgreSQL are made on. They are kept between two of them: to take one out of
SQLAlchemy's pool and to put it back may block, so it takes a thread each time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import psycopg
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from core.store.engine import has_ended
from core.store.races import races
from core.store.running import wire_of
from core.store.threads import Threads, whole


class Spare:
    """Those that nobody uses now. No more are made than are used at once."""

    def __init__(self, engine: Engine, threads: Threads) -> None:
        self._engine = engine
        self._threads = threads
        self._kept: list[Connection] = []
        self._closed = False

    async def take(self) -> Connection:
        """One to use, which the server has not ended. The one used last comes first. Raises
        `Away`."""
        while self._kept:
            connection = self._kept.pop()
            if not has_ended(wire_of(connection).driver):
                return connection
            await self._threads.run(_end, connection)
        with races():
            return await self._threads.run(self._engine.connect)

    async def give_back(self, connection: Connection) -> None:
        """It is used no more. What was not committed is rolled back."""
        if self._closed:
            _end(connection)  # the threads take nothing more, and the server rolls back
            return
        if not _is_broken(connection) and not _is_idle(connection):
            await self._threads.run(_roll_back, connection)
        if _is_broken(connection):
            await self._threads.run(_end, connection)
        else:
            self._kept.append(connection)

    @contextlib.asynccontextmanager
    async def lent(self) -> AsyncIterator[Connection]:
        """One to use until the block is left, also for those who are cancelled anywhere."""
        taking = asyncio.ensure_future(self.take())
        try:
            yield await whole(taking)
        finally:
            if not taking.cancelled() and taking.exception() is None:
                await whole(asyncio.ensure_future(self.give_back(taking.result())))

    def close(self) -> None:
        """Keep none any more. Those in use are closed when they are given back."""
        self._closed = True
        while self._kept:
            _end(self._kept.pop())


def _is_broken(connection: Connection) -> bool:
    """Asked before anything else: SQLAlchemy would connect anew for whoever asks it of one that is broken."""
    return connection.invalidated or wire_of(connection).closed


def _is_idle(connection: Connection) -> bool:
    """Whether neither SQLAlchemy nor the server is in a transaction. The one knows nothing of what went around it."""
    return not connection.in_transaction() and not wire_of(connection).in_transaction


def _roll_back(connection: Connection) -> None:
    try:
        connection.rollback()
        wire_of(connection).driver.rollback()
    except (SQLAlchemyError, psycopg.Error):
        # The server is gone, or says what it should not. It rolls back whatever it is told no more of.
        connection.invalidate()


def _end(connection: Connection) -> None:
    if not connection.invalidated:
        connection.invalidate()
    connection.close()
