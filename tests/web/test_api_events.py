"""Events: one order, no gap, as a list and as a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from bot.startup import WORKSPACE
from bot.web.api import build_api
from bot.web.stream import _stream
from core.acts import Comment, Respond
from core.kinds.answers import Answer
from tests.web.calling import ANA, Calling, confirmation, for_agent, key_of, question
from tests.web.serving import served, until

YES = Respond({"ship": Answer(value="yes")}, 1)


async def test_every_change_is_an_event_in_order(either_api: Calling) -> None:
    id = await either_api.ask(question(continuation={"state": {"run": 7}}))
    await either_api.call("PATCH", f"/interactions/{id}", {"revision": 1, "title": "Release 4.3"})
    await either_api.answer_as(ANA, id, Comment("which one?"))
    done = await either_api.answer_as(ANA, id, Respond({"ship": Answer(value="yes")}, 2))
    await either_api.post(f"/interactions/{id}/reply", {"text": "Shipped."})
    items = (await either_api.get("/events")).json()["items"]
    assert [one["type"].removeprefix("interaction.") for one in items] == [
        "created", "patched", "commented", "answered", "replied",
    ]  # fmt: skip
    commented, answered, replied = items[2], items[3], items[4]
    assert (commented["data"]["text"], commented["data"]["by"]["handle"]) == ("which one?", "ana")
    assert (replied["data"]["text"], replied["data"]["by"]["handle"]) == ("Shipped.", "builder")
    assert set(answered) == {"id", "type", "timestamp", "data"}
    assert answered["data"]["state"] == {"run": 7}
    assert answered["data"]["interaction"] == done.snapshot
    assert answered["timestamp"].endswith("Z")
    after = (await either_api.get(f"/events?after={items[2]['id']}")).json()
    assert after["items"] == items[3:]
    assert after["next"] is None


async def test_event_pages_hold_everything_once(api: Calling) -> None:
    for _ in range(5):
        await api.ask()
    found: list[str] = []
    path = "/events?limit=2"
    while True:
        page = (await api.get(path)).json()
        found += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        path = f"/events?limit=2&after={page['next']}"
    assert len(found) == len(set(found)) == 5


async def test_a_key_hears_only_of_what_it_may_read(api: Calling) -> None:
    own = await api.ask()
    naming = await api.ask(question(**for_agent("reviewer")), by="stranger")

    async def heard(name: str) -> list[str]:
        items = (await api.get("/events", by=name)).json()["items"]
        return [one["data"]["interaction"]["id"] for one in items]

    assert await heard("builder") == [own]
    assert await heard("reviewer") == await heard("stranger") == [naming]
    assert await heard("boss") == [own, naming]


@dataclass
class Told:
    """One message of a stream."""

    id: str
    data: dict[str, Any]


async def _messages(response: httpx2.Response) -> AsyncIterator[Told]:
    fields: dict[str, str] = {}
    async for line in response.aiter_lines():
        if line == "":
            if "data" in fields:
                yield Told(fields["id"], json.loads(fields["data"]))
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


@asynccontextmanager
async def streaming(
    address: str, by: str = "builder", query: str = "", last: str | None = None
) -> AsyncIterator[AsyncIterator[Told]]:
    headers = {"Authorization": f"Bearer {key_of(by)}", "Accept": "text/event-stream"}
    if last is not None:
        headers["Last-Event-ID"] = last
    async with (
        httpx2.AsyncClient(timeout=30) as http,
        http.stream("GET", f"{address}/v1/events{query}", headers=headers) as response,
    ):
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield _messages(response)


async def take(messages: AsyncIterator[Told], count: int) -> list[Told]:
    return [await asyncio.wait_for(anext(messages), 20) for _ in range(count)]


async def test_a_stream_replays_what_was_and_goes_on_with_what_happens(api: Calling) -> None:
    first = await api.ask()
    async with served(build_api(api.services)) as address, streaming(address) as messages:
        assert [one.data["data"]["interaction"]["id"] for one in await take(messages, 1)] == [first]
        await api.answer_as(ANA, first, YES)
        told = (await take(messages, 1))[0]
        assert told.data["type"] == "interaction.answered"
        assert told.id == told.data["id"]
        assert (await api.get("/events")).json()["items"][-1] == told.data


@pytest.mark.parametrize("how", ["query", "header", "header wins"])
async def test_a_stream_goes_on_after_the_event_that_was_last_heard(api: Calling, how: str) -> None:
    for _ in range(3):
        await api.ask()
    ids = [one["id"] for one in (await api.get("/events")).json()["items"]]
    query = {"query": f"?after={ids[1]}", "header": "", "header wins": f"?after={ids[0]}"}[how]
    last = None if how == "query" else ids[1]
    async with served(build_api(api.services)) as address, streaming(address, query=query, last=last) as messages:
        assert [one.id for one in await take(messages, 1)] == [ids[2]]


@pytest.mark.parametrize("total", [40, pytest.param(200, marks=pytest.mark.slow)])
async def test_readers_miss_nothing_beside_many_writers(either_api: Calling, total: int) -> None:
    async with (
        served(build_api(either_api.services)) as address,
        streaming(address, by="boss") as streamed,
    ):
        listed: list[str] = []

        async def poll() -> None:
            cursor = ""
            while len(listed) < total:
                page = (await either_api.get(f"/events?limit=23{cursor}", by="boss")).json()
                listed.extend(one["id"] for one in page["items"])
                cursor = f"&after={listed[-1]}" if listed else ""
                await asyncio.sleep(0.02)  # readers that never pause would only slow the writers down

        async def write(number: int) -> None:
            await either_api.ask(question(title=f"No. {number}"), by=("builder", "stranger")[number % 2])

        heard = asyncio.create_task(take(streamed, total))
        await asyncio.gather(poll(), *map(write, range(total)))
        told = await heard
    in_order = [one["id"] for one in await everything(either_api)]
    assert [one.id for one in told] == listed == in_order
    assert len(set(in_order)) == total


async def everything(api: Calling) -> list[dict[str, Any]]:
    events = await api.store.records.events(WORKSPACE, None, limit=1000)
    return [event.wire() for event in events]


async def test_a_quiet_stream_beats_and_ends_when_its_key_is_revoked(
    api: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.web.stream.HEARTBEAT_SECONDS", 0.05)
    async with served(build_api(api.services)) as address, httpx2.AsyncClient(timeout=30) as http:
        headers = {"Authorization": f"Bearer {key_of('stranger')}", "Accept": "text/event-stream"}
        async with http.stream("GET", f"{address}/v1/events", headers=headers) as response:
            lines = response.aiter_lines()
            assert [await anext(lines) for _ in range(4)] == ["retry: 1000", "", ": ", ""]
            async with api.store.work() as work:
                await work.revoke_agent(WORKSPACE, "agt_stranger", api.clock.now())
                await work.commit()
            rest = [line async for line in lines]
    assert set(rest) <= {": ", ""}


async def test_a_busy_stream_ends_when_its_key_is_revoked(api: Calling, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.web.stream.HEARTBEAT_SECONDS", 0.2)

    async def go_on_asking() -> None:
        while True:
            await api.ask(question(title="More"), by="stranger")

    stream = _stream(api.services, api.agents["boss"], 0)
    asking = asyncio.create_task(go_on_asking())
    try:
        async with asyncio.timeout(20):
            while not (await anext(stream)).startswith(b"id: "):
                continue  # however slow this machine is, it tells something first
            async with api.store.work() as work:
                await work.revoke_agent(WORKSPACE, "agt_boss", api.clock.now())
                await work.commit()
            async for _ in stream:
                continue
    finally:
        asking.cancel()
        await asyncio.wait([asking])
    assert asking.cancelled(), "it was asked to the end"


async def test_a_stream_ends_cleanly_when_the_service_stops(api: Calling) -> None:
    async with served(build_api(api.services)) as address, streaming(address) as messages:
        await api.ask(confirmation())
        await take(messages, 1)
        await api.services.waiter.close()
        assert [one async for one in messages] == []


async def test_what_a_client_that_left_had_is_let_go(api: Calling) -> None:
    async with served(build_api(api.services)) as address:
        async with streaming(address) as messages:
            await api.ask()
            await take(messages, 1)
            assert len(api.services.waiter._bells) == 1
        await until(lambda: not api.services.waiter._bells)
