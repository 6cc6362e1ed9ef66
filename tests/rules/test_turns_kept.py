"""Turns are kept when a call is made, not only when it is planned: whoever comes late takes another turn."""

from __future__ import annotations

import asyncio
import heapq
from itertools import cycle, islice

from hypothesis import example, given
from hypothesis import strategies as st

from bot.pace import LATE, LONGEST_KEPT, TRIES, Call, Pace
from bot.sandbox.telegram.pace import Pace as StandInPace
from bot.sandbox.telegram.places import Group, GroupKind, Private
from bot.turns import OwnTurns
from core.addresses import Provider
from core.outbox import Lane
from tests.rules.test_pace import At, Paced


async def test_who_wakes_late_from_waiting_asks_for_another_turn() -> None:
    paced = Paced()
    call = Call(Provider.TELEGRAM, "A", "42", Lane.TALK)
    while await paced.wait(Provider.TELEGRAM, "42", Lane.TALK) == 0:
        """What may go at once goes."""
    paced.late = [LATE + 0.1]
    assert await paced.pace.wait(call, LONGEST_KEPT) == 0
    assert len(paced.slept) == 2


async def test_a_turn_that_comes_a_little_late_is_kept() -> None:
    paced = Paced()
    call = Call(Provider.TELEGRAM, "A", "42", Lane.TALK)
    while await paced.wait(Provider.TELEGRAM, "42", Lane.TALK) == 0:
        """What may go at once goes."""
    paced.late = [LATE]
    taken = paced.now + await paced.wait(Provider.TELEGRAM, "42", Lane.TALK)
    assert await paced.pace.wait(call, LONGEST_KEPT) == 0
    assert len(paced.slept) == 1
    assert paced.now <= taken + LATE + 1e-6


async def test_who_is_late_every_time_goes_in_the_end() -> None:
    paced = Paced()
    while await paced.wait(Provider.TELEGRAM, "42", Lane.TALK) == 0:
        """What may go at once goes."""
    call, paced.late = Call(Provider.TELEGRAM, "A", "42", Lane.TALK), [LATE + 0.1] * TRIES
    assert await paced.pace.wait(call, LONGEST_KEPT) == 0
    assert len(paced.slept) == TRIES


async def test_a_turn_taken_before_the_provider_wanted_to_be_left_alone_is_not_used() -> None:
    paced = Paced()
    call = Call(Provider.TELEGRAM, "A", "42", Lane.TALK)
    while await paced.wait(Provider.TELEGRAM, "42", Lane.TALK) == 0:
        """What may go at once goes."""

    async def refused_meanwhile(seconds: float) -> None:
        await paced.sleep(seconds)
        await paced.pace.hold(call, 30)

    sleeper = Pace(paced.turns, None, refused_meanwhile, lambda: paced.now)
    assert await sleeper.wait(call, LONGEST_KEPT) >= 30


class Standing:
    """Several who write to one chat as fast as they may, in a process that stands still now and then; and the stand-in,
    which counts what comes when it comes."""

    def __init__(self, chat: str, stills: list[tuple[float, float]]) -> None:
        self.now = 0.0
        self.stills = stills
        self.turns = OwnTurns(lambda: self.now)
        self.pace = Pace(self.turns, None, self.sleep, lambda: self.now)
        self.calls = [Call(Provider.TELEGRAM, "A", chat, lane) for lane in (Lane.TALK, Lane.NUDGE, Lane.REDRAW)]
        self.wakes: list[tuple[float, int, asyncio.Future[None]]] = []
        self.made: list[float] = []

    async def sleep(self, seconds: float) -> None:
        wake = asyncio.get_running_loop().create_future()
        heapq.heappush(self.wakes, (self.now + seconds, len(self.made) + len(self.wakes) + id(wake), wake))
        await wake

    async def write(self, call: Call) -> None:
        """Write whenever that may be done."""
        while True:
            wait = await self.pace.wait(call, LONGEST_KEPT)
            if wait == 0:
                self.made.append(self.now)
            else:
                await self.sleep(wait)

    async def live(self, until: float, writers: int) -> None:
        """Let time pass: nobody wakes while everything stands still, and all who should have do after it."""
        calls = islice(cycle(self.calls), writers)
        tasks = [asyncio.create_task(self.write(call)) for call in calls]
        try:
            while self.now < until:
                await _settled()
                due, _, wake = heapq.heappop(self.wakes)
                self.now = max(self.now, due)
                self.now = max([self.now, *(end for start, end in self.stills if start <= due < end)])
                wake.set_result(None)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _settled() -> None:
    """Let everybody go on who can."""
    for _ in range(12):
        await asyncio.sleep(0)


@given(
    st.lists(st.tuples(st.floats(0, 20), st.floats(0.1, 8)), min_size=1, max_size=8),
    st.integers(1, 9),
    st.sampled_from(["42", "-100"]),
)
@example([(30.0, 6.0)], 9, "42")
async def test_whenever_a_process_stands_still_nothing_comes_early_to_any_chat(
    gaps: list[tuple[float, float]], writers: int, chat: str
) -> None:
    stills, at = list[tuple[float, float]](), 0.0
    for gap, still in gaps:
        stills.append((at + gap, at + gap + still))
        at += gap + still
    standing = Standing(chat, stills)
    await standing.live(at + 10, writers)
    clock, place = At(), Group(id=-100, title="G", type=GroupKind.SUPERGROUP) if chat == "-100" else Private(id=42)
    telegram = StandInPace(clock, on=True)
    for clock.moment in standing.made:
        assert telegram.spend(place) is None
    assert standing.made
