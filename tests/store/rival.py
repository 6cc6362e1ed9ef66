"""What another process does on the same database. Each gets its store and what it was told, and returns a result."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from typing import Any

from core.errors import Raced
from core.outbox import Lane
from core.store import Store, check_schema, migrate, open_engine
from tests.store.making import HERE, accepted, add, ask, line

Deed = Callable[..., Awaitable[object]]


async def settle(store: Store, name: str, count: int) -> list[int]:
    """Try to settle cards 1 to `count`, as a press does, and return the numbers of those that were won."""
    won = []
    for number in range(1, count + 1):
        try:
            async with store.work() as work:
                before = await work.interaction(HERE, ask(number).id)
                if before is None or not before.is_pending:
                    continue
                await work.save_interaction(before, accepted(before, by=f"per_{name}"), None)
                await work.record(line(f"rcp_{name}_{number}"), before.id)
                await work.commit()
                won.append(number)
        except Raced:
            continue
    return won


async def work_outbox(store: Store, name: str, log: str, lease: float) -> None:
    """Do deliveries until none is left, each by writing its id to the log. The one called `victim` dies with the
    deliveries it has claimed, before it does any of them."""
    lanes, hold = tuple(Lane), timedelta(seconds=lease)
    done = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    while (due := await store.outbox.next_due(lanes)) is not None:
        now = datetime.now(UTC)
        claims = await store.outbox.claim(lanes, now, now + hold, name, 20)
        if name == "victim" and claims:
            os.kill(os.getpid(), signal.SIGKILL)
        for claimed in claims:
            os.write(done, f"{claimed.delivery.key} {claimed.delivery.id}\n".encode())
            async with store.work() as work:
                assert await work.finish(claimed)
                await work.commit()
        if not claims:
            await asyncio.sleep(min(0.05, max(0.0, (due - now).total_seconds())))


async def commit_and_die(store: Store) -> None:
    """Commit a card and die in the same breath."""
    await add(store, ask(1))
    os.kill(os.getpid(), signal.SIGKILL)


async def die_uncommitted(store: Store) -> None:
    """Write a card and die before it is committed."""
    async with store.work() as work:
        await work.add_interaction(ask(1))
        os.kill(os.getpid(), signal.SIGKILL)


async def make_tables(store: Store) -> None:
    """Migrate and check, twice, as a service does that is started again."""
    for _ in range(2):
        await migrate(store.engine)
        await check_schema(store.engine)


def run(pipe: Connection, deed: Deed, url: str, *told: Any) -> None:
    """Say that it is ready, wait for the word to go, do the deed, send what came of it."""

    async def do() -> object:
        store = Store(open_engine(url))
        try:
            return await deed(store, *told)
        finally:
            await store.close()

    pipe.send("ready")
    pipe.recv()
    pipe.send(asyncio.run(do()))
