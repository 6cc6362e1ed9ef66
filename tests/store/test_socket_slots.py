"""The connections of Socket Mode that all processes together may have, shared by leases."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from adapters.slack.sockets import CONNECTIONS, LEASE, SLOT_GAP
from bot.moment import SystemIds
from bot.noticing import Noticing
from bot.socket_slots import SocketSlots, share
from core.ports import Context
from core.store import Store
from tests.rules.making import NOW

SLOTS = 5


@dataclass
class MovedClock:
    """Stands still until it is moved."""

    moment: datetime = NOW

    def now(self) -> datetime:
        return self.moment

    def move(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


class Replicas:
    """Processes that share slots, on a clock that is moved by hand."""

    def __init__(self, store: Store, slots: int = SLOTS) -> None:
        self.clock = MovedClock()
        self.noticed = [Noticing(self.clock) for _ in range(4)]
        context = Context(store.work, self.clock, SystemIds(), "https://sayso.example/review/")
        self.all = [SocketSlots(context, f"p{n}", slots, noticing) for n, noticing in enumerate(self.noticed)]

    async def look(self, *numbers: int) -> list[int]:
        """Each of these processes looks, one after the other; how many slots each of them holds."""
        return [await self.all[number].hold(CONNECTIONS) for number in numbers]


async def test_every_process_has_one_before_any_has_two(store: Store) -> None:
    r = Replicas(store)
    assert await r.look(0, 1, 2, 3) == [2, 2, 1, 0]
    assert await r.look(3, 2, 1, 0) == [0, 1, 2, 1]  # one waits, so one of those with two gives one back
    assert [one.others for one in r.noticed] == [3, 3, 4, 5]
    r.clock.move(LEASE - 1)
    assert await r.look(1, 2, 0, 3) == [2, 1, 1, 0]  # its connection is closed, and nobody opens another yet
    r.clock.move(1)
    assert await r.look(0, 1, 2, 3) == [1, 2, 1, 1]  # whoever waits comes before those who have one
    r.clock.move(SLOT_GAP)
    assert await r.look(3, 2, 1, 0) == [1, 1, 2, 1]


async def test_of_two_slots_two_processes_have_one_each(store: Store) -> None:
    r = Replicas(store, slots=2)
    assert await r.look(0, 1) == [2, 0]
    r.clock.move(LEASE - 1)
    assert await r.look(0, 1) == [1, 0]
    r.clock.move(1)
    assert await r.look(1, 0) == [1, 1]
    r.clock.move(LEASE)
    assert await r.look(1) == [2]  # the other one is gone


SHARES = [
    # Why; who has the slots that are taken; how many are free; how many processes wait; what is a's share.
    ("nobody else is there", "", 8, 0, 2),
    ("nobody waits", "abb", 1, 0, 2),
    ("the last one", "bb", 1, 0, 1),
    ("none is left", "bb", 0, 0, 0),
    ("those who wait come before a second one", "bb", 2, 1, 1),
    ("there is enough for all who wait and for a second one", "", 3, 1, 2),
    ("a first one is taken whoever else waits for one", "bb", 1, 3, 1),
    ("one gives back, not both", "aabb", 0, 1, 1),
    ("the other one does", "aaAA", 0, 1, 2),
    ("both do", "aabb", 0, 2, 1),
    ("nobody gives up their only one", "ab", 0, 2, 1),
    ("what is free is for those who wait", "ab", 1, 1, 1),
]


@pytest.mark.parametrize(("why", "having", "free", "waiting", "own"), SHARES, ids=[one[0] for one in SHARES])
def test_a_share_is_one_first_and_then_what_is_left_over(
    why: str, having: str, free: int, waiting: int, own: int
) -> None:
    assert share("a", having, free, waiting, CONNECTIONS) == own, why


async def test_processes_that_look_at_the_same_moment_never_hold_more_than_all(store: Store) -> None:
    r = Replicas(store)
    held: list[int] = []
    for _ in range(8):
        held = await asyncio.gather(*(one.hold(CONNECTIONS) for one in r.all))
        assert sum(held) <= SLOTS
        assert max(held) <= CONNECTIONS
        r.clock.move(SLOT_GAP)
    assert sorted(held) == [1, 1, 1, 2]


async def test_what_a_dead_process_held_passes_on_when_its_lease_is_over_and_no_sooner(store: Store) -> None:
    r = Replicas(store)
    await r.look(0, 1, 2, 3)
    r.clock.move(LEASE - 1)
    assert await r.look(1, 2, 3) == [2, 1, 0]  # those who live extend theirs
    r.clock.move(1)
    assert await r.look(1, 2, 3) == [2, 2, 1]
    assert await r.look(0) == [0]  # it was only slow: it has none any more


async def test_what_a_stopped_process_held_passes_on_at_once(store: Store) -> None:
    r = Replicas(store)
    await r.look(0, 1, 2, 3)
    await r.all[0].drop()
    assert await r.look(1, 2, 3) == [2, 2, 1]
