"""The card of a work order or an alert that is in a chat twice, as a post that seemed lost arrived beside another: one
of them is taken out, for nothing would ever draw it again."""

from __future__ import annotations

from datetime import timedelta

from core.dues import LEASE
from core.loops import LoopAction, LoopControl
from core.loops.asking import AlertBody, Order
from core.loops.owed import AskLoopWords, PostLoop
from core.outbox import Claimed, Lane, TakeBack
from core.publications import PublicationState
from core.replies import Saved
from core.use_cases import loop_delivery
from core.use_cases.alerts import raise_alert
from core.use_cases.loop_copies import ReadyCopy
from core.use_cases.loops import dispatch
from tests.use_cases.cast import ANA, BEN, BUILDER, GROUP, HERE, SLACK
from tests.use_cases.floor import Floor


async def taken_out(f: Floor) -> list[TakeBack]:
    """What is to be deleted."""
    now = f.b.clock.now()
    claims = await f.b.store.outbox.claim([Lane.TALK], now, now + LEASE, "looking", 100)
    return [one.delivery.task for one in claims if isinstance(one.delivery.task, TakeBack)]


async def test_a_press_on_the_second_counts_and_takes_it_out(f: Floor) -> None:
    loop = await f.order()
    assert loop.card is not None
    reply = await f.press(ANA, loop, LoopAction.CLAIM, message="1712.second")
    assert reply == Saved("wo-1 is yours.")
    (task,) = await taken_out(f)
    assert (task.channel, task.messages) == ("C1", ("1712.second",))
    card = (await f.loop()).card
    assert card is not None
    assert card.message == loop.card.message


async def test_a_press_on_the_second_of_an_order_that_has_ended_takes_it_out(f: Floor) -> None:
    loop = await f.order()
    await f.submit(BEN, loop, LoopAction.DONE, "all is well")
    await f.press(ANA, loop, LoopAction.DECLINE, message="1712.second")
    assert [one.messages for one in await taken_out(f)] == [("1712.second",)]


async def test_words_that_the_second_asks_for_are_a_reply_to_the_first(f: Floor) -> None:
    loop = await f.order(to=GROUP)
    await f.press(ANA, loop, LoopAction.DECLINE, message="9001")
    (prompt,) = [one for one in await f.b.owed() if isinstance(one, AskLoopWords)]
    assert loop.card is not None
    assert prompt.reply_to == loop.card.message


async def test_what_only_the_presser_says_to_be_its_message_is_left_alone(f: Floor) -> None:
    loop = await f.order()
    await f.press(ANA, loop, LoopAction.CLAIM, message="1712.other", carried=False)
    await f.press(ANA, loop, LoopAction.CLAIM, channel="C9", message="1712.other")
    assert await taken_out(f) == []


async def test_a_press_on_the_second_card_of_an_alert_opens_its_order_and_takes_it_out(f: Floor) -> None:
    await raise_alert(f.b.context, AlertBody(to=SLACK, severity="INFO", message="Hm"), BUILDER)
    await f.deliver()
    (alert,) = await f.b.store.records.alerts(HERE, None)
    assert alert.card is not None
    control = LoopControl(alert.id, LoopAction.ORDER)
    reply = await f.press(ANA, await f.order(), LoopAction.ORDER, control=control, thread=None, message="1712.second")
    assert isinstance(reply, Saved)
    assert [one.messages for one in await taken_out(f)] == [("1712.second",)]


async def test_a_replacement_on_the_wire_when_a_press_showed_the_lost_one_is_taken_out(f: Floor) -> None:
    made = await dispatch(f.b.context, Order(to=SLACK, title="Audit", id="wo-1"), BUILDER)
    claimed, ready = await _lost(f)
    replacement = await loop_delivery.begin_replacement(f.b.context, claimed, ready)
    assert replacement is not None
    await f.press(ANA, await f.loop(made.snapshot["id"]), LoopAction.CLAIM, message="1712.first")
    await loop_delivery.posted(f.b.context, claimed, replacement, f._there("C1"))
    card = (await f.loop()).card
    assert card is not None
    assert (card.message, card.state) == ("1712.first", PublicationState.POSTED)
    assert [one.messages for one in await taken_out(f)] == [("1712.000002",)]


async def _lost(f: Floor) -> tuple[Claimed, ReadyCopy]:
    """The card was posted, and nobody knows what came of that."""
    now = f.b.clock.now()
    (claimed,) = await f.b.store.outbox.claim([Lane.POST], now, now + timedelta(hours=1), "relay", 10)
    assert isinstance(claimed.delivery.task, PostLoop)
    ready = await loop_delivery.begin_post(f.b.context, claimed, claimed.delivery.task, link_ok=True)
    assert ready is not None
    return claimed, ready
