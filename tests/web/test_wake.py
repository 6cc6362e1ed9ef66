"""Waking who waits: at once by a hint, a little later without one, and never for what concerns others."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.wake import Waiter
from core.acts import Respond
from core.kinds.answers import Answer
from core.ports import Committed
from core.store import Store, notices, open_engine
from tests.web.calling import ANA, Calling, MovingClock, context_of, question
from tests.web.serving import until

MINE = Committed(interactions=("int_1",), positions=(("wsp_1", 8),))


class Head:
    """The newest event position, as a database would tell it."""

    def __init__(self) -> None:
        self.position = 7
        self.fails = False
        self.looks = 0

    async def __call__(self, _workspace: str) -> int:
        self.looks += 1
        if self.fails:
            raise ConnectionError("the database is away")
        return self.position


async def rang(waiter: Waiter, workspace: str, interaction: str | None, change: Committed) -> bool:
    with waiter.listening(workspace, interaction) as bell:
        await bell.heard(0.05)  # the first look rings once: whatever happened before is not known
        waiter.committed(change)
        return await bell.heard(0)


@pytest.mark.parametrize(
    ("workspace", "interaction", "change", "wakes"),
    [
        ("wsp_1", "int_1", MINE, True),
        ("wsp_1", "int_2", MINE, False),
        ("wsp_1", None, MINE, True),
        ("wsp_2", None, MINE, False),
        ("wsp_2", "int_9", Committed(missed=True), True),
        ("wsp_1", None, Committed(interactions=("int_1",)), False),  # changed, but nothing to hear of
    ],
)
async def test_a_hint_wakes_those_it_concerns(
    workspace: str, interaction: str | None, change: Committed, wakes: bool
) -> None:
    waiter = Waiter(Head(), poll_seconds=60)
    assert await rang(waiter, workspace, interaction, change) is wakes
    await waiter.close()


async def test_without_a_hint_a_newer_position_is_found_by_looking() -> None:
    head = Head()
    waiter = Waiter(head, poll_seconds=0.01)
    with waiter.listening("wsp_1", "int_1") as bell:
        assert await bell.heard(5)
        assert not await bell.heard(0.05)
        head.position = 8
        assert await bell.heard(5)
    await waiter.close()


async def test_a_database_that_is_away_for_a_moment_ends_no_waiting() -> None:
    head = Head()
    waiter = Waiter(head, poll_seconds=0.01)
    with waiter.listening("wsp_1") as bell:
        await bell.heard(5)
        head.fails = True
        seen = head.looks
        await until(lambda: head.looks > seen + 2)
        head.fails, head.position = False, 9
        assert await bell.heard(5)
    await waiter.close()


async def test_nobody_looks_while_nobody_waits() -> None:
    head = Head()
    waiter = Waiter(head, poll_seconds=0.01)
    with waiter.listening("wsp_1"):
        await until(lambda: head.looks > 1)
    await asyncio.sleep(0.05)
    seen = head.looks
    await asyncio.sleep(0.05)
    assert head.looks == seen
    with waiter.listening("wsp_1"):
        await until(lambda: head.looks > seen)
    await waiter.close()


async def test_closing_wakes_everybody_for_good() -> None:
    waiter = Waiter(Head(), poll_seconds=60)
    with waiter.listening("wsp_1") as bell:
        await bell.heard(0.05)
        await waiter.close()
        assert await bell.heard(5)
        assert waiter.closing
        with waiter.listening("wsp_1") as late:
            assert await late.heard(5)


async def test_an_answer_in_one_process_wakes_a_poll_in_another(postgres_api: Calling, postgres_store_url: str) -> None:
    waiter = postgres_api.services.waiter
    waiter._poll_seconds = 3600  # without looking: only the notice can wake it
    hearing = asyncio.create_task(_hear(waiter, postgres_store_url))
    id = await postgres_api.ask(question())
    waiting = asyncio.create_task(postgres_api.get(f"/interactions/{id}?wait=30"))
    await until(lambda: waiter._bells)
    other = Store(open_engine(postgres_store_url))
    services = replace(postgres_api.services, context=context_of(other, MovingClock()), records=other.records)
    elsewhere = replace(postgres_api, store=other, services=services)
    await elsewhere.answer_as(ANA, id, Respond({"ship": Answer(value="yes")}, 1))
    assert (await asyncio.wait_for(waiting, 10)).json()["status"] == "answered"
    hearing.cancel()
    await asyncio.gather(hearing, return_exceptions=True)
    await other.close()


async def _hear(waiter: Waiter, url: str) -> None:
    async for change in notices(url):
        waiter.committed(change)
