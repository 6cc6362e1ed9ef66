"""Two processes on one PostgreSQL: when one dies and stays dead, the other one finishes what it had in hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.crashing import Crashing, crashing
from tests.flows.gate import Stage
from tests.flows.killable import Nursery
from tests.flows.receiver import Answer
from tests.flows.rig import ANA, CHANNEL, TG_ANA, sqlite_at


async def both_started(r: Crashing) -> None:
    for one in r.lives:
        await one.start()


async def lone(r: Crashing, number: int) -> None:
    """Only this one is left, and whoever comes goes to it."""
    for other in r.lives:
        if other is not r.lives[number]:
            await other.kill()
    r.to_us.upstream = r.api.base_url = r.lives[number].url


async def test_what_one_process_committed_another_one_shows_and_delivers(
    nursery: Nursery, fresh_database: Callable[[], str], tmp_path: Path
) -> None:
    async with crashing(nursery, fresh_database(), tmp_path, processes=2) as r:
        await r.lives[0].start(sayso_role="web")
        await r.lives[1].start(sayso_role="worker")
        r.to_us.upstream = r.api.base_url = r.lives[0].url
        asked = await r.ask(to=[f"slack:{CHANNEL}", f"telegram:{r.group}"], continuation={"webhook": r.asker.url})
        await r.posted(asked["id"])
        waiting = asyncio.create_task(r.get(asked["id"], wait=20))
        await r.telegram.human.press(TG_ANA, r.group, "Yes")  # the worker fetches it; the poll waits at the other one
        assert (await waiting)["status"] == "answered"
        await r.expect_consistent(asked["id"], "answered")
        (heard,) = await r.asker.until(1)
        assert heard.event["type"] == "interaction.answered"
        r.expect_quiet_log()


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_what_a_dead_process_had_in_hand_the_other_one_finishes(
    nursery: Nursery, fresh_database: Callable[[], str], tmp_path: Path
) -> None:
    async with crashing(nursery, fresh_database(), tmp_path, processes=2) as r:
        await r.lives[0].start()
        r.to_us.upstream = r.api.base_url = r.lives[0].url
        first = await r.posted((await r.ask(title="First", continuation={"webhook": r.asker.url}))["id"])
        r.asker.answers.append(Answer(let_go=asyncio.Event()))
        post = r.to_slack.stop("chat.postMessage", stage=Stage.ANSWER)
        redraw = r.to_slack.stop("chat.update", stage=Stage.REQUEST)
        second = await r.ask(title="Second")
        await post.wait()
        await r.slack.person(ANA).press("Yes", ts=first["publications"][0]["message"], channel=CHANNEL)
        await redraw.wait()
        await r.asker.until(1)
        await r.lives[1].start()
        await lone(r, 1)
        await r.expect_consistent(first["id"], "answered")
        await r.posted(second["id"], 40)
        assert len(r.cards_in_slack("Second")) == 1
        one, again = await r.asker.until(2, 40)
        assert one.id == again.id
        # It fetches from Telegram too, once the dead one's lease is over.
        third = await r.posted((await r.ask(title="Third", to=f"telegram:{r.group}"))["id"])
        await r.telegram.human.press(TG_ANA, r.group, "Yes", wait=45)
        await r.expect_consistent(third["id"], "answered")
        r.expect_quiet_log()


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("stage", [Stage.REQUEST, Stage.ANSWER])
async def test_where_nobody_can_find_out_one_replacement_is_posted_and_every_copy_settles(
    nursery: Nursery, tmp_path: Path, stage: Stage
) -> None:
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as r:
        await r.service.start()
        stopped = r.to_telegram.stop("sendMessage", "Release", stage=stage)
        asked = await r.ask(to=f"telegram:{r.group}")
        await stopped.wait()
        await r.service.kill()
        await r.service.start()
        await r.posted(asked["id"], 80)
        copies = r.cards_in_telegram("Release 4.2")
        assert len(copies) == (1 if stage is Stage.REQUEST else 2)
        # Whichever is pressed, all of them show the answer.
        await r.telegram.human.press(TG_ANA, r.group, "Yes", message_id=copies[0].id)
        await r.shown_settled(asked["id"])
        await r.telegram.until(lambda: not any(one.buttons for one in r.cards_in_telegram("Release 4.2")), 10)
        assert [one["type"] for one in await r.receipts(asked["id"])] == ["created", "answered"]
        r.expect_quiet_log()


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_a_post_that_never_reached_slack_is_made_once_it_cannot_arrive_any_more(
    nursery: Nursery, tmp_path: Path
) -> None:
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as r:
        await r.service.start()
        stopped = r.to_slack.stop("chat.postMessage", stage=Stage.REQUEST)
        asked = await r.ask()
        await stopped.wait()
        await r.service.kill()
        await r.service.start()
        later = await r.posted((await r.ask(title="Later"))["id"])
        assert later["publications"][0]["state"] == "posted"  # it does not hold up the others
        await r.posted(asked["id"], 60)
        assert len(r.cards_in_slack("Release 4.2")) == 1
        r.expect_quiet_log()
