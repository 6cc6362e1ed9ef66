"""Work orders in Telegram, through the whole service: posted, acknowledged, claimed, talked about, ended by a reply."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from bot.sandbox.telegram.messages import Message
from bot.startup import OPERATOR, WORKSPACE
from core.loops import LoopState
from core.loops.asking import AlertBody, Order
from core.loops.values import Loop
from core.people import Agent
from core.use_cases.alerts import raise_alert
from core.use_cases.loops import dispatch
from core.use_cases.transact import transact
from tests.flows.rig import TG_ANA, TG_BEA, TG_CARL, Rig, eventually, rig, sqlite_at


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
    """Dispatch an order into the group, and return its card once it is there."""
    body = {"to": f"telegram:{r.group}", "id": name, "title": "Audit the exec endpoints", "due": "45m", **more}
    await dispatch(r.apps[0].context, Order.model_validate(body), operator)

    async def posted() -> Message | None:
        card = (await _loop(r, name)).card
        return r.telegram.world.message(r.group, int(card.message)) if card and card.message else None

    message: Message = await eventually(posted)
    return message


async def _shows(r: Rig, card: Message, words: str) -> Message:
    async def look() -> Message | None:
        now = r.telegram.world.message(card.chat_id, card.id)
        return now if now is not None and words in now.text else None

    found: Message = await eventually(look)
    return found


async def _said(r: Rig, words: str) -> Message:
    """What the bot says in the group with these words."""

    async def look() -> Message | None:
        history = r.telegram.world.history(r.group)
        return next((one for one in history if one.text.startswith(words)), None)

    found: Message = await eventually(look)
    return found


async def test_an_order_is_acknowledged_claimed_by_one_of_two_and_done_by_a_reply(tmp_path: Path) -> None:
    async with _floor(tmp_path) as (r, operator):
        card = await _ordered(r, operator)
        human = r.telegram.human
        assert {"Acknowledge", "Claim", "Done…", "Decline…", "No action…"} <= set(card.buttons)
        assert "[WO:wo-1]" in card.text

        await human.press(TG_ANA, r.group, "Acknowledge", message_id=card.id)
        assert (await _said(r, "[ACK")).reply_to == card.id
        await _shows(r, card, "Acknowledged by Ana")

        taps = await asyncio.gather(
            human.press(TG_ANA, r.group, "Claim", message_id=card.id),
            human.press(TG_BEA, r.group, "Claim", message_id=card.id),
        )
        claimed = (await _loop(r, "wo-1")).claimed
        assert claimed is not None
        winner, told = (TG_ANA, taps[1]) if claimed.by.name == "Ana" else (TG_BEA, taps[0])
        assert f"{claimed.by.name} has wo-1 since" in str(told.text)
        await _shows(r, card, f"Claimed by {claimed.by.name}")

        await human.press(winner, r.group, "Done…", message_id=card.id)
        await r.telegram.until(lambda: human.prompt(winner, r.group) is not None, 10)
        human.answer_prompt(winner, r.group, "OK 14 operations are healthy")
        settled = await _shows(r, card, f"Closed (OK) by {claimed.by.name}")
        assert "14 operations are healthy" in settled.text
        assert not {"Claim", "Done…"} & set(settled.buttons)

        # Whoever says something afterwards is told who closed it.
        human.write(TG_CARL, r.group, "[ACK wo-1]", reply_to=card.id)
        await _said(r, f"wo-1 was closed by {claimed.by.name} at ")
        assert (await _loop(r, "wo-1")).state is LoopState.CLOSED


async def test_a_sentence_in_a_reply_moves_the_order_and_an_alert_becomes_one(tmp_path: Path) -> None:
    async with _floor(tmp_path) as (r, operator):
        card = await _ordered(r, operator)
        r.telegram.human.write(TG_BEA, r.group, "[ACK wo-1] on it soon", reply_to=card.id)
        shown = await _shows(r, card, "Acknowledged by Bea")
        assert "Acknowledge" not in shown.buttons

        body = AlertBody.model_validate({"to": f"telegram:{r.group}", "severity": "high", "message": "Disk is full"})
        await raise_alert(r.apps[0].context, body, operator)

        async def alerted() -> Message | None:
            history = r.telegram.world.history(r.group)
            return next((one for one in history if "Open a work order" in one.buttons), None)

        alert: Message = await eventually(alerted)
        assert "Disk is full" in alert.text
        await r.telegram.human.press(TG_ANA, r.group, "Open a work order", message_id=alert.id)
        ordered = await _shows(r, alert, "Work order")
        assert "Open a work order" not in ordered.buttons
