"""Clients that wait: one that goes away cancels nothing, and a service that stops answers everybody first."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.flows.crashing import Crashing, crashing
from tests.flows.gate import Stage
from tests.flows.killable import Nursery
from tests.flows.rig import ANA, CHANNEL, TG_ANA, sqlite_at


@pytest.fixture
async def r(nursery: Nursery, tmp_path: Path) -> AsyncIterator[Crashing]:
    """A service on SQLite that has started."""
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as made:
        await made.service.start()
        yield made


async def follow(r: Crashing) -> list[str]:
    """Every line of the stream of events until it ends."""
    async with r.api.stream("GET", "/v1/events", headers={"Accept": "text/event-stream"}) as stream:
        return [line async for line in stream.aiter_lines()]


async def leave(waiting: asyncio.Task[Any]) -> None:
    """The client goes away in the middle of it."""
    await asyncio.sleep(0.2)
    assert not waiting.done()
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting


async def test_a_client_that_goes_away_cancels_nothing(r: Crashing) -> None:
    asked = await r.posted((await r.ask(to=[f"slack:{CHANNEL}", f"telegram:{r.group}"]))["id"])
    for _ in range(3):
        await leave(asyncio.create_task(r.get(asked["id"], wait=30)))
        await leave(asyncio.create_task(follow(r)))
    assert (await r.get(asked["id"]))["status"] == "pending"
    waiting = asyncio.create_task(r.get(asked["id"], wait=30))
    await r.telegram.human.press(TG_ANA, r.group, "Yes")
    assert (await waiting)["status"] == "answered"
    await r.expect_consistent(asked["id"], "answered")
    await r.service.stop()
    r.expect_quiet_log()


async def test_a_service_that_stops_answers_whoever_waits_and_ends_soon(r: Crashing) -> None:
    asked = await r.posted((await r.ask())["id"])
    polls = [asyncio.create_task(r.get(asked["id"], wait=60)) for _ in range(5)]
    streams = [asyncio.create_task(follow(r)) for _ in range(3)]
    await asyncio.sleep(0.3)
    begun = time.monotonic()
    await r.service.stop()
    assert time.monotonic() - begun < 5
    for found in await asyncio.gather(*polls):
        assert (found["id"], found["status"]) == (asked["id"], "pending")
    for lines in await asyncio.gather(*streams):
        assert any(line.startswith("data: ") and asked["id"] in line for line in lines)
    r.expect_quiet_log()


async def test_a_service_that_stops_finishes_the_call_it_has_in_hand(r: Crashing) -> None:
    stopped = r.to_slack.stop("chat.postMessage", stage=Stage.ANSWER)
    asked = await r.ask()
    await stopped.wait()
    ending = asyncio.create_task(r.service.stop())
    await asyncio.sleep(0.5)
    assert not ending.done()
    stopped.release()
    await ending
    await r.service.start(sayso_role="web")  # it does nothing that is owed, so what is posted was noted before
    (copy,) = (await r.get(asked["id"]))["publications"]
    assert copy["state"] == "posted"
    await r.service.stop()
    await r.service.start()
    pressed = await r.slack.person(ANA).press("Yes")
    assert (pressed.status, pressed.trouble, pressed.private) == (200, None, ()), pressed
    await r.expect_consistent(asked["id"], "answered")
    assert len(r.slack.platform.journal.of("chat.postMessage")) == 1
    r.expect_quiet_log()


async def test_a_press_that_is_being_saved_when_the_service_stops_is_saved_and_acknowledged(r: Crashing) -> None:
    asked = await r.posted((await r.ask())["id"])
    stopped = r.to_slack.stop("users.info", stage=Stage.REQUEST)  # who is it? asked before anything is saved
    pressing = asyncio.create_task(r.slack.person(ANA).press("Yes"))
    await stopped.wait()
    ending = asyncio.create_task(r.service.stop())
    await asyncio.sleep(0.3)
    stopped.release()
    seen = await pressing
    assert (seen.status, seen.trouble) == (200, None)
    await ending
    await r.service.start()
    await r.expect_consistent(asked["id"], "answered")
    r.expect_quiet_log()
