"""Orders dispatched again: who may, once, for somebody else, and from what their sender was told."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from core.addresses import Provider
from core.dues import LEASE
from core.errors import Invalid, LoopEnded, NotAnAnswerer
from core.loops import Loop, LoopAction, LoopState
from core.loops.acts import Decline
from core.loops.asking import AgainBody
from core.loops.controls import LoopControl
from core.people import Standing
from core.replies import Saved, Told
from core.use_cases.agents import revoke_agent
from core.use_cases.loop_arrivals import LoopPress
from core.use_cases.loop_press import press_loop
from core.use_cases.loop_time import fire_loop
from core.use_cases.loops import dispatch_again, move
from core.use_cases.transact import transact
from tests.use_cases.cast import ANA, BEN, BUILDER, HERE, OPAL, OTHER_AGENT
from tests.use_cases.floor import Floor

ELSEWHERE: dict[str, Any] = {"channel": "U2", "message": "1799.000001", "thread": None}
"""The one-to-one chat in which the sender was told."""


async def refused_order_of_ben(f: Floor) -> Loop:
    first = await f.order()
    await f.write(BEN, await f.place(first), "[WO:wo-9] Restart the probe")
    await f.deliver()
    loop = await f.loop("wo-9")
    await f.submit(ANA, loop, LoopAction.DECLINE, "not mine")
    await f.deliver()
    return loop


async def escalated(f: Floor) -> Loop:
    loop = await f.order(nudges={"every": "15m", "max": 1})
    for _ in range(3):
        await f.tick(hours=12)
    loop = await f.loop()
    assert loop.escalated_at is not None
    return loop


async def test_what_the_sender_is_told_of_a_refusal_has_the_button(f: Floor) -> None:
    loop = await refused_order_of_ben(f)
    (offer,) = f.offers
    assert (offer.channel, offer.loop, offer.text) == (
        "U2", loop.id, "Ana declined “Restart the probe” (wo-9): not mine",
    )  # fmt: skip
    assert await f.press(BEN, loop, LoopAction.DISPATCH_AGAIN, **ELSEWHERE) == Saved(
        "It was dispatched again as wo-9-again."
    )
    assert (await f.loop("wo-9-again")).sender.handle == "ben"
    again = await f.press(BEN, loop, LoopAction.DISPATCH_AGAIN, **ELSEWHERE)
    assert again == Told("wo-9 was dispatched again as wo-9-again.")


async def test_anybody_there_dispatches_it_again_by_its_card_once(f: Floor) -> None:
    loop = await refused_order_of_ben(f)
    assert await f.press(ANA, loop, LoopAction.DISPATCH_AGAIN) == Saved("It was dispatched again as wo-9-again.")
    again = await f.loop("wo-9-again")
    assert (again.parent, again.title, again.state) == ("wo-9", "Restart the probe", LoopState.OPEN)
    with pytest.raises(LoopEnded, match="was dispatched again as wo-9-again"):
        await dispatch_again(f.b.context, "wo-9", AgainBody(), BUILDER)


async def test_a_stranger_of_the_same_name_does_not_stand_in_the_way(f: Floor) -> None:
    loop = await refused_order_of_ben(f)
    await f.order(id="wo-9-again")
    told = await f.press(ANA, loop, LoopAction.DISPATCH_AGAIN)
    assert told == Saved(f"It was dispatched again as wo-9-again-{loop.id[-7:]}.")
    assert isinstance(await f.press(ANA, loop, LoopAction.DISPATCH_AGAIN), Told)


async def test_the_button_is_worth_nothing_to_others_elsewhere(f: Floor) -> None:
    loop = await refused_order_of_ben(f)
    told = await f.press(ANA, loop, LoopAction.DISPATCH_AGAIN, **ELSEWHERE)
    assert isinstance(told, Told)
    assert "You may not do this" in told.text
    gone = await f.press(BEN, loop, LoopAction.DISPATCH_AGAIN, **ELSEWHERE, standing=Standing(deleted=True))
    assert isinstance(gone, Told)
    assert [one.loop.name for one in await f.b.store.records.loops(HERE, None)] == ["wo-9", "wo-1"]


async def test_no_other_control_works_away_from_its_card(f: Floor) -> None:
    loop = await f.order()
    told = await f.press(ANA, loop, LoopAction.CLAIM, **ELSEWHERE)
    assert isinstance(told, Told)
    assert (await f.loop()).state is LoopState.OPEN


async def test_an_escalated_order_ends_when_it_is_dispatched_again(f: Floor) -> None:
    loop = await escalated(f)
    assert {offer.loop for offer in f.offers} == {loop.id}
    place = await f.place(loop)
    async with f.b.store.work() as work:
        await work.join(place, OTHER_AGENT.id, f.b.clock.now())
        await work.commit()
    with pytest.raises(NotAnAnswerer):  # takes part, but is not the sender
        await dispatch_again(f.b.context, "wo-1", AgainBody(), OTHER_AGENT)
    made = await dispatch_again(f.b.context, "wo-1", AgainBody(to="agent:other", due="2h"), BUILDER)
    before, after = await f.loop(), await f.loop("wo-1-again")
    assert (before.state, before.outcome and before.outcome.reason) == (
        LoopState.NO_ACTION, "dispatched again as wo-1-again",
    )  # fmt: skip
    assert (after.recipient, after.parent, after.due_at) == (
        "agent:other", "wo-1", f.b.clock.now() + timedelta(hours=2),
    )  # fmt: skip
    assert made.snapshot["to"] == "agent:other"


async def test_an_order_for_an_agent_that_is_gone_is_for_whoever_is_there_when_it_is_dispatched_again(f: Floor) -> None:
    await f.order()
    place = (await f.loop()).conversation
    loop = await f.order("agent:other", id="wo-2", conversation=place)
    await revoke_agent(f.b.context, HERE, "other")
    await f.deliver()
    assert isinstance(await f.press(OPAL, loop, LoopAction.DISPATCH_AGAIN), Saved)
    assert (await f.loop("wo-2-again")).recipient == "slack:T1.C1/1712.000001"


async def test_between_programs_alone_somebody_else_is_to_be_named(f: Floor) -> None:
    await f.order("agent:other", id="wo-2")
    await move(f.b.context, HERE, "wo-2", Decline("no"), OTHER_AGENT)
    await revoke_agent(f.b.context, HERE, "other")
    with pytest.raises(Invalid, match="other is not here any more: name somebody else"):
        await dispatch_again(f.b.context, "wo-2", AgainBody(), BUILDER)
    made = await dispatch_again(f.b.context, "wo-2", AgainBody(to="person:ana"), BUILDER)
    assert made.snapshot["to"] == "person:ana"


async def test_an_operator_dispatches_again_what_was_escalated_to_them(f: Floor) -> None:
    loop = await escalated(f)
    assert isinstance(await f.press(OPAL, loop, LoopAction.DISPATCH_AGAIN, **ELSEWHERE), Saved)


async def test_what_is_open_or_closed_is_not_dispatched_again(f: Floor) -> None:
    await f.order()
    with pytest.raises(Invalid, match="neither declined nor escalated"):
        await dispatch_again(f.b.context, "wo-1", AgainBody(), BUILDER)
    assert [one.loop.name for one in await f.b.store.records.loops(HERE, None)] == ["wo-1"]


async def test_the_same_key_dispatches_again_once(f: Floor) -> None:
    await f.order()
    await move(f.b.context, HERE, "wo-1", Decline("no"), BUILDER)
    first = await dispatch_again(f.b.context, "wo-1", AgainBody(), BUILDER, ("k", "d"))
    again = await dispatch_again(f.b.context, "wo-1", AgainBody(), BUILDER, ("k", "d"))
    assert (again.snapshot, again.replayed) == (first.snapshot, True)


async def test_nobody_is_told_that_an_order_waits_which_ended_meanwhile(f: Floor) -> None:
    loop = await f.order(nudges={"max": 0}, due="1h")
    f.b.clock.move(hours=3)
    now = f.b.clock.now()
    for due in await f.b.store.dues.claim(now, now + LEASE, 100):
        await transact(f.b.context, partial(fire_loop, context=f.b.context, due=due))
    assert (await f.loop()).escalated_at is not None
    await f.submit(ANA, loop, LoopAction.DONE, "all well")
    await f.deliver()
    assert f.offers == []
    assert not any("nobody has ended" in text for text in f.texts)


async def test_a_refusal_to_dispatch_again_leaves_the_order_as_it_was(f: Floor) -> None:
    loop = await f.order("agent:other")
    await revoke_agent(f.b.context, HERE, OTHER_AGENT.name)
    await f.deliver()
    before = await f.types()
    offered = {"provider": Provider.SLACK, "account": "T1", "channel": "U3", "message": "1799.000001", "thread": None}
    arrival: dict[str, Any] = {
        "key": "offer",
        "workspace": HERE,
        "identity": OPAL.identities[0],
        **offered,
    }
    control = LoopControl(loop.id, LoopAction.DISPATCH_AGAIN)
    reply = await press_loop(f.b.context, LoopPress(**arrival, standing=Standing(name="Opal"), control=control))
    assert reply == Told("other is not here any more: name somebody else, or give a new order")
    assert ((await f.loop()).state, await f.types()) == (LoopState.OPEN, before)
