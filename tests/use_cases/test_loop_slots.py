"""Work in shares: what is said twice of one changes no other, and what somebody has is nobody else's to end unnamed."""

from __future__ import annotations

import pytest

from core.errors import Invalid
from core.loops import Claim, Decline, LoopAct, LoopState, NoAction, Result
from core.loops.acts import Track
from core.people import Agent
from core.sentences.values import Status
from core.use_cases.loop_moving import Moved
from core.use_cases.loops import move
from tests.use_cases.cast import BUILDER, HERE, OTHER_AGENT
from tests.use_cases.floor import Floor

OK = Result("14 of 14", Status.OK)


async def does(f: Floor, by: Agent, *acts: LoopAct) -> Moved:
    moved = [await move(f.b.context, HERE, "wo-1", act, by) for act in acts]
    return moved[-1]


async def shared(f: Floor) -> None:
    await f.order("agent:other", slots=2)
    await does(f, OTHER_AGENT, Claim(1))
    await does(f, BUILDER, Claim(2))


async def test_a_result_said_twice_without_a_slot_ends_no_other_slot(f: Floor) -> None:
    await shared(f)
    first = await does(f, OTHER_AGENT, OK)
    again = await does(f, OTHER_AGENT, OK)
    assert (again.repeated, again.receipt) == (True, first.receipt)
    assert (again.loop.state, again.loop.slots[1].done) == (LoopState.CLAIMED, None)
    assert await f.types() == ["opened", "claimed", "claimed", "slot_done"]


async def test_what_another_one_has_is_not_ended_by_who_names_no_slot(f: Floor) -> None:
    await shared(f)
    await does(f, OTHER_AGENT, OK)
    with pytest.raises(Invalid, match="say which slot of wo-1, such as wo-1/2"):
        await does(f, OTHER_AGENT, Result("and this one as well"))
    assert (await f.loop()).slots[1].done is None
    assert (await does(f, OTHER_AGENT, Result("named, it is", slot=2))).loop.state is LoopState.CLOSED


async def test_the_last_slot_is_meant_where_nobody_has_it(f: Floor) -> None:
    await f.order("agent:other", slots=2)
    await does(f, OTHER_AGENT, Result("mine", slot=1))
    assert (await does(f, OTHER_AGENT, Result("and the rest"))).loop.state is LoopState.CLOSED


@pytest.mark.parametrize("last", [OK, Result("14 of 14", Status.OK, 2)], ids=["without a slot", "with its slot"])
async def test_the_result_that_ended_all_of_it_is_the_same_when_said_again(f: Floor, last: LoopAct) -> None:
    await shared(f)
    await does(f, OTHER_AGENT, Result("mine"))
    first = await does(f, BUILDER, OK)
    again = await does(f, BUILDER, last)
    assert (first.loop.state, again.repeated, again.receipt) == (LoopState.CLOSED, True, first.receipt)


async def test_a_slot_given_back_twice_is_given_back_once(f: Floor) -> None:
    await shared(f)
    first = await does(f, OTHER_AGENT, Decline("no time", 1))
    again = await does(f, OTHER_AGENT, Decline("no time", 1))
    assert (first.repeated, again.repeated, again.receipt) == (False, True, first.receipt)
    taken_again = await does(f, OTHER_AGENT, Claim(1), Decline("still no time", 1))
    assert not taken_again.repeated, "it was theirs once more"
    assert (await f.types()).count("slot_freed") == 2


async def test_a_slot_without_a_mark_is_kept_as_it_always_was(f: Floor) -> None:
    await shared(f)
    await does(f, OTHER_AGENT, NoAction("nothing to do", 1))
    loop = await f.loop()
    assert all("freed" not in slot.model_dump(mode="json") for slot in loop.slots)
    assert (await does(f, BUILDER, Track(3, "more"), Decline("no", 3))).loop.slots[2].freed is not None
    assert (await f.loop()).slots[2].freed is not None, "it comes back from the store"
