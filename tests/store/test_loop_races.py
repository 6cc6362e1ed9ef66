"""Many at once on one work order, on both databases: one winner, and a chain of receipts that says so."""

from __future__ import annotations

import asyncio
from functools import partial

from core.dues import LEASE, Due
from core.errors import LoopEnded, LoopTaken
from core.loops import Claim, LoopAct, LoopState, Result
from core.loops.acts import Decline
from core.loops.asking import Order
from core.loops.owed import SayNudge
from core.outbox import Lane
from core.people import Agent
from core.ports import Context, Work
from core.use_cases.loop_moving import Moved
from core.use_cases.loop_time import fire_loop
from core.use_cases.loop_words import begin_words
from core.use_cases.loops import dispatch, move
from core.use_cases.transact import transact
from tests.chains import first_break
from tests.rules.making import NOW
from tests.use_cases.bench import Bench, bench
from tests.use_cases.cast import BUILDER, HERE, SLACK

CROWD = [Agent(id=f"agt_w{number}", workspace=HERE, name=f"worker-{number}") for number in range(8)]


async def gather(b: Bench, name: str, acts: list[tuple[Agent, LoopAct]]) -> list[Moved | LoopTaken | LoopEnded]:
    async def one(agent: Agent, act: LoopAct) -> Moved | LoopTaken | LoopEnded:
        try:
            return await move(b.context, HERE, name, act, agent)
        except (LoopTaken, LoopEnded) as late:
            return late

    return await asyncio.gather(*(one(agent, act) for agent, act in acts))


async def ordered(b: Bench, name: str, slots: int = 0) -> None:
    """An order in a thread in which all of the crowd takes part."""
    made = await dispatch(b.context, Order(to=SLACK, title="Audit", id=name, slots=slots), BUILDER)
    async with b.store.work() as work:
        place = await work.conversation(HERE, made.snapshot["conversation"]["id"])
        assert place is not None
        for agent in CROWD:
            if await work.agent(HERE, agent.id) is None:
                await work.add_agent(agent, f"hash of {agent.name}", "whsec_x", NOW)
            await work.join(place, agent.id, NOW)
        await work.commit()


async def types(b: Bench, name: str) -> list[str]:
    chain = await b.store.records.loop_receipts(HERE, name)
    assert first_break(chain) is None
    return [one.type.value for one in chain]


async def test_of_many_claims_one_wins_and_the_others_are_told_who(store_url: str) -> None:
    async with bench(store_url) as b:
        await ordered(b, "wo-1")
        results = await gather(b, "wo-1", [(agent, Claim()) for agent in CROWD])
        won = [one for one in results if isinstance(one, Moved)]
        lost = [one for one in results if isinstance(one, LoopTaken)]
        assert (len(won), len(lost)) == (1, len(CROWD) - 1)
        winner = won[0].loop.claimed
        assert winner is not None
        assert {one.holder for one in lost} == {winner}
        assert await types(b, "wo-1") == ["opened", "claimed"]


async def test_of_many_claims_on_slots_each_slot_is_won_once(store_url: str) -> None:
    async with bench(store_url) as b:
        await ordered(b, "wo-1", slots=3)
        results = await gather(b, "wo-1", [(agent, Claim()) for agent in CROWD])
        assert sum(isinstance(one, Moved) for one in results) == 3
        found = await b.store.records.loop(HERE, "wo-1", None)
        assert found is not None
        assert len({slot.claimed.by.id for slot in found.loop.slots if slot.claimed}) == 3
        assert await types(b, "wo-1") == ["opened", "claimed", "claimed", "claimed"]


async def test_of_many_ends_one_stands_and_the_others_are_told_which(store_url: str) -> None:
    async with bench(store_url) as b:
        await ordered(b, "wo-1")
        acts: list[LoopAct] = [Result(f"by {number}") if number % 2 else Decline(f"no {number}") for number in range(8)]
        results = await gather(b, "wo-1", list(zip(CROWD, acts, strict=True)))
        (won,) = [one for one in results if isinstance(one, Moved)]
        outcomes = [one.outcome for one in results if isinstance(one, LoopEnded)]
        assert outcomes == [won.loop.outcome] * 7
        assert won.loop.state in (LoopState.CLOSED, LoopState.DECLINED)
        assert await types(b, "wo-1") == ["opened", won.loop.state.value]
        events = await b.store.records.events(HERE, None)
        assert [one.type.value for one in events] == ["loop.opened", f"loop.{won.loop.state.value}"]


async def test_of_many_orders_with_one_name_one_is_opened(store_url: str) -> None:
    async with bench(store_url) as b:
        order = Order(to=SLACK, title="Audit", id="wo-1")
        results = await asyncio.gather(*(dispatch(b.context, order, BUILDER) for _ in range(4)), return_exceptions=True)
        assert sum(not isinstance(one, BaseException) for one in results) == 1
        assert await types(b, "wo-1") == ["opened"]


async def test_a_reminder_and_a_result_at_the_same_moment_never_leave_a_reminder_after_the_end(store_url: str) -> None:
    async with bench(store_url) as b:
        names = [f"wo-{number}" for number in range(12)]
        for name in names:
            await ordered(b, name)
        b.clock.move(minutes=15)
        now = b.clock.now()
        dues = await b.store.dues.claim(now, now + LEASE, 50)
        assert len(dues) == len(names)
        fires = [transact(b.context, partial(_fire, context=b.context, due=due)) for due in dues]
        ends = [move(b.context, HERE, name, Result("done"), BUILDER) for name in names]
        await asyncio.gather(*(one for pair in zip(fires, ends, strict=True) for one in pair))
        for name in names:
            assert await types(b, name) in (["opened", "closed"], ["opened", "nudged", "closed"])
        assert await b.store.dues.next_due() is None
        for claimed in await b.store.outbox.claim([Lane.NUDGE], now, now + LEASE, "late", 50):
            assert isinstance(claimed.delivery.task, SayNudge)
            assert await begin_words(b.context, claimed, claimed.delivery.task) is None


async def _fire(work: Work, context: Context, due: Due) -> None:
    await fire_loop(work, context, due)
