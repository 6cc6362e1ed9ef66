"""People go on pressing while the service is killed again and again: every card settles once, everywhere."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flows.crashing import crashing
from tests.flows.killable import Nursery
from tests.flows.rig import sqlite_at
from tests.flows.storm import Storm, drained, expect_all_in_order, rage


async def expect_storm_outlived(
    nursery: Nursery, database: str, folder: Path, seed: int, processes: int, **sizes: Any
) -> None:
    async with crashing(nursery, database, folder, processes=processes) as r:
        storm = Storm(r, random.Random(seed))
        await rage(storm, **sizes)
        await drained(r)
        await expect_all_in_order(storm)
        r.expect_quiet_log()


async def test_kills_at_random_lose_nothing_and_double_nothing(nursery: Nursery, tmp_path: Path) -> None:
    await expect_storm_outlived(nursery, sqlite_at(tmp_path), tmp_path, 1, processes=1, cards=15, kills=6, pause=0.7)


@pytest.mark.slow
async def test_two_processes_killed_at_random_lose_nothing_and_double_nothing(
    nursery: Nursery, fresh_database: Callable[[], str], tmp_path: Path
) -> None:
    await expect_storm_outlived(nursery, fresh_database(), tmp_path, 2, processes=2, cards=15, kills=6, pause=0.7)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("seed", range(3))
async def test_many_kills_at_random_lose_nothing_and_double_nothing(
    nursery: Nursery, database_url: str, tmp_path: Path, seed: int, processes: int
) -> None:
    await expect_storm_outlived(nursery, database_url, tmp_path, seed, processes, cards=60, kills=40, pause=1.0)
