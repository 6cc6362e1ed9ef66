"""The alarm clock of the service when this machine's own clock is set, or was asleep."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from dataclasses import dataclass

import pytest

from bot import scheduler


@dataclass
class WallClock:
    """What this machine believes the time to be; its steady clock goes on whatever is believed."""

    ahead: float = 0.0

    def time(self) -> float:
        return time.time() + self.ahead

    def monotonic(self) -> float:
        return time.monotonic()


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> WallClock:
    clock = WallClock()

    class Moment(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:  # type: ignore[override]  # a plain one, as asked
            return dt.datetime.fromtimestamp(clock.time(), tz)

    monkeypatch.setattr("apscheduler.schedulers.base.datetime", Moment)
    monkeypatch.setattr(scheduler, "datetime", Moment)
    monkeypatch.setattr(scheduler, "time", clock)
    monkeypatch.setattr(scheduler, "GLANCE", 0.02)
    return clock


@pytest.mark.parametrize("jump", [-3600.0, 3600.0, -86_400.0 * 400], ids=["back an hour", "on an hour", "back a year"])
async def test_jobs_go_on_when_the_clock_is_set(wall: WallClock, jump: float) -> None:
    ran = asyncio.Queue[int]()

    async def job() -> None:
        ran.put_nowait(1)

    clockwork = scheduler.Scheduler()
    clockwork.every(0.05, "job", job)
    clockwork.start()
    try:
        async with asyncio.timeout(5):
            for _ in range(3):
                await ran.get()
            wall.ahead += jump
            later = [await ran.get() for _ in range(6)]
    finally:
        await clockwork.stop()
    assert len(later) == 6


async def test_a_job_that_fails_is_tried_again_and_none_runs_twice_at_once(wall: WallClock) -> None:
    running, most, runs = 0, 0, 0
    done = asyncio.Event()

    async def job() -> None:
        nonlocal running, most, runs
        running, runs = running + 1, runs + 1
        most = max(most, running)
        await asyncio.sleep(0.03)
        running -= 1
        if runs >= 4:
            done.set()
        raise RuntimeError("not this time")

    clockwork = scheduler.Scheduler()
    clockwork.every(0.01, "job", job)
    clockwork.start()
    try:
        async with asyncio.timeout(5):
            await asyncio.sleep(0.05)
            wall.ahead += 60
            await done.wait()
    finally:
        await clockwork.stop()
    assert most == 1
