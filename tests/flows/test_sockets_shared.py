"""Socket Mode over several processes: never more connections than there may be, and one in every process that can."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx2
import pytest

from adapters.slack.sockets import LEASE, SLOT_GAP
from tests.flows.crashing import Crashing, crashing
from tests.flows.killable import Killable, Nursery
from tests.flows.rig import ANA, NOBODY, confirmation, eventually

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
SLOTS = 3


@contextlib.asynccontextmanager
async def watched(r: Crashing) -> AsyncIterator[list[int]]:
    """How many connections Slack had whenever one came or went."""
    sockets = r.slack.platform.sockets
    seen = [sockets.count]

    async def watch() -> None:
        while True:
            await sockets.change()
            seen.append(sockets.count)

    watching = asyncio.create_task(watch())
    try:
        yield seen
    finally:
        watching.cancel()


async def connected(r: Crashing, count: int) -> bool:
    return r.slack.platform.sockets.count == count


async def has_one(life: Killable) -> bool:
    async with httpx2.AsyncClient(verify=NOBODY) as client:
        seen = (await client.get(f"{life.url}/readyz")).json()["seen"]
    return bool(seen["slack"]["sockets"]["own"] == 1)


async def answer_one(r: Crashing) -> None:
    """A card is asked, pressed over whichever connection, and settled."""
    card = (await r.api.post("/v1/interactions", json=confirmation(reason="none"))).json()
    copy = (await r.posted(card["id"]))["publications"][0]
    seen = await r.slack.person(ANA).press("Deploy", ts=copy["message"], channel=copy["channel"])
    assert (seen.status, seen.trouble) == (200, None)
    assert (await r.shown_settled(card["id"]))["status"] == "accepted"


@pytest.mark.parametrize("how", ["kill", "stop"])
async def test_those_who_stood_by_take_the_place_of_whoever_is_gone(
    nursery: Nursery, fresh_database: Callable[[], str], tmp_path: Path, how: str
) -> None:
    given = crashing(nursery, fresh_database(), tmp_path, processes=3, socket_mode=True, slack_sockets=SLOTS)
    async with given as r, watched(r) as seen:
        r.slack.request_url = None
        for one in r.lives:
            await one.start()  # two connections, one, none: and all of them are ready
        # Whoever has two gives one to whoever has none.
        await eventually(lambda: has_one(r.lives[2]), LEASE + SLOT_GAP + 20)
        await eventually(lambda: connected(r, SLOTS))
        for _ in r.lives:
            await answer_one(r)
        await (r.lives[0].kill() if how == "kill" else r.lives[0].stop())
        r.api.base_url = r.lives[2].url
        await eventually(lambda: connected(r, SLOTS), LEASE + SLOT_GAP + 20)
        for _ in range(SLOTS):
            await answer_one(r)  # over each of the connections, in turn
        await r.lives[0].start()
        await answer_one(r)
        assert max(seen) == SLOTS
        r.expect_quiet_log()
