"""The contract of what is due: set, claimed with a lease, seen again, taken away."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from core.dues import EVERY_KIND, Due, DueKind, Dues
from core.store import Store
from tests.rules.making import NOW
from tests.store.making import HERE, settle_in

LATER = NOW + timedelta(seconds=20)


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def put(store: Store, subject: str, seconds: float | None, kind: DueKind = DueKind.NUDGE) -> None:
    async with store.work() as work:
        await work.set_due(kind, subject, HERE, None if seconds is None else NOW + timedelta(seconds=seconds))
        await work.commit()


async def look(store: Store, subject: str) -> Due | None:
    async with store.work() as work:
        return await work.due(DueKind.NUDGE, subject)


async def claimed(store: Store, *, at: float = 0, lease: float = 20, limit: int = 10) -> list[str]:
    now = NOW + timedelta(seconds=at)
    return [one.subject for one in await store.dues.claim(now, now + timedelta(seconds=lease), limit)]


def test_a_store_has_the_door_that_the_port_asks_for(store: Store) -> None:
    door: Dues = store.dues
    assert door is store.dues


async def test_what_is_due_is_claimed_longest_due_first_and_what_is_not_due_stays(store: Store) -> None:
    for subject, seconds in (("b", -1), ("c", 1), ("a", -2), ("now", 0)):
        await put(store, subject, seconds)
    assert await claimed(store, limit=2) == ["a", "b"]
    assert await claimed(store) == ["now"]
    assert await claimed(store, at=1) == ["c"]


async def test_only_the_kinds_that_are_asked_for_are_claimed(store: Store) -> None:
    await put(store, "slow", -2, DueKind.TOOL)
    await put(store, "nudge", -1)
    rest, until = EVERY_KIND - {DueKind.TOOL}, LATER
    assert [one.subject for one in await store.dues.claim(NOW, until, 10, rest)] == ["nudge"]
    assert await store.dues.claim(NOW, until, 10, rest) == ()
    assert [one.subject for one in await store.dues.claim(NOW, until, 10, frozenset({DueKind.TOOL}))] == ["slow"]


async def test_what_is_held_is_left_alone_until_the_lease_is_over(store: Store) -> None:
    await put(store, "a", -1)
    assert await claimed(store, lease=20) == ["a"]
    assert await claimed(store, at=19.9) == []
    assert await claimed(store, at=20) == ["a"], "whoever had it may be dead"


async def test_each_claim_and_each_change_shows_in_the_generation(store: Store) -> None:
    await put(store, "a", -1)
    (first,) = await store.dues.claim(NOW, LATER, 1)
    assert await look(store, "a") == first
    await put(store, "a", 5)
    changed = await look(store, "a")
    assert changed is not None
    assert (changed.generation, changed.due_at) == (first.generation + 1, NOW + timedelta(seconds=5))


async def test_a_change_frees_it_and_taking_it_away_ends_it(store: Store) -> None:
    await put(store, "a", -1)
    assert await claimed(store) == ["a"]
    await put(store, "a", -1)
    assert await claimed(store) == ["a"]
    await put(store, "a", None)
    assert await look(store, "a") is None
    assert await claimed(store, at=100) == []


async def test_one_subject_may_be_due_for_several_things(store: Store) -> None:
    await put(store, "a", -1, DueKind.NUDGE)
    await put(store, "a", -2, DueKind.SNOOZE)
    assert [one.kind for one in await store.dues.claim(NOW, LATER, 9)] == [DueKind.SNOOZE, DueKind.NUDGE]


async def test_it_is_known_when_something_falls_due(store: Store) -> None:
    assert await store.dues.next_due() is None
    await put(store, "a", 7)
    await put(store, "b", 5)
    assert await store.dues.next_due() == NOW + timedelta(seconds=5)


async def test_of_many_that_claim_at_once_each_row_goes_to_one(store: Store) -> None:
    for number in range(40):
        await put(store, f"s{number:02}", -1)
    taken = await asyncio.gather(*(claimed(store, limit=7) for _ in range(8)))
    again = [await claimed(store, limit=7) for _ in range(6)]
    found = [subject for some in [*taken, *again] for subject in some]
    assert sorted(found) == [f"s{number:02}" for number in range(40)]
