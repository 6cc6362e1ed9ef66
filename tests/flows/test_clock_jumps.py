"""The alarm clock of the service when this machine's own clock is set, or was asleep."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot import moment, scheduler
from tests.flows.rig import CHANNEL, confirmation, eventually, rig, sqlite_at
from tests.flows.trouble import PushedClock


@dataclass
class WallClock:
    """What this machine believes the time to be; its steady clock goes on whatever is believed."""

    ahead: float = 0.0

    def time(self) -> float:
        return time.time() + self.ahead

    def time_ns(self) -> int:
        return time.time_ns() + int(self.ahead * 1e9)

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
    monkeypatch.setattr(scheduler, "AGAIN", 0.02)
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


def test_ids_are_in_the_order_in_which_they_were_made_whatever_the_clock_did(
    wall: WallClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moment, "time", wall)
    ids, made = moment.SystemIds(), list[str]()
    for ahead in (0, 86_400 * 30, -3600, 0):
        wall.ahead = ahead
        made += [ids.new("evt") for _ in range(5_000)]
    assert made == sorted(set(made))


async def test_what_drops_old_things_believes_no_clock_at_once_and_who_counts_anew_hears_of_one_that_went_back(
    wall: WallClock,
) -> None:
    ran, dropped, counted = asyncio.Queue[int](), asyncio.Queue[int](), asyncio.Queue[int]()

    def job(into: asyncio.Queue[int]) -> scheduler.Job:
        async def run() -> None:
            into.put_nowait(1)

        return run

    clockwork = scheduler.Scheduler(job(counted))
    clockwork.every(3600, "job", job(ran))
    clockwork.every(3600, "drop", job(dropped), drops=True)
    clockwork.start()
    try:
        async with asyncio.timeout(20):
            for jump in (86_400.0 * 30, -86_400.0 * 30):
                await ran.get()
                wall.ahead += jump
            await ran.get()
            await counted.get()
    finally:
        await clockwork.stop()
    assert dropped.empty()
    assert counted.empty(), "only of a clock that goes back"


async def test_who_counts_anew_does_so_until_it_is_done_and_once_more_when_the_clock_goes_back_meanwhile(
    wall: WallClock,
) -> None:
    began, may_end, ran = asyncio.Queue[int](), asyncio.Queue[bool](), asyncio.Queue[int]()
    at_once = most = 0

    async def count() -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        began.put_nowait(1)
        ends_well = await may_end.get()
        at_once -= 1
        if not ends_well:
            raise ConnectionError("the database is away")

    async def job() -> None:
        ran.put_nowait(1)

    clockwork = scheduler.Scheduler(count)
    clockwork.every(3600, "job", job)
    clockwork.start()
    try:
        async with asyncio.timeout(20):
            await ran.get()
            wall.ahead -= 3600
            await ran.get()
            for _ in range(2):
                await began.get()
                may_end.put_nowait(False)
            await began.get()
            wall.ahead -= 3600
            await ran.get()  # it was noticed
            for _ in range(2):
                may_end.put_nowait(True)
            await began.get()
    finally:
        await clockwork.stop()
    assert most == 1
    assert began.empty()


async def test_a_clock_that_was_a_month_ahead_leaves_no_card_unreminded(wall: WallClock, tmp_path: Path) -> None:
    clock = PushedClock()

    def jump(days: int) -> None:
        clock.push(86_400.0 * days)
        wall.ahead += 86_400.0 * days

    async with rig(sqlite_at(tmp_path), clock=clock, socket_mode=True) as r:

        def times(number: int) -> int:
            said = r.slack.platform.world.messages[CHANNEL].values()
            return sum(f"Reminder {number} of 2" in str(one.blocks) for one in said)

        async def reminded(number: int) -> bool:
            return times(number) > 0

        policy = {"expires_in": "90d", "nudges": {"every": "1h", "max": 2}}
        id = (await r.posted((await r.ask(**confirmation(policy=policy)))["id"]))["id"]

        async def comes_again() -> bool:
            return (await r.get(id))["reminders"]["next_at"] is not None

        jump(30)
        await eventually(lambda: reminded(2))
        assert not await comes_again()
        jump(-30)
        await eventually(comes_again)
        clock.push(3_601)
        await eventually(lambda: reminded(1))
        assert [times(1), times(2)] == [1, 1]


async def test_a_process_that_only_answers_counts_what_it_took_in_ahead_anew(wall: WallClock, tmp_path: Path) -> None:
    clock = PushedClock()
    clock.push(86_400.0 * 30)
    async with rig(sqlite_at(tmp_path), clock=clock, socket_mode=True, sayso_role="web") as r:
        id = (await r.ask(**confirmation(policy={"expires_in": "1h", "starts": "asked"})))["id"]
        clock.push(-86_400.0 * 30)
        wall.ahead -= 86_400.0 * 30

        async def left() -> dt.timedelta:
            return dt.datetime.fromisoformat((await r.get(id))["expires_at"]) - clock.now()

        async def is_an_hour_at_most() -> bool:
            return await left() <= dt.timedelta(hours=1)

        await eventually(is_an_hour_at_most)
        assert await left() > dt.timedelta()
