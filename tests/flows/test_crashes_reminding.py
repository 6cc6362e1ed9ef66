"""Processes that die while they remind people of cards and work orders: no reminder comes twice, none still to come
is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.events import LoopEventType
from tests.flows.crashing import Crashing, crashing
from tests.flows.gate import Stage
from tests.flows.killable import Nursery
from tests.flows.rig import CHANNEL, confirmation, eventually, sqlite_at

CARD, ORDER = "Release 4.2", "[NUDGE wo-1]"
OF_CARD = ("Reminder 1 of 2", "Reminder 2 of 2")
OF_ORDER = ("[nudge 1/2]", "[nudge 2/2]")


def _said(r: Crashing, words: str) -> int:
    """How often something was said in the channel."""
    return sum(
        words in one.text or words in str(one.blocks) for one in r.slack.platform.world.messages[CHANNEL].values()
    )


async def _comes(r: Crashing, words: str, seconds: float = 60.0) -> None:
    async def look() -> bool:
        return _said(r, words) > 0

    await eventually(look, seconds)


async def _asked(r: Crashing, every: str) -> str:
    nudges = {"every": every, "gaps": "even", "max": 2}
    asked = await r.ask(**confirmation(policy={"expires_in": "1h", "nudges": nudges}))
    id: str = (await r.posted(asked["id"]))["id"]
    return id


async def _ordered(r: Crashing, every: str, *, id: str = "wo-1", most: int = 2) -> None:
    body: dict[str, Any] = {
        "to": f"slack:{CHANNEL}",
        "id": id,
        "title": "Audit",
        "nudges": {"every": every, "max": most},
    }
    answer = await r.api.post("/v1/loops", json=body)
    assert answer.status_code == 201, answer.text
    await _comes(r, f"[WO:{id}]", 10)


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("stage", [Stage.REQUEST, Stage.ANSWER])
async def test_of_two_processes_one_dies_while_it_reminds_and_the_other_goes_on(
    nursery: Nursery, fresh_database: Callable[[], str], tmp_path: Path, stage: Stage
) -> None:
    async with crashing(nursery, fresh_database(), tmp_path, processes=2) as r:
        first, second = r.lives
        await first.start()
        r.to_us.upstream = r.api.base_url = first.url
        stopped = [r.to_slack.stop("chat.postMessage", words, stage=stage) for words in ("Reminder 1", "nudge 1")]
        id = await _asked(r, "4s")
        await _ordered(r, "4s")
        for one in stopped:
            await one.wait()
        await asyncio.gather(first.kill(), second.start())
        r.to_us.upstream = r.api.base_url = second.url
        # Whether the first ones arrived nobody knows but Slack, so they are never sent again; the next ones come.
        for words in (OF_CARD[1], OF_ORDER[1]):
            await _comes(r, words)
        await asyncio.sleep(2)
        arrived = 0 if stage is Stage.REQUEST else 1
        assert [_said(r, words) for words in (*OF_CARD, *OF_ORDER)] == [arrived, 1, arrived, 1]
        assert [one["type"] for one in await r.receipts(id)].count("nudged") == 2
        assert len(await r.events(LoopEventType.NUDGED)) == 2
        r.expect_quiet_log()


@pytest.mark.timeout(60)
async def test_what_fell_due_while_nobody_ran_is_reminded_of_once_by_the_next_life(
    nursery: Nursery, tmp_path: Path
) -> None:
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as r:
        await r.service.start()
        id = await _asked(r, "1s")
        await _ordered(r, "1s")
        await r.service.kill()
        before = [_said(r, words) for words in (*OF_CARD, *OF_ORDER)]
        assert max(before) <= 1
        await asyncio.sleep(2.5)
        await r.service.start()
        for words in (OF_CARD[1], OF_ORDER[1]):
            await _comes(r, words, 20)
        after = [_said(r, words) for words in (*OF_CARD, *OF_ORDER)]
        assert max(after) == 1
        sent = [one["type"] for one in await r.receipts(id)].count("nudged")
        assert 1 <= sent <= 2
        r.expect_quiet_log()


@pytest.mark.timeout(90)
@pytest.mark.parametrize("stage", [pytest.param(Stage.REQUEST, marks=pytest.mark.slow), Stage.ANSWER])
async def test_the_last_reminder_of_an_order_is_not_said_again_by_the_next_life(
    nursery: Nursery, tmp_path: Path, stage: Stage
) -> None:
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as r:
        await r.service.start()
        stopped = r.to_slack.stop("chat.postMessage", "nudge 1", stage=stage)
        await _ordered(r, "1s", most=1)
        await stopped.wait()
        await r.service.kill()
        await r.service.start()
        # The reminders of a channel go out one by one: once another order's is there, that one's turn is over.
        await _ordered(r, "1s", id="wo-2", most=1)
        await _comes(r, "[NUDGE wo-2]")
        assert _said(r, ORDER) == (0 if stage is Stage.REQUEST else 1)
        assert [one["data"]["loop"]["id"] for one in await r.events(LoopEventType.NUDGED)] == ["wo-1", "wo-2"]
        r.expect_quiet_log()
