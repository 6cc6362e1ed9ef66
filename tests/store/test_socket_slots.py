"""The connections of Socket Mode that all processes together may have, shared by leases."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

from adapters.slack.sockets import CONNECTIONS, LEASE
from bot.moment import SystemIds
from bot.noticing import Noticing
from bot.socket_slots import SocketSlots
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
    """Processes that share five slots, on a clock that is moved by hand."""

    def __init__(self, store: Store) -> None:
        self.clock = MovedClock()
        self.noticed = [Noticing(self.clock) for _ in range(4)]
        context = Context(store.work, self.clock, SystemIds(), "https://sayso.example/review/")
        self.all = [SocketSlots(context, f"p{n}", SLOTS, noticing) for n, noticing in enumerate(self.noticed)]

    async def look(self, *numbers: int) -> list[int]:
        """Each of these processes looks, one after the other; how many slots each of them holds."""
        return [await self.all[number].hold(CONNECTIONS) for number in numbers]


async def test_whoever_comes_first_has_two_and_there_are_never_more_than_all(store: Store) -> None:
    r = Replicas(store)
    assert await r.look(0, 1, 2, 3) == [2, 2, 1, 0]
    assert await r.look(3, 2, 1, 0) == [0, 1, 2, 2]
    assert [one.others for one in r.noticed] == [3, 3, 4, 5]


async def test_processes_that_look_at_the_same_moment_never_hold_more_than_all(store: Store) -> None:
    r = Replicas(store)
    looks = [await asyncio.gather(*(one.hold(CONNECTIONS) for one in r.all)) for _ in range(3)]
    assert all(sum(held) <= SLOTS and max(held) <= CONNECTIONS for held in looks)
    assert sum(looks[-1]) == SLOTS


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
