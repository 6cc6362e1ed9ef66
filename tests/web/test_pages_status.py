"""The page of how things stand: for operators of one workspace, with what to look at first and what to do about it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.startup import WORKSPACE
from core.outbox import Claimed, Delivery, Hear, Lane, Say, Task
from tests.web.visiting import NOW, Browser, Stage, staged

SAY = Say(provider="slack", account="T1", channel="C9", text="The secret plan")
HEAR = Hear(event="evt_01", agent="agt_builder", url="https://hooks.example.com/s3cret?token=abc")


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


async def read(stage: Stage, who: str) -> str:
    browser: Browser = stage.browser()
    await browser.sign_in(who)
    answer = await browser.open("/status")
    assert answer.status_code == 200
    return answer.text


async def give_up(stage: Stage, task: Task, lane: Lane, why: str, workspace: str = WORKSPACE) -> None:
    await owe(stage, task, lane, workspace)
    (claimed,) = await claim(stage, lane)
    async with stage.store.work() as work:
        await work.abandon(claimed, why)
        await work.commit()


async def owe(stage: Stage, task: Task, lane: Lane, workspace: str = WORKSPACE) -> None:
    own = Delivery(
        id=f"dlv_{lane.value}", workspace=workspace, lane=lane, key="key", task=task, due_at=stage.clock.now()
    )
    async with stage.store.work() as work:
        await work.owe(own)
        await work.commit()


async def claim(stage: Stage, lane: Lane) -> tuple[Claimed, ...]:
    now = stage.clock.now()
    return tuple(await stage.store.outbox.claim([lane], now, now + timedelta(minutes=1), "me", 5))


async def test_where_all_is_well_it_says_so(stage: Stage) -> None:
    page = await read(stage, "ana")
    assert "Everything works." in page
    assert "Slack: Acme" in page
    assert page.count("Connected") == 2
    assert "Nothing was given up." in page


async def test_a_dead_account_comes_first_with_what_to_do(stage: Stage) -> None:
    stage.accounts["con_1"] = replace(stage.accounts["con_1"], problem="Slack says: token_revoked")
    page = await read(stage, "ana")
    assert "Slack: Acme cannot be used: Slack says: token_revoked. Run sayso doctor." in page


async def test_what_was_given_up_is_told_without_content_or_secret(stage: Stage) -> None:
    await give_up(stage, SAY, Lane.TALK, "channel_not_found")
    await give_up(stage, HEAR, Lane.HEAR, "the receiver answered 410")
    page = await read(stage, "ana")
    for words in ("slack:T1.C9", "channel_not_found", "hooks.example.com", "sayso replay evt_01"):
        assert words in page
    assert "Everything works now. What was given up before is" in page
    assert "secret plan" not in page
    assert "s3cret" not in page


async def test_what_is_late_is_said_in_words(stage: Stage) -> None:
    await owe(stage, SAY, Lane.POST)
    browser = stage.browser()
    await browser.sign_in("ana")
    stage.clock.move(minutes=5)
    assert "Cards and results are late by 5 minutes." in (await browser.open("/status")).text


async def test_another_workspace_is_not_on_the_page(stage: Stage) -> None:
    other = "wsp_0000000000000000000000000z"
    async with stage.store.work() as work:
        await work.add_workspace(other, "elsewhere", NOW)
        await work.commit()
    stage.accounts["con_9"] = replace(stage.accounts["con_1"], workspace=other, name="Elsewhere", account="T9")
    await give_up(stage, SAY, Lane.TALK, "a trouble of others", other)
    page = await read(stage, "ana")
    assert "a trouble of others" not in page
    assert "Elsewhere" not in page


async def test_members_get_what_an_unknown_address_gets_and_others_sign_in(stage: Stage) -> None:
    member, nobody = stage.browser(), stage.browser()
    await member.sign_in("ben")
    assert (await member.open("/status")).status_code == 404
    assert "/status" not in (await member.open("/inbox")).text
    answer = await nobody.http.get("/status")
    assert answer.headers["location"].endswith("/signin?next=/status")
