"""The errands of work orders before a chat that fails as it is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import cast

import pytest

from bot.chats import Chats
from bot.errands.loops import LoopErrands
from bot.errands.noting import Notes
from bot.pace import Pace
from bot.telemetry import Telemetry
from bot.turns import OwnTurns
from core.addresses import Provider
from core.channels import Another, Channel, Posted
from core.dues import LEASE
from core.errors import ChannelError
from core.loops import Alert, AlertCard, Loop, LoopCard, LoopCopy
from core.loops.asking import Order
from core.loops.owed import AskLoopWords, OfferAgain, PostAlert, PostLoop, RedrawAlert, RedrawLoop, SayNudge, SayThere
from core.outbox import Lane, Say
from core.ports import Connection
from core.use_cases.loops import dispatch
from tests.use_cases.bench import Bench, bench
from tests.use_cases.cast import BUILDER, HERE, SLACK


class Died(BaseException):
    """The process is gone: nothing after it happens."""


@dataclass
class Chat:
    """A chat that fails as it is told: `fails` are what the next calls raise, `there` is what a search finds. Whoever
    calls it `dies` before hearing its answer."""

    provider: Provider = Provider.SLACK
    account: str = "T1"
    calls: list[str] = field(default_factory=list)
    fails: list[ChannelError | None] = field(default_factory=list)
    there: Posted | ChannelError | None = None
    dies: bool = False

    def _call(self, name: str) -> Posted:
        self.calls.append(name)
        if self.dies:
            raise Died
        failure = self.fails.pop(0) if self.fails else None
        if failure is not None:
            raise failure
        return Posted("C1", f"1712.{len(self.calls)}")

    async def post_loop(self, card: LoopCard, copy: LoopCopy) -> Posted:
        return self._call("post")

    async def find_loop(self, loop: Loop, copy: LoopCopy) -> Posted | None:
        self.calls.append("find")
        if isinstance(self.there, ChannelError):
            raise self.there
        return self.there

    async def redraw_loop(self, card: LoopCard, copy: LoopCopy) -> None:
        self._call("redraw")

    async def ask_loop_words(self, prompt: AskLoopWords, loop: Loop) -> Posted:
        return self._call("ask")

    async def offer_again(self, offer: OfferAgain, another: Another | None = None) -> Posted:
        return self._call("offer")

    async def post_alert(self, card: AlertCard, copy: LoopCopy) -> Posted:
        return self._call("alert")

    async def find_alert(self, alert: Alert, copy: LoopCopy) -> Posted | None:
        self.calls.append("find")
        if isinstance(self.there, ChannelError):
            raise self.there
        return self.there

    async def redraw_alert(self, card: AlertCard, copy: LoopCopy) -> None:
        self._call("redraw alert")

    async def say(self, words: Say, another: Another | None = None) -> Posted:
        return self._call(f"say {words.text}")


@dataclass
class Rig:
    """`told` is what people were told beside their conversations."""

    b: Bench
    chat: Chat
    errands: LoopErrands
    told: list[str] = field(default_factory=list)

    async def work(self, **later: float) -> int:
        """Let time pass and do what is owed, each delivery once; returns how many there were."""
        self.b.clock.move(**later)
        now = self.b.clock.now()
        claims = await self.b.store.outbox.claim(list(Lane), now, now + LEASE, f"rig {now} {later}", 20)
        for claimed in claims:
            task = claimed.delivery.task
            match task:
                case PostLoop() | PostAlert():
                    await self.errands.post(claimed, task)
                case RedrawLoop() | RedrawAlert():
                    await self.errands.redraw(claimed, task)
                case SayThere() | SayNudge():
                    await self.errands.say(claimed, task)
                case OfferAgain():
                    await self.errands.offer(claimed, task)
                case Say():
                    self.told.append(task.text)
                    async with self.b.store.work() as work:
                        await work.finish(claimed)
                        await work.commit()
                case _:
                    raise AssertionError(task)
        return len(claims)

    async def loop(self) -> Loop:
        found = await self.b.store.records.loop(HERE, "wo-1", None)
        assert found is not None
        return found.loop

    async def card(self) -> LoopCopy:
        card = (await self.loop()).card
        assert card is not None
        return card


@pytest.fixture
async def rig(sqlite_store_url: str) -> AsyncIterator[Rig]:
    async with bench(sqlite_store_url) as b:
        chats = Chats(b.context, b.store.records, HERE)
        chat = Chat()
        chats.adopt(Connection("con_1", HERE, Provider.SLACK, "T1", "Sayso", "U0"), cast("Channel", chat))
        await dispatch(b.context, Order(to=SLACK, title="Audit", id="wo-1"), BUILDER)
        yield Rig(b, chat, LoopErrands(Notes(b.context, chats, Telemetry(), Pace(OwnTurns())), link_ok=True))
