"""The main job, driven from outside: asked by API, answered in chat, heard by the asker, shown to everybody.

The press, the tap and the card in both chats are followed on either database. What the rest asks of a database is the
same, and tests/contracts asks it of both.
"""

from __future__ import annotations

from typing import Any

import pytest

from adapters.slack.forms import NOT_AS_ASKED
from bot.sandbox.telegram.faults import FaultKind
from tests.flows.rig import ANA, BEA, CHANNEL, TG_ANA, TG_BEA, Rig, choice, confirmation, question, rig
from tests.stores import empty_mostly_sqlite
from tests.stores import mostly_sqlite_url as store_url

__all__ = ["store_url"]


@empty_mostly_sqlite
@pytest.mark.parametrize("socket_mode", [False, True], ids=["http", "socket"])
async def test_a_question_in_slack_is_answered_by_a_press_and_heard_everywhere(
    database_url: str, socket_mode: bool
) -> None:
    async with rig(database_url, socket_mode=socket_mode) as r:
        asked = await r.posted((await r.ask())["id"])
        seen = await r.slack.person(ANA).press("Yes")
        assert (seen.status, seen.trouble) == (200, None)
        await expect_heard(r, asked, "slack", f"slack:{r.slack.team_id}.{ANA}")
        settled = await r.shown_settled(asked["id"])
        message = r.slack_message(settled["publications"][0])
        assert "Yes" in str(message.blocks)
        assert "Ana" in message.text or "ana" in message.text
        assert not [block for block in message.blocks if block["type"] in ("actions", "input")]


async def test_a_question_in_telegram_is_answered_by_a_press_and_heard_everywhere(store_url: str) -> None:
    async with rig(store_url) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}"))["id"])
        tap = await r.telegram.human.press(TG_ANA, r.group, "Yes")
        assert tap.answer is not None
        assert tap.answer.text == "Saved: Yes"
        await expect_heard(r, asked, "telegram", f"telegram:{TG_ANA}")
        settled = await r.shown_settled(asked["id"])
        message = r.telegram_message(settled["publications"][0])
        assert "Ana" in message.content.text
        assert not message.content.keyboard


async def expect_heard(r: Rig, asked: dict[str, Any], via: str, identity: str) -> None:
    """The outcome, the receipt and one event say the same, by long poll, list and chain."""
    now = await r.get(asked["id"], wait=10)
    outcome = now["outcome"]
    assert (now["status"], outcome["answer"], outcome["via"]) == ("answered", {"q1": {"value": "yes"}}, via)
    assert outcome["by"]["identity"] == identity
    chain = await r.receipts(asked["id"])
    assert [one["type"] for one in chain] == ["created", "answered"]
    assert chain[-1]["id"] == outcome["receipt"]
    events = await r.events("interaction.answered")
    assert len(events) == 1
    assert events[0]["data"]["interaction"]["outcome"] == outcome


async def test_one_question_to_both_chats_settles_both_copies(store_url: str) -> None:
    async with rig(store_url) as r:
        asked = await r.posted((await r.ask(to=[f"slack:{CHANNEL}", f"telegram:{r.group}"]))["id"])
        await r.telegram.human.press(TG_BEA, r.group, "No")
        settled = await r.shown_settled(asked["id"])
        slack, telegram = settled["publications"]
        assert "Bea" in str(r.slack_message(slack).blocks)
        assert "Bea" in r.telegram_message(telegram).content.text
        late = await r.slack.person(ANA).press("Yes", version=0, watch=1)
        assert late.status == 200
        assert "Bea answered this" in str(late.private)
        assert (await r.get(asked["id"]))["outcome"]["answer"] == {"q1": {"value": "no"}}


async def test_a_confirmation_is_accepted_with_one_press_in_each_chat(sqlite_store_url: str) -> None:
    async with rig(sqlite_store_url) as r:
        for to in (f"slack:{CHANNEL}", f"telegram:{r.group}"):
            asked = await r.posted((await r.ask(**confirmation(to=to)))["id"])
            if to.startswith("slack"):
                await r.slack.person(ANA).press("Deploy")
            else:
                await r.telegram.human.press(TG_ANA, r.group, "Deploy")
            now = await r.get(asked["id"], wait=10)
            assert (now["status"], now["outcome"]["answer"]) == ("accepted", {"accepted": True})


async def test_a_reject_with_a_reason_goes_through_a_modal_in_slack(sqlite_store_url: str) -> None:
    async with rig(sqlite_store_url) as r:
        asked = await r.posted((await r.ask(**confirmation(reason="required")))["id"])
        ana = r.slack.person(ANA)
        seen = await ana.press("Hold", watch=2)
        assert seen.modal is not None
        refused = await ana.submit()
        assert refused.errors
        await ana.fill("too early", on="modal")
        assert (await ana.submit()).trouble is None
        now = await r.get(asked["id"], wait=10)
        assert (now["status"], now["outcome"]["reason"]) == ("rejected", "too early")


