"""Work orders in Slack, through the whole service: posted, acknowledged, claimed, talked about, ended by a form."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from bot.sandbox.slack.world import Message
from bot.startup import OPERATOR, WORKSPACE
from core.events import LoopEventType
from core.loops import LoopState
from core.loops.asking import AlertBody, Order
from core.loops.values import Loop
from core.people import Agent, Identity
from core.ports import Work
from core.sentences import Ack, Claim, Result, WorkOrder, parse
from core.use_cases.alerts import raise_alert
from core.use_cases.loops import dispatch
from core.use_cases.transact import transact
from tests.blocks.slack.cards import labels, shown
from tests.flows.rig import ANA, BEA, CARL, CHANNEL, Rig, eventually, rig, sqlite_at

AGENT_APP, AGENT_BOT = "A9AGENT", "B9AGENT"


@contextlib.asynccontextmanager
async def _floor(folder: Path) -> AsyncIterator[tuple[Rig, Agent]]:
    """The service and its operator."""
    async with rig(sqlite_at(folder)) as r:
        operator = await transact(r.apps[0].context, lambda work: work.agent_by_name(WORKSPACE, OPERATOR))
        assert operator is not None
        yield r, operator


async def _loop(r: Rig, name: str) -> Loop:
    found = await transact(r.apps[0].context, lambda work: work.loop_named(WORKSPACE, name))
    assert found is not None
    return found


async def _ordered(r: Rig, operator: Agent, name: str = "wo-1", **more: Any) -> Message:
    """Dispatch an order into the channel, and return its card once it is there."""
    body = {"to": f"slack:{CHANNEL}", "id": name, "title": "Audit the exec endpoints", "due": "45m", **more}
    await dispatch(r.apps[0].context, Order.model_validate(body), operator)

    async def posted() -> Message | None:
        card = (await _loop(r, name)).card
        return r.slack.platform.world.message(CHANNEL, card.message) if card and card.message else None

    message: Message = await eventually(posted)
    return message


async def _comes_to_say(r: Rig, message: Message, words: str) -> Message:
    async def look() -> Message | None:
        now = r.slack.platform.world.message(message.channel, message.ts)
        return now if now is not None and words in shown(list(now.blocks)) else None

    found: Message = await eventually(look)
    return found


async def _said(r: Rig, message: Message, words: str) -> Message:
    """What we say with these words in the thread of a card."""

    async def look() -> Message | None:
        replies = r.slack.platform.world.replies(message.channel, message.ts)
        return next((one for one in replies if one.bot_id and words in one.text), None)

    found: Message = await eventually(look)
    return found


async def test_an_order_is_acknowledged_claimed_by_one_of_two_and_done_through_the_form(tmp_path: Path) -> None:
    async with _floor(tmp_path) as (r, operator):
        card = await _ordered(r, operator)
        here: dict[str, Any] = {"channel": CHANNEL, "ts": card.ts}
        assert labels(list(card.blocks))[:5] == ["Acknowledge", "Claim", "Done…", "Decline…", "No action…"]
        assert any(isinstance(one, WorkOrder) and one.id == "wo-1" for one in parse(card.text))

        ana, bea = r.slack.person(ANA), r.slack.person(BEA)
        await ana.press("Acknowledge", **here)
        assert isinstance(parse((await _said(r, card, "[ACK")).text)[0], Ack)
        await _comes_to_say(r, card, "Acknowledged by ana")

        await asyncio.gather(ana.press("Claim", **here, watch=2), bea.press("Claim", **here, watch=2))
        loop = await _loop(r, "wo-1")
        assert loop.claimed is not None
        winner, loser = (ana, bea) if loop.claimed.by.name == "ana" else (bea, ana)
        told = [shown(list(one.blocks)) for one in loser.private(CHANNEL)]
        assert any(f"{winner.user.name} has wo-1 since" in one for one in told)
        assert not any("has wo-1" in shown(list(one.blocks)) for one in winner.private(CHANNEL))
        assert isinstance(parse((await _said(r, card, "[CLAIM")).text)[0], Claim)
        await _comes_to_say(r, card, f"Claimed by {winner.user.name}")

        opened = await winner.press("Done…", **here, watch=5)
        assert opened.modal is not None
        await winner.fill_in({"What came of it": "OK 14 operations are healthy"})
        assert (await winner.submit()).errors == {}
        spoken = parse((await _said(r, card, "[RESULT")).text)[0]
        assert isinstance(spoken, Result)
        assert spoken.summary == "14 operations are healthy"
        settled = await _comes_to_say(r, card, f"✓ Closed (OK) by {winner.user.name} in Slack")
        assert "14 operations are healthy" in shown(list(settled.blocks))
        assert not {"Claim", "Done…"} & set(labels(list(settled.blocks)))

        # Whoever's client is behind is told who closed it.
        late = await r.slack.person(CARL).press("Acknowledge", **here, version=0, watch=5)
        assert f"wo-1 was closed by {winner.user.name} at " in str(late.private)
        assert [one["type"] for one in await r.events() if one["type"].startswith("loop.")] == [
            LoopEventType.OPENED,
            LoopEventType.ACKNOWLEDGED,
            LoopEventType.CLAIMED,
            LoopEventType.CLOSED,
        ]
        assert (await _loop(r, "wo-1")).state is LoopState.CLOSED


async def test_what_is_said_in_the_thread_moves_the_order_and_what_is_said_elsewhere_does_not(tmp_path: Path) -> None:
    async with _floor(tmp_path) as (r, operator):
        card, carl = await _ordered(r, operator), r.slack.person(CARL)
        await carl.write("[CLAIM wo-1]", channel=CHANNEL)
        await carl.write("I look. [ACK wo-1]", channel=CHANNEL, thread_ts=card.ts)
        await _comes_to_say(r, card, "Acknowledged by carl")
        assert (await _loop(r, "wo-1")).state is LoopState.ACKNOWLEDGED
        await carl.write("[CLAIM wo-7]", channel=CHANNEL, thread_ts=card.ts)
        await _said(r, card, "I know no work order wo-7 here")
        await carl.write("[DECLINE wo-1] the node is down", channel=CHANNEL, thread_ts=card.ts)
        declined = await _comes_to_say(r, card, "✗ Declined by carl in Slack")
        assert "Dispatch again" in labels(list(declined.blocks))
        await carl.write("[ACK wo-1]", channel=CHANNEL, thread_ts=card.ts)
        await _said(r, card, "wo-1 was declined by carl at ")


async def test_a_program_is_heard_in_the_thread_once_its_account_is_linked(tmp_path: Path) -> None:
    async with _floor(tmp_path) as (r, operator):
        card, ana = await _ordered(r, operator), r.slack.person(ANA)
        await ana.write("[CLAIM wo-1]", channel=CHANNEL, thread_ts=card.ts, through=AGENT_APP)
        assert (await _loop(r, "wo-1")).state is LoopState.OPEN

        account = Identity(provider="slack", account=r.slack.platform.settings.team_id, user=AGENT_BOT)

        async def link(work: Work) -> None:
            await work.link_account(WORKSPACE, operator.id, account, r.apps[0].context.clock.now())

        await transact(r.apps[0].context, link)
        await ana.write("[CLAIM wo-1]", channel=CHANNEL, thread_ts=card.ts, through=AGENT_APP)
        claimed = await _loop(r, "wo-1")
        assert claimed.claimed is not None
        assert (claimed.claimed.by.type, claimed.claimed.by.id) == ("agent", operator.id)


async def test_an_order_is_opened_from_an_alert_by_a_press(tmp_path: Path) -> None:
    async with _floor(tmp_path) as (r, operator):
        body = AlertBody.model_validate({"to": f"slack:{CHANNEL}", "severity": "CRITICAL", "message": "Queue stuck"})
        alert, _ = await raise_alert(r.apps[0].context, body, operator)

        async def posted() -> Message | None:
            everything = r.slack.platform.world.top_level(CHANNEL)
            return next((one for one in everything if "Open a work order" in labels(list(one.blocks))), None)

        message: Message = await eventually(posted)
        await r.slack.person(ANA).press("Open a work order", channel=CHANNEL, ts=message.ts)
        await _comes_to_say(r, message, "Answered by work order ")
        found = await transact(r.apps[0].context, lambda work: work.alert(WORKSPACE, alert["id"]))
        assert found is not None
        assert found.order is not None
        assert (await _loop(r, found.order)).from_alert == alert["id"]


async def test_a_question_in_the_thread_of_an_order_is_answered_there_and_other_words_are_passed_on(
    tmp_path: Path,
) -> None:
    async with _floor(tmp_path) as (r, operator):
        card, ana = await _ordered(r, operator), r.slack.person(ANA)
        question = {"id": "q1", "prompt": "Which node?", "type": "text"}
        asked = await r.ask(to=f"slack:{CHANNEL}/{card.ts}", payload={"questions": [question]})
        await r.posted(asked["id"])
        await ana.write("the third", channel=CHANNEL, thread_ts=card.ts)
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["answer"] == {"q1": {"value": "the third"}}
        await ana.write("it is slow today", channel=CHANNEL, thread_ts=card.ts)

        async def passed_on() -> list[dict[str, Any]]:
            return await r.events(LoopEventType.MESSAGE)

        (event,) = await eventually(passed_on)
        assert event["data"]["words"] == "it is slow today"


async def test_an_order_to_a_person_is_moved_by_what_they_say_in_their_direct_message(tmp_path: Path) -> None:
    async with _floor(tmp_path) as (r, operator):
        await dispatch(
            r.apps[0].context, Order.model_validate({"to": f"slack:{ANA}", "id": "wo-2", "title": "Look"}), operator
        )

        async def posted() -> Loop | None:
            loop = await _loop(r, "wo-2")
            return loop if loop.card and loop.card.message else None

        await eventually(posted)
        await r.slack.person(ANA).write("[RESULT wo-2] DONE all seen")
        loop = await _loop(r, "wo-2")
        assert loop.state is LoopState.CLOSED
        assert loop.outcome is not None
        assert loop.outcome.by.name == "ana"


async def test_a_form_left_open_is_worth_nothing_to_who_has_left_the_conversation(tmp_path: Path) -> None:
    async with _floor(tmp_path) as (r, operator):
        card, bea = await _ordered(r, operator), r.slack.person(BEA)
        await bea.press("Done…", channel=CHANNEL, ts=card.ts, watch=5)
        r.slack.workspace.leave(CHANNEL, BEA)
        await bea.fill_in({"What came of it": "OK done from afar"})
        sent = await bea.submit()
        assert sent.modal is not None
        assert "nothing has changed" in shown(sent.modal)
        assert (await _loop(r, "wo-1")).state is LoopState.OPEN
