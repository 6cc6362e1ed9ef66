"""Work orders that no chat shows: whoever can do something about it is told at once, and nobody is reminded."""

from __future__ import annotations

from datetime import timedelta

from core.dues import LEASE
from core.loops import Loop, LoopAction
from core.loops.asking import Order
from core.loops.owed import PostLoop
from core.outbox import Lane
from core.publications import PublicationState
from core.replies import Saved
from core.use_cases import loop_delivery
from core.use_cases.loops import dispatch
from tests.use_cases.cast import BUILDER, OPAL, SLACK
from tests.use_cases.floor import Floor


async def test_an_order_that_no_chat_shows_reminds_nobody_until_it_is_dispatched_again(f: Floor) -> None:
    await dispatch(f.b.context, Order(to=SLACK, title="Audit", id="wo-1", due="45m"), BUILDER)
    now = f.b.clock.now()
    (claimed,) = await f.b.store.outbox.claim([Lane.POST], now, now + LEASE, "relay", 10)
    task = claimed.delivery.task
    assert isinstance(task, PostLoop)
    ready = await loop_delivery.begin_post(f.b.context, claimed, task, link_ok=True)
    assert ready is not None
    await loop_delivery.unreachable(f.b.context, claimed, ready, "I am not in this channel.")
    await f.deliver()
    told = "“Audit” (wo-1) could not be delivered to slack:T1.C1, so nobody there sees it: I am not in this channel."
    assert f.said == [("U3", told)]
    assert await f.next_due() == timedelta(minutes=45)
    await f.tick(minutes=45)
    assert await f.types() == ["opened", "escalated", "overdue"]
    assert await f.next_due() is None
    again = await press_offer(f)
    assert (again.parent, again.card.state if again.card else None) == ("wo-1", PublicationState.POSTED)


async def press_offer(f: Floor) -> Loop:
    """The operator presses what they were offered."""
    loop = await f.loop()
    reply = await f.press(OPAL, loop, LoopAction.DISPATCH_AGAIN, channel="D3", message="1712.7", thread=None)
    assert reply == Saved("It was dispatched again as wo-1-again.")
    await f.deliver()
    return await f.loop("wo-1-again")
