"""The contract of `core.ports.Work`: what a dead process held is free at once, and a living one keeps what it holds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.outbox import Lane
from core.store import Store
from tests.rules.making import NOW
from tests.store.making import named, owe, owed, settle_in

LEASE = timedelta(seconds=30)
SOON = NOW + timedelta(seconds=1)
HERE, ELSEWHERE = "host:127.0.0.1:8080", "host:127.0.0.1:80"


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def claimed_at(store: Store, second: int, owner: str) -> list[str]:
    now = NOW + timedelta(seconds=second)
    return [one.delivery.id for one in await store.outbox.claim(tuple(Lane), now, now + LEASE, owner, 10)]


async def test_the_claims_of_the_process_before_are_free_and_no_others(store: Store) -> None:
    for number, owner in enumerate((f"{HERE}/1-a", f"{ELSEWHERE}/2-b", f"{HERE}0/3-c"), start=1):
        await owe(store, owed(number, key=f"k{number}"))
        await claimed_at(store, 0, owner)
    async with store.work() as work:
        assert await work.take_over(HERE, SOON) == 1
        await work.commit()
    assert await claimed_at(store, 1, f"{HERE}/9-z") == [named("dlv", 1)]


async def test_signs_of_a_pattern_in_a_place_mean_themselves(store: Store) -> None:
    await owe(store, owed(1))
    await claimed_at(store, 0, "host:127.0.0.1:8080/1-a")
    async with store.work() as work:
        assert await work.take_over("h_st:127.0.0.1:8080", SOON) == 0
        assert await work.take_over("%", SOON) == 0


async def test_the_leases_of_the_process_before_are_over(store: Store) -> None:
    async with store.work() as work:
        assert await work.take_lease("telegram:1", f"{HERE}/1-a", NOW, NOW + LEASE) == 1
        assert await work.take_lease("telegram:2", f"{ELSEWHERE}/1-a", NOW, NOW + LEASE) == 1
        assert await work.take_over(HERE, SOON) == 1
        assert await work.take_lease("telegram:1", f"{HERE}/2-b", SOON, SOON + LEASE) == 2
        assert await work.take_lease("telegram:2", f"{HERE}/2-b", SOON, SOON + LEASE) is None


async def test_arrivals_that_nobody_handled_need_not_wait_for_their_lease(store: Store) -> None:
    async with store.work() as work:
        assert await work.first_seen("k1", "telegram", "{}", NOW)
        assert await work.first_seen("k2", "telegram", "{}", NOW)
        await work.arrival_done("k2", None, NOW)
        assert await work.waiting_arrivals(SOON, SOON + LEASE, 10) == []
        await work.take_over(HERE, SOON)
        assert [one.key for one in await work.waiting_arrivals(SOON, SOON + LEASE, 10)] == ["k1"]


async def test_a_living_process_keeps_what_it_has_in_hand(store: Store) -> None:
    await owe(store, owed(1, key="k1"), owed(2, key="k2"))
    async with store.work() as work:
        await work.claim(tuple(Lane), NOW, NOW + LEASE, "p1", 1)
        await work.claim(tuple(Lane), NOW, NOW + LEASE, "p2", 1)
        assert await work.extend_claims("p1", NOW + 2 * LEASE) == 1
        await work.commit()
    assert await claimed_at(store, 31, "p3") == [named("dlv", 2)]
    assert await claimed_at(store, 60, "p3") == [named("dlv", 1)]
