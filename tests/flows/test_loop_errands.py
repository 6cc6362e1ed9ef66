"""Work orders on their way out, when the chat does not do as it should: once, found again, given up with a word."""

from __future__ import annotations

from typing import Any

import pytest

from core.addresses import Provider
from core.channels import Posted
from core.dues import LEASE
from core.errors import Ambiguous, ChannelError, MessageGone, Misrendered, Transient, Unreachable
from core.loops import Acknowledge, LoopCopy, NoAction
from core.loops.asking import AlertBody, AlertOrder
from core.outbox import Lane, Say
from core.publications import PublicationState
from core.use_cases.alerts import order_from_alert, raise_alert
from core.use_cases.loops import move
from tests.flows.loop_chat import Rig, rig
from tests.use_cases.cast import BUILDER, HERE, SLACK

__all__ = ["rig"]


async def test_a_card_is_posted_and_its_conversation_begins(rig: Rig) -> None:
    assert await rig.work() == 1
    card = await rig.card()
    assert (card.state, card.message, rig.chat.calls) == (PublicationState.POSTED, "1712.1", ["post"])
    assert await rig.b.store.records.linked("slack", "T1", "C1", "1712.1", None) is not None
    assert await rig.work() == 0


@pytest.mark.parametrize(
    ("there", "calls", "state"),
    [
        # It is found where history can be read, and drawn again, as nobody knows what it shows.
        (Posted("C1", "1711.9"), ["post", "find", "redraw"], PublicationState.POSTED),
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


async def test_a_card_that_is_found_shows_what_became_of_its_order_before_it_was_found(rig: Rig) -> None:
    rig.chat.fails, rig.chat.there = [Ambiguous("cut off")], Posted("C1", "1711.9")
    await rig.work()
    await move(rig.b.context, HERE, "wo-1", NoAction("not needed"), BUILDER)
    for later in (5, 5, 5):
        await rig.work(seconds=later)
    assert [one for one in rig.chat.calls if not one.startswith("say")] == ["post", "find", "redraw"]
    assert ((await rig.card()).state, (await rig.card()).message) == (PublicationState.SETTLED, "1711.9")


async def test_a_replacement_that_was_lost_as_well_gets_no_other(rig: Rig) -> None:
    rig.chat.fails, rig.chat.there = [Ambiguous("cut off"), Ambiguous("cut off")], Ambiguous("no history")
    await rig.work()
    for _ in range(6):
        await rig.work(seconds=61)
    assert rig.chat.calls.count("post") == 2
    assert (await rig.card()).state is PublicationState.UNKNOWN
    assert rig.chat.calls.count("offer") == 1, "an operator is told, once, and may dispatch it again"
    *_, event = await rig.b.store.records.events(HERE, BUILDER, limit=50)
    assert (event.type.value, event.data["reason"]) == (
        "loop.escalated",
        "the answers to its post and to the replacement were both lost",
    )
    assert (await rig.loop()).is_open


async def test_an_order_that_ended_while_its_card_was_lost_twice_is_told_of_to_nobody(rig: Rig) -> None:
    rig.chat.fails, rig.chat.there = [Ambiguous("cut off"), Ambiguous("cut off")], Ambiguous("no history")
    await rig.work()
    await move(rig.b.context, HERE, "wo-1", NoAction("not needed"), BUILDER)
    for _ in range(6):
        await rig.work(seconds=61)
    assert (await rig.card()).message is None
    assert "offer" not in rig.chat.calls


async def test_what_was_certainly_not_done_is_done_again(rig: Rig) -> None:
    rig.chat.fails = [Transient("slow down", 5)]
    await rig.work()
    assert (await rig.card()).state is PublicationState.QUEUED
    await rig.work(seconds=2)
    await rig.work(seconds=10)
    assert (rig.chat.calls, (await rig.card()).state) == (["post", "post"], PublicationState.POSTED)


@pytest.mark.parametrize("failure", [Unreachable("no_channel", "there is no such channel"), Misrendered("/blocks/0")])
async def test_a_card_that_will_never_be_there_leaves_the_order_standing_and_is_told_of_at_once(
    rig: Rig, failure: ChannelError
) -> None:
    rig.chat.fails = [failure]
    await move(rig.b.context, HERE, "wo-1", Acknowledge(), BUILDER)
    await rig.work()
    loop, card = await rig.loop(), await rig.card()
    assert (card.state, loop.is_open, loop.escalated_at) == (PublicationState.FAILED, True, rig.b.clock.now())
    *_, event = await rig.b.store.records.events(HERE, BUILDER, limit=50)
    assert (event.type.value, event.data["reason"]) == (
        "loop.escalated",
        f"It could not be delivered to slack:T1.C1: {card.reason}",
    )
    assert [one.type.value for one in await rig.b.store.records.loop_receipts(HERE, "wo-1")][-1] == "escalated"
    await rig.work(seconds=5)  # words for a conversation that never began are let go, and an operator is told
    assert rig.chat.calls == ["post", "offer"]
    assert await rig.work(hours=1) == 0


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
        (Posted("C1", "1711.9"), ["alert", "alert", "find", "redraw alert"]),
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
    (told,) = rig.told
    assert told.startswith("Nobody knows whether the alert “INFO: Hm” is in slack:T1.C1: the answers to its post and")


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