async def test_a_reject_with_a_reason_goes_through_a_reply_prompt_in_telegram(sqlite_store_url: str) -> None:
    async with rig(sqlite_store_url) as r:
        asked = await r.posted((await r.ask(**confirmation(reason="required", to=f"telegram:{r.group}")))["id"])
        await r.telegram.human.press(TG_ANA, r.group, "Hold")
        await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, r.group))
        r.telegram.human.answer_prompt(TG_ANA, r.group, "too early")
        now = await r.get(asked["id"], wait=10)
        assert (now["status"], now["outcome"]["reason"]) == ("rejected", "too early")


async def test_a_reply_that_comes_before_telegram_told_that_the_prompt_is_sent_is_taken(sqlite_store_url: str) -> None:
    async with rig(sqlite_store_url) as r:
        asked = await r.posted((await r.ask(**confirmation(reason="required", to=f"telegram:{r.group}")))["id"])
        r.telegram.fail(FaultKind.SLOW, "sendMessage", seconds=0.6)
        await r.telegram.human.press(TG_ANA, r.group, "Hold")
        await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, r.group))
        r.telegram.human.answer_prompt(TG_ANA, r.group, "too early")
        now = await r.get(asked["id"], wait=10)
        assert (now["status"], now["outcome"]["reason"]) == ("rejected", "too early")


async def test_a_typed_answer_goes_through_modal_and_reply(sqlite_store_url: str) -> None:
    text = {
        "id": "q1",
        "prompt": "Which region?",
        "type": "text",
        "pattern": "[a-z]+-[0-9]",
        "pattern_hint": "like eu-1",
    }
    async with rig(sqlite_store_url) as r:
        first = await r.posted((await r.ask(payload={"questions": [text]}))["id"])
        ana = r.slack.person(ANA)
        await ana.press("Answer…", watch=2)
        await ana.fill("Europe", on="modal")
        assert (await ana.submit()).errors == {"q0:1": NOT_AS_ASKED}
        await ana.fill("eu-1", on="modal")
        await ana.submit()
        assert (await r.get(first["id"], wait=10))["outcome"]["answer"] == {"q1": {"value": "eu-1"}}
        second = await r.posted((await r.ask(payload={"questions": [text]}, to=f"telegram:{TG_ANA}"))["id"])
        message = int(second["publications"][0]["message"])
        r.telegram.human.write(TG_ANA, TG_ANA, "eu-2", reply_to=message)
        assert (await r.get(second["id"], wait=10))["outcome"]["answer"] == {"q1": {"value": "eu-2"}}


async def test_several_are_chosen_by_ticks_and_submit(sqlite_store_url: str) -> None:
    choices = {**choice("Red", "Green", "Blue"), "type": "choices"}
    async with rig(sqlite_store_url) as r:
        first = await r.posted((await r.ask(payload={"questions": [choices]}))["id"])
        ana = r.slack.person(ANA)
        await ana.choose("Red", "Blue")
        await ana.press("Submit")
        assert (await r.get(first["id"], wait=10))["outcome"]["answer"] == {"q1": {"values": ["red", "blue"]}}
        second = await r.posted((await r.ask(payload={"questions": [choices]}, to=f"telegram:{r.group}"))["id"])
        for label in ("☐ Green", "☐ Blue"):
            await r.telegram.human.press(TG_ANA, r.group, label)
            ticked = label.replace("☐", "☑")

            def shown(ticked: str = ticked) -> bool:
                return ticked in str(r.telegram_message(second["publications"][0]))

            await r.telegram.until(shown)
        await r.telegram.human.press(TG_ANA, r.group, "Submit")
        assert (await r.get(second["id"], wait=10))["outcome"]["answer"] == {"q1": {"values": ["green", "blue"]}}


async def test_the_result_is_said_under_the_card_where_it_was_asked(sqlite_store_url: str) -> None:
    async with rig(sqlite_store_url) as r:
        asked = await r.posted((await r.ask(to=[f"slack:{CHANNEL}", f"telegram:{r.group}"]))["id"])
        await r.slack.person(BEA).press("Yes")
        sent = await r.api.post(f"/v1/interactions/{asked['id']}/reply", json={"text": "Shipped 4.2 <!channel>"})
        assert sent.status_code == 200, sent.text
        slack, telegram = asked["publications"]

        async def threaded() -> bool:
            messages = r.slack.platform.world.messages[CHANNEL].values()
            return any(one.thread_ts == slack["message"] and "Shipped 4.2" in one.text for one in messages)

        from tests.flows.rig import eventually

        await eventually(threaded)
        said = lambda: [m for m in r.telegram.world.history(r.group) if "Shipped 4.2" in m.content.text]  # noqa: E731  # short
        await r.telegram.until(said)
        assert telegram["message"]
        assert question()
