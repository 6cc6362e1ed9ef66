"""Hearing what other processes commit on PostgreSQL. Only a hint: whoever waits also looks by itself now and then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Container
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from core.ports import Committed
from core.store.engine import parse_url
from core.store.telling import CHANNEL, read_notice

PAUSE = 1.0
"""Seconds before a lost connection is made anew."""


async def notices(url: str, own: Container[int] = ()) -> AsyncGenerator[Committed, None]:
    """Yield what each process commits, but for what `own` backends did: that was told when it was committed. Ends at
    once on SQLite, which tells nobody.

    Whenever the connection is new, notices may have been lost, and `Committed(missed=True)` says so.
    """
    address = parse_url(url)
    if address.get_backend_name() != "postgresql":
        return
    plain = address.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                make_conninfo(plain, application_name="sayso notices"), autocommit=True
            ) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                yield Committed(missed=True)
                async for payload in _heard(connection, own):
                    yield read_notice(payload)
        except psycopg.Error:
            await asyncio.sleep(PAUSE)


async def _heard(connection: psycopg.AsyncConnection[Any], own: Container[int]) -> AsyncGenerator[str, None]:
    """What is told on a connection that does nothing else. The driver's own generator takes as long for each as the
    transaction that it is about takes for a statement or two."""
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    told.set()  # something may have been told while it was made
    loop.add_reader(connection.fileno(), told.set)
    try:
        while True:
            await told.wait()
            told.clear()
            connection.pgconn.consume_input()
            while (heard := connection.pgconn.notifies()) is not None:
                if heard.be_pid not in own:
                    yield heard.extra.decode()
    finally:
        loop.remove_reader(connection.fileno())
