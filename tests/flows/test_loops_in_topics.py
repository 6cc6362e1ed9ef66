"""Work orders in the topics of a Telegram forum, through the whole service: everything about one stays in its topic.

In groups Telegram gives a bot what is no command and no reply to it only where the bot is an administrator, or has its
privacy mode off; other bots' messages only in bot-to-bot mode as well.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.sandbox.telegram.messages import Message
from bot.sandbox.telegram.people import Status
from bot.startup import OPERATOR, WORKSPACE
from core.events import LoopEventType
from core.loops import LoopState
from core.loops.asking import Order
from core.loops.values import Loop
from core.people import Agent, Identity
from core.ports import Work
from core.use_cases.loops import dispatch
from core.use_cases.transact import transact
from tests.flows.rig import TG_ANA, TG_BEA, Rig, eventually, rig, sqlite_at
from tests.flows.trouble import PushedClock

AGENTS_BOT = 7_000_000_009


@dataclass(frozen=True)
class Forum:
    """A forum with two topics, of which `topic` is where the order goes."""

    r: Rig
    clock: PushedClock
    operator: Agent
    id: int
    topic: int
    other: int

    def write(self, who: int, text: str, topic: int) -> Message:
        """Somebody writes in a topic, in reply to nothing."""
        return self.r.telegram.human.write(who, self.id, text, topic=topic)

    async def says(self, words: str, topic: int) -> Message:
        """The message of a topic that has these words, once there is one."""

        async def look() -> Message | None:
            history = self.r.telegram.world.history(self.id)
            return next((one for one in history if words in one.text and one.topic == topic), None)

        found: Message = await eventually(look)
        return found

    def said(self, topic: int) -> list[str]:
        """What the bot said in a topic."""
        bot = self.r.telegram.world.bot.id
        return [one.text for one in self.r.telegram.world.history(self.id) if one.author == bot and one.topic == topic]

    async def order(self, topic: int, name: str = "wo-1", **more: Any) -> Message:
        """Dispatch an order into a topic, and return its card."""
        body = {"to": f"telegram:{self.id}/{topic}", "id": name, "title": "Rotate the keys", **more}
        await dispatch(self.r.apps[0].context, Order.model_validate(body), self.operator)
        return await self.says(f"[WO:{name}]", topic)

    async def shows(self, card: Message, words: str) -> Message:
        """The card, once it says this."""

        async def look() -> Message | None:
            now = self.r.telegram.world.message(card.chat_id, card.id)
            return now if now is not None and words in now.text else None

        found: Message = await eventually(look)
        return found

    async def loop(self, name: str = "wo-1") -> Loop:
        """The order as it stands."""
        found = await transact(self.r.apps[0].context, lambda work: work.loop_named(WORKSPACE, name))
        assert found is not None
        return found


@contextlib.asynccontextmanager
async def _forum(folder: Path) -> AsyncIterator[Forum]:
    clock = PushedClock()
    async with rig(sqlite_at(folder), clock=clock, bot_to_bot=True) as r:
        operator = await transact(r.apps[0].context, lambda work: work.agent_by_name(WORKSPACE, OPERATOR))
        assert operator is not None
        scene = r.telegram.scene
        id = scene.create_group("Plans", [TG_ANA, TG_BEA], is_forum=True, bot=Status.ADMINISTRATOR).id
        topics = [scene.create_topic(id, name, by=TG_ANA).id for name in ("Audits", "Lunch")]
        yield Forum(r, clock, operator, id, *topics)


async def test_everything_about_an_order_is_said_heard_and_pressed_in_its_topic_alone(tmp_path: Path) -> None:
    async with _forum(tmp_path) as forum:
        card = await forum.order(forum.topic, due="2h", nudges={"every": "30m", "max": 3})
        lunch = await forum.order(forum.other, "wo-2", nudges={"every": "7d", "max": 1})

        # What is said in another topic is not about this one's orders, and is answered there.
        forum.write(TG_BEA, "[CLAIM wo-1]", forum.other)
        await forum.says("I know no work order wo-1 here", forum.other)
        assert (await forum.loop()).state is LoopState.OPEN

        forum.write(TG_BEA, "[ACK wo-1] I look", forum.topic)
        await forum.shows(card, "Acknowledged by Bea")
        told = await forum.r.telegram.human.press(TG_ANA, forum.id, "Claim", message_id=card.id)
        assert told.answer is not None
        await forum.shows(card, "Claimed by Ana")
        await forum.says("[CLAIM wo-1]", forum.topic)
        forum.write(TG_BEA, "[CLAIM wo-1]", forum.topic)
        await forum.says("Ana has wo-1 since", forum.topic)

        # It was claimed, so it is reminded of once its time is over.
        forum.clock.push(2 * 3_600 + 1)
        await forum.says("[NUDGE wo-1] [nudge 1/3]", forum.topic)
        await forum.r.telegram.human.press(TG_ANA, forum.id, "Done…", message_id=card.id)
        prompted = forum.r.telegram.human.prompt
        await forum.r.telegram.until(lambda: prompted(TG_ANA, forum.id, forum.topic) is not None, 10)
        assert prompted(TG_ANA, forum.id, forum.other) is None
        forum.r.telegram.human.answer_prompt(TG_ANA, forum.id, "OK rotated 14", topic=forum.topic)
        await forum.shows(card, "Closed (OK) by Ana")
        await forum.says("[RESULT wo-1]", forum.topic)

        assert (await forum.loop("wo-2")).state is LoopState.OPEN
        elsewhere = forum.said(forum.other)
        assert [text for text in elsewhere if "wo-1" in text] == [
            "I know no work order wo-1 here, so nothing has changed."
        ]
        assert not [text for text in forum.said(forum.topic) if "wo-2" in text]
        assert lunch.topic == forum.other
        general = [one.text for one in forum.r.telegram.world.history(forum.id) if one.topic is None]
        assert not [text for text in general if "wo-" in text]


async def test_a_topic_that_no_order_ever_went_to_is_neither_read_nor_answered(tmp_path: Path) -> None:
    async with _forum(tmp_path) as forum:
        card = await forum.order(forum.topic)
        forum.write(TG_BEA, "[CLAIM wo-1] before lunch", forum.other)
        forum.write(TG_ANA, "[CLAIM wo-1]", forum.topic)
        await forum.shows(card, "Claimed by Ana")
        assert forum.said(forum.other) == []
        conversation = (await forum.loop()).conversation
        sayings = await forum.r.apps[0].store.records.sayings(WORKSPACE, conversation, after=None, limit=50)
        assert not [one.text for one in sayings if "lunch" in one.text]


async def test_a_linked_bot_moves_an_order_in_its_topic_and_one_that_is_not_linked_does_not(tmp_path: Path) -> None:
    async with _forum(tmp_path) as forum:
        scene = forum.r.telegram.scene
        scene.create_user("Fixer", user_id=AGENTS_BOT, username="fixer_bot", is_bot=True)
        scene.set_status(forum.id, AGENTS_BOT, Status.MEMBER, by=TG_ANA)
        card = await forum.order(forum.topic)
        said = "[ACK:wo-1] [from Ana]"
        forum.write(AGENTS_BOT, said, forum.topic)
        forum.write(TG_BEA, "[ACK wo-7]", forum.topic)
        await forum.says("I know no work order wo-7 here", forum.topic)
        assert (await forum.loop()).acknowledged is None

        async def link(work: Work) -> None:
            account = Identity(provider="telegram", user=str(AGENTS_BOT))
            await work.link_account(WORKSPACE, forum.operator.id, account, forum.clock.now())

        await transact(forum.r.apps[0].context, link)
        forum.write(AGENTS_BOT, said, forum.topic)
        await forum.shows(card, "Acknowledged by ")
        by = (await forum.loop()).acknowledged
        assert by is not None
        # Who said it is whose account it is, whatever the sentence claims.
        assert (by.by.type, by.by.id, by.by.identity) == ("agent", forum.operator.id, f"telegram:{AGENTS_BOT}")
        forum.write(AGENTS_BOT, "[RESULT wo-1] DONE rotated", forum.topic)
        await forum.shows(card, "Closed (DONE)")
        assert [one["type"] for one in await forum.r.events() if one["type"].startswith("loop.")] == [
            LoopEventType.OPENED,
            LoopEventType.ACKNOWLEDGED,
            LoopEventType.CLOSED,
        ]
