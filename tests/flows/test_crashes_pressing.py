"""`kill -9` between a press and everything that follows from it, then a restart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.flows.crashing import Crashing, crashing, writing_held
from tests.flows.gate import Stage
from tests.flows.killable import Nursery
from tests.flows.receiver import Answer
from tests.flows.rig import ANA, BEA, CHANNEL, TG_ANA, TG_BEA, eventually, sqlite_at


@pytest.fixture
async def r(nursery: Nursery, tmp_path: Path) -> AsyncIterator[Crashing]:
    """A service on SQLite that has started."""
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as made:
        await made.service.start()
        yield made


async def restart(r: Crashing) -> None:
    await r.service.kill()
    await r.service.start()


async def asked_in_both(r: Crashing) -> dict[str, Any]:
    asked = await r.ask(to=[f"slack:{CHANNEL}", f"telegram:{r.group}"], continuation={"webhook": r.asker.url})
    return await r.posted(asked["id"])


async def test_a_press_that_was_not_committed_in_slack_changes_nothing_and_may_be_repeated(
    r: Crashing, tmp_path: Path
) -> None:
    asked = await asked_in_both(r)
    with writing_held(tmp_path):
        pressing = asyncio.create_task(r.slack.person(ANA).press("Yes"))
        await asyncio.sleep(0.3)  # it waits for the writer's lock, which nothing shows from outside
        await r.service.kill()
    assert (await pressing).trouble is not None  # the warning that makes a person press again
    await r.service.start()
    assert (await r.get(asked["id"]))["status"] == "pending"
    again = await r.slack.person(ANA).press("Yes")
    assert (again.status, again.trouble) == (200, None)
    await r.expect_consistent(asked["id"], "answered")
    assert len({one.id for one in r.asker.of(asked["id"])}) == 1
    r.expect_quiet_log()


async def test_a_press_that_was_not_committed_in_telegram_comes_again_by_itself(r: Crashing, tmp_path: Path) -> None:
    asked = await asked_in_both(r)
    with writing_held(tmp_path):
        tap = await r.telegram.human.press(TG_ANA, r.group, "Yes", wait=0.3)
        assert tap.answer is None
        await r.service.kill()
    await r.service.start()
    tap = await r.telegram.human.answered(tap.id)
    assert tap.answer is not None
    assert tap.answer.text == "Saved: Yes"
    await r.expect_consistent(asked["id"], "answered")
    r.expect_quiet_log()


async def test_a_press_whose_acknowledgement_was_lost_counts_once(r: Crashing) -> None:
    asked = await asked_in_both(r)
    stopped = r.to_us.stop("block_actions", stage=Stage.ANSWER)
    pressing = asyncio.create_task(r.slack.person(ANA).press("Yes"))
    await stopped.wait()
    await restart(r)
    assert (await pressing).trouble is not None
    # The same delivery once more, and the same person once more on the card they still see.
    await r.slack.replay(1)
    again = await r.slack.person(ANA).press("Yes", version=0, watch=1)
    assert "saved already" in str(again.private)
    settled = await r.expect_consistent(asked["id"], "answered")
    assert settled["outcome"]["via"] == "slack"
    r.expect_quiet_log()


async def test_a_tap_that_was_committed_but_not_answered_counts_once(r: Crashing) -> None:
    asked = await asked_in_both(r)
    stopped = r.to_telegram.stop("answerCallbackQuery", stage=Stage.REQUEST)
    await r.telegram.human.press(TG_BEA, r.group, "No", wait=0.01)
    await stopped.wait()
    await restart(r)
    settled = await r.expect_consistent(asked["id"], "answered")
    message = int(settled["publications"][1]["message"])
    again = await r.telegram.human.press(TG_BEA, r.group, "No", message_id=message, version=0)
    assert again.answer is not None
    assert "saved already" in again.answer.text
    assert [one["type"] for one in await r.receipts(asked["id"])] == ["created", "answered"]
    r.expect_quiet_log()


async def test_what_a_decision_owes_is_done_by_the_next_process(r: Crashing) -> None:
    asked = await asked_in_both(r)
    await r.service.kill()
    await r.service.start(sayso_role="web")  # it decides, and leaves what follows to others
    pressed = await r.slack.person(ANA).press("Yes")
    assert pressed.status == 200
    await restart(r)
    await r.expect_consistent(asked["id"], "answered")
    (heard,) = await r.asker.until(1)
    assert heard.event["data"]["interaction"]["outcome"]["answer"] == {"q1": {"value": "yes"}}
    r.expect_quiet_log()


# What the provider never heard is sent again, as in the test above: the one that it heard is the harder.
@pytest.mark.parametrize("stage", [pytest.param(Stage.REQUEST, marks=pytest.mark.slow), Stage.ANSWER])
async def test_what_was_on_the_wire_is_finished_by_the_next_process(r: Crashing, stage: Stage) -> None:
    asked = await asked_in_both(r)
    r.asker.answers.append(Answer(let_go=asyncio.Event()))
    redraws = [r.to_slack.stop("chat.update", stage=stage), r.to_telegram.stop("editMessageText", stage=stage)]
    await r.slack.person(BEA).press("No")
    for redraw in redraws:
        await redraw.wait()
    await r.asker.until(1)
    await restart(r)
    await r.expect_consistent(asked["id"], "answered")
    first, second = await r.asker.until(2)
    assert first.id == second.id
    assert first.body == second.body
    assert second.event["type"] == "interaction.answered"
    await asyncio.sleep(0.3)
    assert len(r.asker.heard) == 2
    r.expect_quiet_log()


async def test_a_prompt_that_was_owed_is_asked_by_the_next_process(r: Crashing) -> None:
    text = {"id": "q1", "prompt": "What happened?", "type": "text"}
    asked = await r.posted((await r.ask(to=f"telegram:{TG_ANA}", payload={"questions": [text]}))["id"])
    stopped = r.to_telegram.stop("sendMessage", "force_reply", stage=Stage.REQUEST)
    await r.telegram.human.press(TG_ANA, TG_ANA, "Answer…")
    await stopped.wait()
    await restart(r)
    await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, TG_ANA), 10)
    r.telegram.human.answer_prompt(TG_ANA, TG_ANA, "the disk was full")
    now = await r.get(asked["id"], wait=10)
    assert now["outcome"]["answer"] == {"q1": {"value": "the disk was full"}}
    await eventually(lambda: r.shown_settled(asked["id"]))
    r.expect_quiet_log()
