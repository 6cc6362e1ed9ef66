"""Tasks that are cancelled in the middle of a transaction: the file is free at once, and the store goes on."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import update

from core.store import Store
from core.store.tables import workspaces
from tests.stores import opened

CANCELLATIONS = 60


async def write(store: Store) -> None:
    """A transaction of a few statements."""
    async with store.work() as work:
        for _ in range(4):
            await work._run(update(workspaces).values(position=workspaces.c.position))
        await work.commit()


def expect_free(path: Path) -> None:
    """Another process may write at once."""
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_writer_cancelled_anywhere_leaves_the_file_free(
    sqlite_store_url: str, tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    cancelled = 0
    async with asyncio.timeout(20), opened(sqlite_store_url) as store:
        for _ in range(CANCELLATIONS):
            writing = asyncio.create_task(write(store))
            for _ in range(chance.randrange(50)):
                await asyncio.sleep(0)
            await asyncio.sleep(chance.random() * 0.002)
            for _ in range(chance.randrange(1, 5)):  # anyio's scopes cancel again and again
                writing.cancel()
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(0)
            await asyncio.wait([writing])
            cancelled += writing.cancelled()
            expect_free(tmp_path / "store.sqlite3")
        await write(store)
    assert cancelled > CANCELLATIONS / 10, "some were cancelled in the middle"
    assert asyncio.all_tasks() == {asyncio.current_task()}, "nothing waits for an end that never comes"


async def test_a_reader_cancelled_anywhere_holds_nothing(sqlite_store_url: str) -> None:
    async with asyncio.timeout(20), opened(sqlite_store_url) as store:
        for turns in range(CANCELLATIONS):
            reading = asyncio.create_task(store.records.last_position("wsp_any"))
            for _ in range(turns):
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.sleep(0)
            reading.cancel()
            await asyncio.wait([reading])
    assert asyncio.all_tasks() == {asyncio.current_task()}
