"""What providers said of people is looked up once, and again as soon as it may not hold any more."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.remembered import Remembered
from core.people import Identity, Standing
from core.ports import Committed

SAID = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
WELL, GONE = Standing(), Standing(deleted=True)


class Kept:
    """A database with the same about everybody, which counts who looks."""

    def __init__(self) -> None:
        self.row: tuple[Standing, datetime] | None = (WELL, SAID)
        self.looks = 0
        self.is_read = asyncio.Event()
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def look_up(self, workspace: str, identity: Identity) -> tuple[Standing, datetime] | None:
        self.looks += 1
        found = self.row
        self.is_read.set()
        await self.may_go_on.wait()
        return found


def account(number: int = 1) -> Identity:
    return Identity(provider="slack", account="T1", user=f"U{number}")


async def test_what_was_said_is_looked_up_once() -> None:
    kept = Kept()
    remembered = Remembered(kept.look_up)
    assert [await remembered.standing("wsp_1", account(), SAID, SAID) for _ in range(3)] == [WELL] * 3
    assert kept.looks == 1


async def test_what_was_said_too_long_ago_is_looked_up_again_until_it_was_said_anew() -> None:
    kept = Kept()
    remembered = Remembered(kept.look_up)
    assert await remembered.standing("wsp_1", account(), SAID, SAID) == WELL
    later = SAID + timedelta(minutes=6)
    assert await remembered.standing("wsp_1", account(), later, later) is None
    kept.row = (GONE, later)
    assert [await remembered.standing("wsp_1", account(), later, later) for _ in range(2)] == [GONE] * 2
    assert kept.looks == 3


@pytest.mark.parametrize(
    ("change", "looks"),
    [
        (Committed(dropped=(("wsp_1", account()),)), 2),
        (Committed(missed=True), 2),  # what was dropped meanwhile, nobody told
        (Committed(dropped=(("wsp_2", account()),)), 1),  # the same account elsewhere
        (Committed(dropped=(("wsp_1", account(2)),)), 1),
        (Committed(("int_1",), (("wsp_1", 7),)), 1),
    ],
)
async def test_what_was_dropped_is_looked_up_again(change: Committed, looks: int) -> None:
    kept = Kept()
    remembered = Remembered(kept.look_up)
    await remembered.standing("wsp_1", account(), SAID, SAID)
    remembered.committed(change)
    await remembered.standing("wsp_1", account(), SAID, SAID)
    assert kept.looks == looks


async def test_what_was_read_before_it_was_dropped_is_not_remembered() -> None:
    kept = Kept()
    remembered = Remembered(kept.look_up)
    kept.may_go_on.clear()
    reading = asyncio.create_task(remembered.standing("wsp_1", account(), SAID, SAID))
    await kept.is_read.wait()
    kept.row = (GONE, SAID)
    remembered.committed(Committed(dropped=(("wsp_1", account()),)))
    kept.may_go_on.set()
    assert await reading == WELL
    assert await remembered.standing("wsp_1", account(), SAID, SAID) == GONE


async def test_who_is_not_known_is_looked_up_each_time() -> None:
    kept = Kept()
    kept.row = None
    remembered = Remembered(kept.look_up)
    assert [await remembered.standing("wsp_1", account(), SAID, SAID) for _ in range(2)] == [None, None]
    assert kept.looks == 2


async def test_no_more_are_remembered_than_there_is_room_for() -> None:
    kept = Kept()
    remembered = Remembered(kept.look_up, most=2)
    for number in (1, 2, 3, 3, 2, 1):
        await remembered.standing("wsp_1", account(number), SAID, SAID)
    assert kept.looks == 4
