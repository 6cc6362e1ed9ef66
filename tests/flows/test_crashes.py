"""`kill -9` at each named step, then a restart: nothing is lost, nothing is doubled, everything owed is done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.flows.crashing import Crashing, crashing, writing_held
from tests.flows.gate import Stage
from tests.flows.killable import Nursery
from tests.flows.rig import ANA, CHANNEL, TG_BEA, eventually, question, sqlite_at


@pytest.fixture
async def r(nursery: Nursery, tmp_path: Path) -> AsyncIterator[Crashing]:
    """A service on SQLite that has not started."""
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as made:
        yield made


async def ask_with_key(r: Crashing, key: str, **changes: Any) -> httpx2.Response:
    return await r.api.post("/v1/interactions", json=question(**changes), headers={"Idempotency-Key": key})


async def lost(call: asyncio.Task[Any]) -> None:
    """The caller's connection broke: it does not know whether it was heard."""
    with pytest.raises(httpx2.HTTPError):
        await call


async def restart(r: Crashing) -> None:
    await r.service.kill()
    await r.service.start()


async def test_an_ask_that_was_not_committed_is_asked_once_when_it_is_sent_again(r: Crashing, tmp_path: Path) -> None:
    await r.service.start()
    with writing_held(tmp_path):
        asking = asyncio.create_task(ask_with_key(r, "k1"))
        await asyncio.sleep(0.3)  # it waits for the writer's lock, which nothing shows from outside
        assert not asking.done()
        await r.service.kill()
    await lost(asking)
    await r.service.start()
    assert (await r.api.get("/v1/interactions")).json()["items"] == []
    again = await ask_with_key(r, "k1")
    assert (again.status_code, again.headers.get("idempotent-replayed")) == (201, None)
    await r.posted(again.json()["id"])
    assert len(r.cards_in_slack("Release 4.2")) == 1
    r.expect_quiet_log()


async def test_an_ask_whose_answer_was_lost_is_asked_once_when_it_is_sent_again(r: Crashing) -> None:
    await r.service.start()
    stopped = r.to_us.stop("/v1/interactions", stage=Stage.ANSWER)
    headers = {"Idempotency-Key": "k2", **r.api.headers}
    asking = asyncio.create_task(r.api.post(f"{r.to_us.url}/v1/interactions", json=question(), headers=headers))
    await stopped.wait()
    await r.service.kill()
    asking.cancel()
    await r.service.start()
    again = await ask_with_key(r, "k2")
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    await r.posted(again.json()["id"])
    assert len((await r.api.get("/v1/interactions")).json()["items"]) == 1
    assert len(r.cards_in_slack("Release 4.2")) == 1
    r.expect_quiet_log()


async def test_a_card_whose_process_died_right_after_the_201_is_posted_in_each_chat(r: Crashing) -> None:
    await r.service.start(sayso_role="web")  # it answers, and leaves posting to others
    asked = await r.ask(to=[f"slack:{CHANNEL}", f"telegram:{r.group}"])
    await restart(r)
    await r.posted(asked["id"])
    assert len(r.cards_in_slack("Release 4.2")) == 1
    assert len(r.cards_in_telegram("Release 4.2")) == 1
    await r.slack.person(ANA).press("Yes")
    await r.expect_consistent(asked["id"], "answered")
    r.expect_quiet_log()


async def test_a_post_that_slack_took_unheard_is_found_again_and_not_repeated(r: Crashing) -> None:
    await r.service.start()
    stopped = r.to_slack.stop("chat.postMessage", stage=Stage.ANSWER)
    asked = await r.ask()
    await stopped.wait()
    await restart(r)
    now = await r.posted(asked["id"])
    (card,) = r.cards_in_slack("Release 4.2")
    assert now["publications"][0]["message"] == card.ts
    assert len(r.slack.platform.journal.of("chat.postMessage")) == 1
    await r.slack.person(ANA).press("Yes")
    await r.expect_consistent(asked["id"], "answered")
    r.expect_quiet_log()


async def test_a_post_that_telegram_took_unheard_is_proved_by_a_press_and_not_repeated(r: Crashing) -> None:
    await r.service.start()
    stopped = r.to_telegram.stop("sendMessage", "Release", stage=Stage.ANSWER)
    asked = await r.ask(to=[f"telegram:{r.group}", f"slack:{CHANNEL}"])
    await stopped.wait()
    await restart(r)

    async def waits() -> bool:
        return bool((await r.get(asked["id"]))["publications"][0]["state"] == "unknown")

    await eventually(waits)
    tap = await r.telegram.human.press(TG_BEA, r.group, "No")
    assert tap.answer is not None
    assert tap.answer.text == "Saved: No"
    settled = await r.expect_consistent(asked["id"], "answered")
    assert settled["outcome"]["by"]["identity"] == f"telegram:{TG_BEA}"
    assert len(r.cards_in_telegram("Release 4.2")) == 1
    r.expect_quiet_log()
