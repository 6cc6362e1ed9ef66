"""Hearing what other processes commit on PostgreSQL. Only a hint: whoever waits also looks by itself now and then."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Container
from typing import Any, Final

import psycopg
from psycopg.conninfo import make_conninfo

from core.ports import Committed
from core.store.engine import alive, parse_url
from core.store.telling import CHANNEL, read_notice

PAUSE: Final = 1.0
"""Seconds before a lost connection is made anew."""
SILENCE: Final = 10.0
"""Seconds without a word after which the server is asked whether it is there, and seconds that it has to answer. A
connection on which nothing is ever said may be dead on the way for hours, and neither end is told."""


async def notices(url: str, own: Container[int] = (), silence: float = SILENCE) -> AsyncGenerator[Committed, None]:
    """Yield what each process commits, but for what `own` backends did: that was told when it was committed. Ends at
    once on SQLite, which tells nobody.

    Whenever the connection is new, notices may have been lost, and `Committed(missed=True)` says so.
    """
    address = parse_url(url)
    if address.get_backend_name() != "postgresql":
        return
    plain = alive(address).set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(
                make_conninfo(plain, application_name="sayso notices"), autocommit=True
            )
            try:
                await connection.execute(f"LISTEN {CHANNEL}")
                yield Committed(missed=True)
                async with contextlib.aclosing(_heard(connection, own, silence)) as heard:
                    async for payload in heard:
                        yield read_notice(payload)
            finally:
                # Not as a context: that would say goodbye first to a server that may not listen any more.
                await connection.close()
        except psycopg.Error:
            await asyncio.sleep(PAUSE)


async def _heard(
    connection: psycopg.AsyncConnection[Any], own: Container[int], silence: float
) -> AsyncGenerator[str, None]:
    """What is told on a connection that does nothing else. The driver's own generator takes as long for each as the
    transaction that it is about takes for a statement or two. Raises `psycopg.OperationalError` once the server is gone
    or does not answer."""
    loop, told, server = asyncio.get_running_loop(), asyncio.Event(), connection.pgconn
    told.set()  # something may have been told while it was made
    is_asked = False
    socket = connection.fileno()
    loop.add_reader(socket, told.set)
    try:
        while True:
            if not await _within(told, silence):
                if is_asked:
                    raise psycopg.OperationalError(f"the server did not answer for {silence} seconds")
                server.send_query(b"SELECT 1")
                server.flush()
                is_asked = True
                continue
            told.clear()
            server.consume_input()
            while (heard := server.notifies()) is not None:
                if heard.be_pid not in own:
                    yield heard.extra.decode()
            while is_asked and not server.is_busy():
                is_asked = server.get_result() is not None
    finally:
        # By now the driver may have closed it and know its number no more. A number that the loop went on looking at
        # would tell whoever gets it next nothing.
        loop.remove_reader(socket)


async def _within(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, so many `seconds` at most; whether it came."""
    if event.is_set():
        return True
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
