"""PostgreSQL falls while everybody is at work, and comes back: what was acknowledged holds, once, and nobody is told
that something broke here."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bot.startup import WORKSPACE
from core.store import Store, open_engine
from tests.chains import first_break
from tests.flows.processes import Process, process
from tests.flows.rig import KEY, confirmation, free_port
from tests.postgres import fallible_server

pytestmark = pytest.mark.slow

AGENTS, FALLS, AWAY = 8, 3, 2.0
BEARER = {"Authorization": f"Bearer {KEY}"}


class Asking:
    """Agents that ask and answer, each request until it is taken; every status that came is counted."""

    def __init__(self, processes: Sequence[Process]) -> None:
        self._urls = [one.url for one in processes]
        self.statuses: Counter[int] = Counter()
        self.answered: dict[str, str] = {}
        self.over = asyncio.Event()

    async def work(self, name: int) -> None:
        """Ask and answer until it is over."""
        number = 0
        async with httpx2.AsyncClient(headers=BEARER, timeout=60) as http, asyncio.TaskGroup() as group:
            while not self.over.is_set():
                number += 1
                body = confirmation(to="review", audience={"answerers": ["agent:operator"]})
                key = {"Idempotency-Key": f"{name}-{number}"}
                asked = await self._until_taken(http, name + number, "POST", "/v1/interactions", json=body, headers=key)
                waiting = group.create_task(self._until_answered(http, name, asked["id"]))
                act = {"revision": asked["revision"]}
                path = f"/v1/interactions/{asked['id']}/accept"
                taken = await self._until_taken(http, name + number, "POST", path, json=act)
                assert (await waiting)["outcome"] == taken["outcome"]
                self.answered[asked["id"]] = taken["outcome"]["receipt"]

    async def _until_answered(self, http: httpx2.AsyncClient, name: int, id_: str) -> dict[str, Any]:
        while True:
            found = await self._until_taken(http, name, "GET", f"/v1/interactions/{id_}?wait=20")
            if found["status"] != "pending":
                return found

    async def _until_taken(
        self, http: httpx2.AsyncClient, turn: int, method: str, path: str, **more: Any
    ) -> dict[str, Any]:
        while True:
            try:
                response = await http.request(method, f"{self._urls[turn % len(self._urls)]}{path}", **more)
            except httpx2.TransportError:
                continue  # a very slow machine: the connection was kept open for long enough, and no longer
            self.statuses[response.status_code] += 1
            if response.status_code < 300:
                taken: dict[str, Any] = response.json()
                return taken
            assert response.status_code == 503, response.text
            assert int(response.headers["Retry-After"]) > 0
            await asyncio.sleep(0.2)


async def test_what_was_acknowledged_holds_once_and_all_others_hear_to_come_again(tmp_path: Path) -> None:
    with fallible_server(fsync="on", synchronous_commit="on", full_page_writes="on") as (server, fall):
        url = server.render_as_string(hide_password=False)
        async with AsyncExitStack() as stack:
            processes = []
            for number in range(2):
                settings = {
                    "sayso_database_url": url,
                    "sayso_secret_key": "s" * 64,
                    "sayso_api_key": KEY,
                    "sayso_port": free_port(),
                    "sayso_drain": "0s",
                }
                processes.append(await stack.enter_async_context(process(settings, tmp_path / f"log-{number}")))
            asking = Asking(processes)
            agents = [asyncio.ensure_future(asking.work(number)) for number in range(AGENTS)]
            for _ in range(FALLS):
                before = len(asking.answered)
                while len(asking.answered) < before + 3 * AGENTS:
                    assert [one.exception() for one in agents if one.done()] == []
                    await asyncio.sleep(0.1)  # the agents answer in a process of their own
                await asyncio.to_thread(fall, AWAY)
                for one in processes:
                    await one.ready()
            asking.over.set()
            await asyncio.gather(*agents)
            for one in processes:
                await one.stop()
        assert asking.statuses[503] > 0  # they did notice
        await _check(url, asking)
    for number in range(2):
        log = (tmp_path / f"log-{number}").read_text()
        assert "a request failed" in log
        assert log.count('"exception"') == 0, log[-4000:]  # that the database was away takes no traceback
        assert len(log.splitlines()) < 40 * FALLS + 10 * len(asking.answered)


async def _check(url: str, asking: Asking) -> None:
    store = Store(open_engine(url))
    for id_, receipt in asking.answered.items():
        chain = await store.records.receipts(WORKSPACE, id_)
        assert first_break(chain) is None
        assert [one.type.value for one in chain].count("accepted") == 1
        assert receipt in [one.id for one in chain]
    counts = await store.records.counts(datetime.now(UTC))
    assert counts.pending == 0  # no request was taken twice: a second card would still be open
    await store.close()
