"""Work orders on their way out, when the chat does not do as it should: once, found again, given up with a word."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from bot.chats import Chats
from bot.errands.loops import LoopErrands
from bot.errands.noting import Notes
from bot.telemetry import Telemetry
from core.addresses import Provider
from core.channels import Channel, Posted
from core.dues import LEASE
from core.errors import Ambiguous, ChannelError, MessageGone, Misrendered, Transient, Unreachable
from core.loops import Acknowledge, Alert, AlertCard, Loop, LoopCard, LoopCopy
from core.loops.asking import AlertBody, AlertOrder, Order
from core.loops.owed import AskLoopWords, OfferAgain, PostAlert, PostLoop, RedrawAlert, RedrawLoop, SayNudge, SayThere
from core.outbox import Lane, Say, Task
from core.ports import Connection, Work
from core.publications import PublicationState
from core.use_cases.alerts import order_from_alert, raise_alert
from core.use_cases.loops import dispatch, move
from core.use_cases.recording import owe
from core.use_cases.transact import transact
from tests.stores import sqlite_store_url, sqlite_template
from tests.use_cases.bench import Bench, bench
from tests.use_cases.cast import BUILDER, HERE, SLACK

__all__ = ["sqlite_store_url", "sqlite_template"]


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

    async def offer_again(self, offer: OfferAgain) -> Posted:
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

    async def say(self, words: Say) -> Posted:
        return self._call(f"say {words.text}")


@dataclass
class Rig:
    b: Bench
    chat: Chat
    errands: LoopErrands

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
        yield Rig(b, chat, LoopErrands(Notes(b.context, chats, Telemetry()), link_ok=True))


async def test_a_card_is_posted_and_its_conversation_begins(rig: Rig) -> None:
    assert await rig.work() == 1
    card = await rig.card()
    assert (card.state, card.message, rig.chat.calls) == (PublicationState.POSTED, "1712.1", ["post"])
    assert await rig.b.store.records.linked("slack", "T1", "C1", "1712.1", None) is not None
    assert await rig.work() == 0


@pytest.mark.parametrize(
    ("there", "calls", "state"),
    [
        # It is found where history can be read.
        (Posted("C1", "1711.9"), ["post", "find"], PublicationState.POSTED),
        # It is not there, and is posted anew once nothing may turn up late any more.
        (None, ["post", "find", "find", "post"], PublicationState.POSTED),
        # Where history cannot be read there is one replacement.
        (Ambiguous("no history"), ["post", "find", "find", "post"], PublicationState.POSTED),
    ],
)
async def test_a_post_whose_answer_was_lost_is_looked_for(
    rig: Rig, there: Posted | ChannelError | None, calls: list[str], state: PublicationState
) -> None:
    rig.chat.fails, rig.chat.there = [Ambiguous("cut off")], there
    await rig.work()
    assert (await rig.card()).state is PublicationState.UNKNOWN
    for later in (5, 61, 61):
        await rig.work(seconds=later)
    assert (rig.chat.calls, (await rig.card()).state) == (calls, state)


async def test_a_replacement_that_was_lost_as_well_gets_no_other(rig: Rig) -> None:
    rig.chat.fails, rig.chat.there = [Ambiguous("cut off"), Ambiguous("cut off")], Ambiguous("no history")
    await rig.work()
    for _ in range(6):
        await rig.work(seconds=61)
    assert rig.chat.calls.count("post") == 2
    assert (await rig.card()).state is PublicationState.UNKNOWN


async def test_what_was_certainly_not_done_is_done_again(rig: Rig) -> None:
    rig.chat.fails = [Transient("slow down", 5)]
    await rig.work()
    assert (await rig.card()).state is PublicationState.QUEUED
    await rig.work(seconds=2)
    await rig.work(seconds=10)
    assert (rig.chat.calls, (await rig.card()).state) == (["post", "post"], PublicationState.POSTED)


@pytest.mark.parametrize("failure", [Unreachable("no_channel", "there is no such channel"), Misrendered("/blocks/0")])
async def test_a_card_that_will_never_be_there_leaves_the_order_standing(rig: Rig, failure: ChannelError) -> None:
    rig.chat.fails = [failure]
    await move(rig.b.context, HERE, "wo-1", Acknowledge(), BUILDER)
    await rig.work()
    card = await rig.card()
    assert (card.state, (await rig.loop()).is_open) == (PublicationState.FAILED, True)
    await rig.work(seconds=5)  # words for a conversation that never began are let go
    assert rig.chat.calls == ["post"]
    assert await rig.work(hours=1) == 0


async def test_words_wait_for_their_card_and_are_never_said_twice(rig: Rig) -> None:
    await move(rig.b.context, HERE, "wo-1", Acknowledge(), BUILDER)
    rig.chat.fails = [None, None, Ambiguous("cut off")]
    for _ in range(4):
        await rig.work(seconds=3)
    assert [one for one in rig.chat.calls if one.startswith("say")] == ["say [ACK:wo-1] [from builder]"]


async def owed_words(rig: Rig, words: str) -> None:
    """Owe words of this kind about the order, once its card is there."""
    loop = await rig.loop()
    where, reminded = "slack:T1.C1", loop.model_copy(update={"nudges": 1})
    tasks: dict[str, Task] = {
        "reminder": SayNudge(loop=loop.id, number=1, where=where),
        "follow-up": SayThere(conversation=loop.conversation, text="Follow-up: look", where=where),
        "escalation": OfferAgain(loop=loop.id, text="Nobody ended it", provider="slack", account="T1", channel="U1"),
    }

    async def inner(work: Work) -> None:
        await work.save_loop(loop, reminded)
        await owe(work, rig.b.context, HERE, Lane.NUDGE, where, tasks[words], rig.b.clock.now())

    await transact(rig.b.context, inner)


WORDS = ["reminder", "follow-up", "escalation"]


@pytest.mark.parametrize("words", WORDS)
async def test_words_whose_process_died_in_the_call_are_not_said_again(rig: Rig, words: str) -> None:
    await rig.work()
    await owed_words(rig, words)
    rig.chat.calls.clear()
    rig.chat.dies = True
    with pytest.raises(Died):
        await rig.work()
    assert len(rig.chat.calls) == 1
    rig.chat.dies = False
    assert await rig.work(minutes=1) == 1, "its lease lapsed, and somebody else took it up"
    assert await rig.work(hours=1) == 0
    assert len(rig.chat.calls) == 1


@pytest.mark.parametrize("words", WORDS)
async def test_words_that_were_certainly_not_said_are_said_later(rig: Rig, words: str) -> None:
    await rig.work()
    await owed_words(rig, words)
    rig.chat.calls.clear()
    rig.chat.fails = [Transient("later")]
    await rig.work()
    await rig.work(minutes=10)
    assert len(rig.chat.calls) == 2
    assert await rig.work(hours=1) == 0


@pytest.mark.parametrize("words", WORDS)
async def test_words_that_were_waiting_when_their_process_died_are_said(rig: Rig, words: str) -> None:
    await rig.work()
    await owed_words(rig, words)
    rig.chat.calls.clear()
    now = rig.b.clock.now()
    assert len(await rig.b.store.outbox.claim([Lane.NUDGE], now, now + LEASE, "waits for its turn", 20)) == 1
    await rig.work(minutes=1)
    assert len(rig.chat.calls) == 1


@pytest.mark.parametrize(
    ("failure", "redraws"),
    [(None, 1), (MessageGone("deleted"), 1), (Transient("later"), 2), (Ambiguous("cut off"), 2), (Misrendered("/"), 1)],
)
async def test_a_redraw_is_repeated_until_the_card_shows_the_loop_or_is_gone(
    rig: Rig, failure: ChannelError | None, redraws: int
) -> None:
    await rig.work()
    await move(rig.b.context, HERE, "wo-1", Acknowledge(), BUILDER)
    rig.chat.fails = [failure, failure] if redraws == 1 else [failure, None, None]
    for _ in range(4):
        await rig.work(seconds=90)
    assert rig.chat.calls.count("redraw") == redraws


async def alarm(rig: Rig) -> LoopCopy:
    (alert,) = await rig.b.store.records.alerts(HERE, None)
    assert alert.card is not None
    return alert.card


async def raised(rig: Rig) -> None:
    await rig.work()
    rig.chat.calls.clear()
    await raise_alert(rig.b.context, AlertBody(to=SLACK, severity="INFO", message="Hm"), BUILDER)


@pytest.mark.parametrize(
    ("there", "calls"),
    [
        (Posted("C1", "1711.9"), ["alert", "alert", "find"]),
        (None, ["alert", "alert", "find", "find", "alert"]),
        (Ambiguous("no history"), ["alert", "alert", "find", "find", "alert"]),
    ],
)
async def test_an_alert_whose_answer_was_lost_is_looked_for_as_a_card_is(
    rig: Rig, there: Posted | ChannelError | None, calls: list[str]
) -> None:
    await raised(rig)
    rig.chat.fails, rig.chat.there = [Transient("later"), Ambiguous("cut off")], there
    for later in (0, 30, 5, 61, 61):
        await rig.work(seconds=later)
    assert (rig.chat.calls, (await alarm(rig)).state) == (calls, PublicationState.POSTED)


async def test_a_replaced_alert_that_was_lost_as_well_gets_no_other(rig: Rig) -> None:
    await raised(rig)
    rig.chat.fails, rig.chat.there = [Ambiguous("cut off"), Ambiguous("cut off")], Ambiguous("no history")
    for _ in range(6):
        await rig.work(seconds=61)
    assert (rig.chat.calls.count("alert"), (await alarm(rig)).state) == (2, PublicationState.UNKNOWN)


async def test_an_alert_that_will_never_be_there_is_told_to_the_operators(rig: Rig) -> None:
    await raised(rig)
    rig.chat.fails = [Unreachable("no_channel", "there is no such channel")]
    await rig.work()
    assert (await alarm(rig)).state is PublicationState.FAILED
    now = rig.b.clock.now()
    (told,) = await rig.b.store.outbox.claim(list(Lane), now, now + LEASE, "look", 20)
    assert isinstance(told.delivery.task, Say)
    assert (told.delivery.task.channel, told.delivery.task.text) == (
        "U3",
        "The alert “INFO: Hm” could not be delivered to slack:T1.C1: there is no such channel",
    )


async def test_an_alert_that_got_its_order_on_the_wire_is_redrawn(rig: Rig) -> None:
    await raised(rig)
    rig.chat.fails = [Ambiguous("cut off")]
    rig.chat.there = Posted("C1", "1711.9")
    await rig.work()
    (alert,) = await rig.b.store.records.alerts(HERE, None)
    await order_from_alert(rig.b.context, alert.id, AlertOrder(id="fix"), BUILDER)
    for _ in range(3):
        await rig.work(seconds=5)
    assert "find" in rig.chat.calls
    assert (await alarm(rig)).shown_version == 2


async def test_a_chat_that_shows_no_work_orders_is_unreachable_for_them(rig: Rig) -> None:
    chats: Any = rig.errands._notes.chats
    chats.channels[(Provider.SLACK, "T1")] = object()
    await rig.work()
    assert (await rig.card()).reason == "slack shows no work orders here"
