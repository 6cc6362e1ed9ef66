"""A stop that was asked for: load balancers are sent away first, and everybody who still comes is served meanwhile."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from tests.flows.crashing import Crashing, crashing
from tests.flows.killable import Nursery
from tests.flows.rig import ANA, eventually, sqlite_at


@pytest.fixture
async def r(nursery: Nursery, tmp_path: Path) -> AsyncIterator[Crashing]:
    """A service on SQLite, not started."""
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as made:
        yield made


async def test_between_the_stop_and_the_end_it_is_not_ready_and_serves_everybody(r: Crashing) -> None:
    await r.service.start(sayso_drain="10m")
    asked = await r.posted((await r.ask())["id"])
    assert "connection" not in (await r.api.get("/readyz")).headers
    waiting = asyncio.create_task(r.get(asked["id"], wait=60))
    r.service.tell(signal.SIGTERM)

    async def refuses() -> httpx2.Response | None:
        answer = await r.api.get("/readyz")
        return answer if answer.status_code == 503 else None

    refused: httpx2.Response = await eventually(refuses)
    assert refused.json() == {"ready": False, "stopping": True, "chats": {}}
    assert refused.headers["connection"] == "close"
    assert (await r.api.get("/healthz")).status_code == 200
    # Who was there is not sent away, what is new is done to its end, chats and all, and a wait is a wait.
    assert not waiting.done()
    later = await r.posted((await r.ask(title="Later"))["id"])
    copy = later["publications"][0]
    seen = await r.slack.person(ANA).press("Yes", ts=copy["message"], channel=copy["channel"])
    assert (seen.status, seen.trouble) == (200, None)
    await r.expect_consistent(later["id"], "answered")
    assert not waiting.done()
    waiting.cancel()
    r.service.tell(signal.SIGTERM)  # a second one does not wait
    await r.service.ended()


async def test_then_long_polls_are_answered_and_the_process_ends(r: Crashing) -> None:
    await r.service.start(sayso_drain="1s")
    asked = await r.ask()
    waiting = asyncio.create_task(r.get(asked["id"], wait=60))
    await r.posted(asked["id"])
    r.service.tell(signal.SIGTERM)
    assert (await waiting)["status"] == "pending"
    await r.service.ended()
    r.expect_quiet_log()


async def test_ctrl_c_waits_for_no_balancer(r: Crashing) -> None:
    await r.service.start(sayso_drain="10m")
    r.service.tell(signal.SIGINT)
    await r.service.ended()
    r.expect_quiet_log()
