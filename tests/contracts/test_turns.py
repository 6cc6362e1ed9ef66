"""The contract of turns at what is paced: taken, waited for, held back, forgotten; in memory and by all processes."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

import pytest
from sqlalchemy import text

from bot.turns import OwnTurns
from core.pacing import Bucket, Turns
from core.store import Store, open_engine

HOUR = 3600.0
"""The unit of every gap here, so that the time which the test itself takes is nothing beside it."""
SLIP = HOUR / 10
ONE = Bucket("one", HOUR, 3)
OTHER = Bucket("other", HOUR, 2)


@dataclass
class Counted:
    """An implementation, and what lets time pass for it."""

    turns: Turns
    pass_time: Callable[[float], Awaitable[None]]

    async def take(self, buckets: Sequence[Bucket], within: float = 0.0) -> float:
        """The wait in hours, to the nearest tenth."""
        return round((await self.turns.take(buckets, within * HOUR + SLIP)) / HOUR, 1)


@pytest.fixture(params=["in memory", "postgresql"])
def database(request: pytest.FixtureRequest) -> str | None:
    """Where the turns are kept; None: in memory."""
    return request.getfixturevalue("postgres_store_url") if request.param == "postgresql" else None


@pytest.fixture
async def counted(database: str | None) -> AsyncIterator[Counted]:
    """Each implementation in turn."""
    if database is None:
        now = [1000.0]

        async def move(hours: float) -> None:
            now[0] += hours * HOUR

        yield Counted(OwnTurns(lambda: now[0]), move)
        return
    store = Store(open_engine(database))
    assert store.turns is not None

    async def age(hours: float) -> None:
        def run() -> None:
            with store.database.begin() as connection:
                earlier = text("UPDATE paces SET free_at = free_at - make_interval(secs => :seconds)")
                connection.execute(earlier, {"seconds": hours * HOUR})

        await asyncio.to_thread(run)

    yield Counted(store.turns, age)
    await store.close()


async def test_so_many_go_at_once_as_a_bucket_is_deep_and_then_one_each_gap(counted: Counted) -> None:
    assert [await counted.take([ONE]) for _ in range(4)] == [0, 0, 0, 1]
    await counted.pass_time(1)
    assert [await counted.take([ONE]) for _ in range(2)] == [0, 1]
    await counted.pass_time(0.5)
    assert await counted.take([ONE]) == 0.5


async def test_a_bucket_that_was_left_alone_is_as_deep_as_before_and_no_deeper(counted: Counted) -> None:
    for _ in range(3):
        await counted.take([ONE])
    await counted.pass_time(100)
    assert [await counted.take([ONE]) for _ in range(4)] == [0, 0, 0, 1]


async def test_a_turn_that_comes_soon_enough_is_taken_and_the_next_one_comes_after_it(counted: Counted) -> None:
    assert [await counted.take([ONE], within=2) for _ in range(7)] == [0, 0, 0, 1, 2, 3, 3]


async def test_whoever_must_wait_too_long_takes_nothing_from_any_bucket(counted: Counted) -> None:
    for _ in range(2):
        await counted.take([OTHER])
    assert [await counted.take([ONE, OTHER]) for _ in range(5)] == [1] * 5
    assert [await counted.take([ONE]) for _ in range(4)] == [0, 0, 0, 1]


async def test_what_a_call_leaves_to_others_they_can_have(counted: Counted) -> None:
    modest = Bucket("one", HOUR, 3, spare=2)
    assert [await counted.take([modest]) for _ in range(2)] == [0, 1]
    assert [await counted.take([ONE]) for _ in range(3)] == [0, 0, 1]
    assert await counted.take([modest]) == 3


async def test_a_bucket_that_is_held_lets_nobody_through_for_so_long_and_then_one_each_gap(counted: Counted) -> None:
    await counted.take([ONE])
    await counted.turns.hold([ONE, OTHER], 2 * HOUR)
    assert await counted.take([ONE]) == 2
    assert await counted.take([OTHER]) == 2
    await counted.pass_time(2)
    assert [await counted.take([ONE]) for _ in range(2)] == [0, 1]


async def test_a_shorter_hold_does_not_end_a_longer_one(counted: Counted) -> None:
    await counted.turns.hold([ONE], 5 * HOUR)
    await counted.turns.hold([ONE], 1 * HOUR)
    assert await counted.take([ONE]) == 5


async def test_whoever_has_a_turn_is_told_for_how_long_its_bucket_is_held(counted: Counted) -> None:
    assert await counted.take([ONE], within=2) == 0
    assert await counted.turns.held([ONE, OTHER]) == 0
    await counted.turns.hold([ONE], 2 * HOUR)
    assert round(await counted.turns.held([ONE, OTHER]) / HOUR, 1) == 2
    assert await counted.turns.held([OTHER]) == 0
    await counted.pass_time(2)
    assert await counted.turns.held([ONE]) == 0


async def test_a_hold_that_has_ended_is_forgotten_with_its_bucket(counted: Counted) -> None:
    await counted.turns.hold([ONE], HOUR)
    await counted.pass_time(2)
    await counted.turns.forget()
    assert await counted.turns.held([ONE]) == 0
    await counted.pass_time(2)
    await counted.turns.forget()
    assert await counted.turns.forget() == 0


async def test_only_buckets_that_are_full_again_are_forgotten(counted: Counted) -> None:
    for _ in range(3):
        await counted.take([ONE])
    await counted.take([OTHER])
    await counted.pass_time(2)
    assert await counted.turns.forget() == 1
    assert [await counted.take([ONE]) for _ in range(3)] == [0, 0, 1]
    await counted.pass_time(100)
    assert await counted.turns.forget() == 1
    assert await counted.turns.forget() == 0


async def test_of_many_at_once_as_many_go_as_fit_whatever_else_they_count_in(counted: Counted) -> None:
    shared = Bucket("shared", HOUR, 5)
    own = [Bucket(f"own-{number}", HOUR, 1) for number in range(4)]
    pairs = itertools.islice(itertools.cycle([[one, shared] for one in own] + [[shared, one] for one in own]), 48)
    waits = await asyncio.gather(*(counted.take(pair) for pair in pairs))
    assert waits.count(0) == 4, "one for each of its own"
    assert [await counted.take([shared]) for _ in range(2)] == [0, 1]
