"""What the asker hears by webhook: signed, once under one id, again until it arrives, and nowhere it may not go."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.errands.receivers import AT_ONCE
from bot.relay import IN_HAND
from core.outbox import Lane
from tests.flows.receiver import Answer, Receiver, receiving
from tests.flows.rig import ANA, CHANNEL, TG_ANA, Rig, eventually, rig, sqlite_at
from tests.flows.trouble import PushedClock


@asynccontextmanager
async def asker_and_rig(folder: Path, **more: Any) -> AsyncIterator[tuple[Receiver, Rig]]:
    async with receiving() as asker, rig(sqlite_at(folder), **more) as r:
        yield asker, r


async def answered(r: Rig, asker: Receiver, **changes: Any) -> dict[str, Any]:
    """Ask with a webhook, and let Ana answer in Slack."""
    continuation = {"webhook": asker.url, "state": {"run": 7, "note": "déjà vu 🙂"}}
    asked = await r.posted((await r.ask(continuation=continuation, **changes))["id"])
    await r.slack.person(ANA).press("Yes", channel=CHANNEL, ts=asked["publications"][0]["message"])
    return await r.get(asked["id"], wait=5)


async def test_long_poll_list_stream_and_webhook_carry_one_event_under_one_id(tmp_path: Path) -> None:
    async with asker_and_rig(tmp_path) as (asker, r):
        streamed: list[tuple[str, dict[str, Any]]] = []

        async def follow() -> None:
            headers = {"Accept": "text/event-stream"}
            async with r.api.stream("GET", "/v1/events", headers=headers) as stream:
                id_ = ""
                async for line in stream.aiter_lines():
                    if line.startswith("id: "):
                        id_ = line.removeprefix("id: ")
                    if line.startswith("data: "):
                        streamed.append((id_, json.loads(line.removeprefix("data: "))))

        following = asyncio.create_task(follow())
        continuation = {"webhook": asker.url, "state": {"run": 7}}
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}", continuation=continuation))["id"])
        polling = asyncio.create_task(r.get(asked["id"], wait=20))
        await r.telegram.human.press(TG_ANA, r.group, "No")
        polled = await polling
        (heard,) = await asker.until(1)
        (listed,) = await r.events("interaction.answered")

        async def seen() -> bool:
            return any(one["type"] == "interaction.answered" for _, one in streamed)

        await eventually(seen)
        following.cancel()
        id_, told = next((id_, one) for id_, one in streamed if one["type"] == "interaction.answered")
        assert listed["id"] == heard.id == id_ == told["id"]
        assert listed == told
        assert heard.event == {name: listed[name] for name in ("type", "timestamp", "data")}
        assert heard.event["data"]["state"] == {"run": 7}
        assert heard.event["data"]["interaction"]["outcome"] == polled["outcome"]
        assert heard.headers["content-type"] == "application/json"


async def test_a_comment_is_heard_before_the_answer_and_what_the_asker_did_is_not_told_to_it(tmp_path: Path) -> None:
    async with asker_and_rig(tmp_path) as (asker, r):
        asker.answers.append(Answer(500))  # what comes later waits for it
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}", continuation={"webhook": asker.url}))["id"])
        changed = await r.api.patch(f"/v1/interactions/{asked['id']}", json={"revision": 1, "title": "Release 4.3"})
        assert changed.status_code == 200
        message = int(asked["publications"][0]["message"])
        await r.telegram.until(lambda: "Release 4.3" in r.telegram_message(asked["publications"][0]).text)
        r.telegram.human.write(TG_ANA, r.group, "which canary?", reply_to=message)
        await eventually(lambda: r.events("interaction.commented"))
        await r.telegram.human.press(TG_ANA, r.group, "Yes")
        heard = await asker.until(3)
        assert [one.event["type"] for one in heard] == [
            "interaction.commented", "interaction.commented", "interaction.answered",
        ]  # fmt: skip
        assert heard[0].id == heard[1].id != heard[2].id
        assert heard[0].event["data"]["text"] == "which canary?"


async def test_what_is_not_taken_is_sent_again_in_growing_gaps_under_the_same_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.webhooks.DEADLINE_SECONDS", 1.5)
    async with asker_and_rig(tmp_path) as (asker, r):
        asker.answers += [Answer(500), Answer(after=4.0)]
        await answered(r, asker)
        heard = await asker.until(3, 20)
        assert len({one.id for one in heard}) == 1
        assert len({one.body for one in heard}) == 1
        for one in heard:
            assert one.event["type"] == "interaction.answered"  # each is signed for its own moment
        gaps = [later.at - earlier.at for earlier, later in itertools.pairwise(heard)]
        assert all(gap >= least for gap, least in zip(gaps, (0.5, 1.0), strict=True)), gaps
        await asyncio.sleep(0.5)
        assert len(asker.heard) == 3


async def test_a_receiver_that_asks_to_wait_is_left_alone_that_long(tmp_path: Path) -> None:
    async with asker_and_rig(tmp_path) as (asker, r):
        asker.answers.append(Answer(429, {"Retry-After": "2"}))
        await answered(r, asker)
        first, second = await asker.until(2)
        assert second.at - first.at >= 2.0


async def test_a_receiver_that_is_gone_is_never_called_again(tmp_path: Path) -> None:
    clock = PushedClock()
    async with asker_and_rig(tmp_path, clock=clock) as (asker, r):
        asker.answers.append(Answer(410))
        await answered(r, asker)
        await asker.until(1)
        for _ in range(3):
            clock.push(24 * 3600)
            await asyncio.sleep(0.3)
        assert len(asker.heard) == 1


async def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    async with receiving() as elsewhere, asker_and_rig(tmp_path) as (asker, r):
        asker.answers.append(Answer(307, {"Location": elsewhere.url}))
        await answered(r, asker)
        first, second = await asker.until(2)
        assert first.id == second.id
        assert elsewhere.heard == []


async def test_a_slow_receiver_holds_up_nobody_else(tmp_path: Path) -> None:
    async with receiving() as slow, asker_and_rig(tmp_path) as (asker, r):
        never = asyncio.Event()
        slow.answers += [Answer(let_go=never)] * 100
        for _ in range(IN_HAND[Lane.HEAR] + 8):
            asked = await r.ask(
                to="review", audience={"answerers": ["role:operator"]}, continuation={"webhook": slow.url}
            )
            await r.api.post(f"/v1/interactions/{asked['id']}/withdraw")
        await slow.until(AT_ONCE)
        await answered(r, asker, title="Quick")
        await asker.until(1, 4)
        assert len(slow.heard) == AT_ONCE
        never.set()


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/hook", "https://127.0.0.1:{port}/hook"])
async def test_an_address_of_this_machine_is_not_called_unless_it_is_allowed(tmp_path: Path, url: str) -> None:
    async with asker_and_rig(tmp_path, sayso_webhook_allow="") as (asker, r):
        port = asker.url.rpartition(":")[2].partition("/")[0]
        continuation = {"webhook": url.format(port=port)}
        asked = await r.posted((await r.ask(continuation=continuation))["id"])
        await r.slack.person(ANA).press("Yes")
        now = await r.shown_settled(asked["id"])
        assert now["status"] == "answered"  # the answer itself is not lost with it

        async def tried() -> bool:
            metrics = (await r.api.get("/metrics")).text
            return "sayso_deliveries_retrying 1.0" in metrics

        await eventually(tried)
        assert asker.heard == []
