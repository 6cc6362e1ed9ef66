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


async def follow(r: Crashing, heard: asyncio.Semaphore | None = None) -> list[str]:
    """Every line of the stream of events until it ends; `heard` is released with the first event."""
    lines: list[str] = []
    async with r.api.stream("GET", "/v1/events", headers={"Accept": "text/event-stream"}) as stream:
        async for line in stream.aiter_lines():
            if heard is not None and line.startswith("data: ") and not any(one.startswith("data: ") for one in lines):
                heard.release()
            lines.append(line)
    return lines


async def poll(r: Crashing, id: str, sent: asyncio.Semaphore) -> dict[str, Any]:
    """Wait for an interaction; `sent` is released once the request is on its way."""

    async def trace(step: str, _about: dict[str, Any]) -> None:
        if step == "http11.receive_response_headers.started":
            sent.release()

    answer = await r.api.get(f"/v1/interactions/{id}?wait=60", extensions={"trace": trace})
    body: dict[str, Any] = answer.json()
    return body


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
    sent, heard = asyncio.Semaphore(0), asyncio.Semaphore(0)
    polls = [asyncio.create_task(poll(r, asked["id"], sent)) for _ in range(5)]
    for _ in polls:
        await sent.acquire()
    streams = [asyncio.create_task(follow(r, heard)) for _ in range(3)]
    for _ in streams:
        await heard.acquire()  # whoever is served after the polls arrived: the service has all of them in hand
    begun = time.monotonic()
    await r.service.stop()
    assert time.monotonic() - begun < 30, "half of what those who wait are ready to wait"
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
