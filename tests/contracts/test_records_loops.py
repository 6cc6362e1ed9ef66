"""The contract of `core.loops.keeping.LoopReads`: lists of loops, what an agent may see, what waits for a person."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.events import Event, LoopEventType
from core.loops import LoopState, Mark
from core.loops.keeping import Ordered
from core.loops.values import Slot
from core.people import Agent, By, Via
from core.store import Store
from core.urgency import Urgency
from tests.rules.making import NOW, by
from tests.store.making import ANA, BEN, BUILDER, HERE, OPERATOR, SOON, settle_in
from tests.store.ordering import moved, order, place

WORKER = Agent(id="agt_3", workspace=HERE, name="worker")
STRANGER = Agent(id="agt_4", workspace=HERE, name="stranger")
SOMEBODY = By(type="agent", id="agt_7", handle="somebody")
CLAIMED = Mark(by=by("ana"), via=Via.SLACK, at=NOW, receipt="rcp_1")
LOOPS = [
    order(1),  # the builder's
    order(2, sender=SOMEBODY, recipient="agent:worker"),
    order(3, sender=SOMEBODY, conversation=place(2).id, state=LoopState.CLOSED),
    order(4, sender=SOMEBODY, recipient="person:ana", due_at=SOON, overdue_at=SOON),
    order(5, sender=SOMEBODY, state=LoopState.CLAIMED, claimed=CLAIMED, conversation=place(3).id),
    order(6, sender=SOMEBODY, conversation=place(3).id),
]


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)
    async with store.work() as work:
        for agent in (WORKER, STRANGER):
            await work.add_agent(agent, f"hash-of-{agent.name}", "whsec_x", NOW)
        for number in (1, 2, 3):
            await work.add_conversation(place(number))
        for loop in LOOPS:
            await work.add_loop(loop)
            event = Event(
                id=f"evt_{loop.name}",
                workspace=HERE,
                position=0,
                type=LoopEventType.OPENED,
                at=NOW,
                loop=loop.id,
                data={},
            )
            await work.announce(event)
        await work.join(place(2), WORKER.id, NOW)
        await work.commit()


def names(found: Sequence[Ordered]) -> str:
    return " ".join(one.loop.name.removeprefix("wo-") for one in found)


@pytest.mark.parametrize(
    ("reader", "sees"),
    [
        (BUILDER, "1"),  # what it sent
        (WORKER, "3 2"),  # what is for it, and where it takes part
        (STRANGER, ""),
        (OPERATOR, "6 5 4 3 2 1"),
        (None, "6 5 4 3 2 1"),  # a signed-in operator
    ],
)
async def test_a_key_sees_what_it_sent_is_meant_by_or_takes_part_in(
    store: Store, reader: Agent | None, sees: str
) -> None:
    records = store.records
    assert names(await records.loops(HERE, reader)) == sees
    alone = [await records.loop(HERE, loop.name, reader) for loop in reversed(LOOPS)]
    assert names([one for one in alone if one is not None]) == sees
    heard = [one.loop for one in await records.events(HERE, reader)]
    assert heard == [order(int(number)).id for number in reversed(sees.split())]


@pytest.mark.parametrize(("reader", "sees"), [(WORKER, [2]), (STRANGER, []), (None, [3, 2, 1])])
async def test_a_key_sees_the_conversations_it_takes_part_in(
    store: Store, reader: Agent | None, sees: list[int]
) -> None:
    assert await store.records.conversations(HERE, reader) == [place(number) for number in sees]
    found = [await store.records.conversation(HERE, place(number).id, reader) for number in (3, 2, 1)]
    assert [one for one in found if one] == [place(number) for number in sees]


async def test_a_list_is_paged_newest_first_and_filtered(store: Store) -> None:
    look = store.records.loops
    assert names(await look(HERE, None, limit=2)) == "6 5"
    assert names(await look(HERE, None, limit=2, after=order(5).id)) == "4 3"
    assert names(await look(HERE, None, states=[LoopState.CLOSED, LoopState.CLAIMED])) == "5 3"
    assert names(await look(HERE, None, recipient="person:ana")) == "4"
    assert names(await look(HERE, None, conversation=place(3).id)) == "6 5"
    assert names(await look(HERE, None, overdue=True)) == "4"
    assert names(await look(HERE, None, overdue=False, limit=1)) == "6"
    (first,) = await look(HERE, None, limit=1)
    assert first == Ordered(LOOPS[5], place(3))


async def test_what_waits_for_a_person_is_theirs_or_nobody_s_where_they_were_seen(store: Store) -> None:
    look = store.records.loops_for
    assert names(await look(HERE, ANA)) == "4 5"  # for her, and claimed by her
    assert names(await look(HERE, BEN)) == ""
    async with store.work() as work:
        await work.note_seen(HERE, BEN.id, place(3).where, NOW)
        await work.commit()
    assert names(await look(HERE, BEN)) == "6"  # the other is claimed
    assert names(await look(HERE, ANA, limit=1)) == "4"  # due
    assert names(await look(HERE, ANA, after=Urgency.of(SOON, order(4).id))) == "5"
    assert names(await look(HERE, ANA, after=Urgency.of(None, order(5).id))) == ""


async def test_what_is_shared_out_waits_for_others_while_a_share_is_free(store: Store) -> None:
    async def shared(number: int, *slots: Slot) -> None:
        async with store.work() as work:
            await work.add_loop(order(number, sender=SOMEBODY, conversation=place(3).id, claimed=CLAIMED, slots=slots))
            await work.commit()

    await shared(7, Slot(number=1, claimed=CLAIMED), Slot(number=2))
    await shared(8, Slot(number=1, claimed=CLAIMED), Slot(number=2, done=CLAIMED))
    async with store.work() as work:
        await work.note_seen(HERE, BEN.id, place(3).where, NOW)
        await work.commit()
    assert names(await store.records.loops_for(HERE, BEN)) == "7 6"
    assert names(await store.records.loops_for(HERE, ANA)) == "4 8 7 5"  # she has a share of both


async def test_a_member_finds_what_they_had_a_part_in_and_what_is_talked_about_where_they_are(store: Store) -> None:
    """Ana has a claim of 5 and is the recipient of 4; she acknowledged 2, and is seen in the place of 3 alone."""
    around = store.records.loops_around
    async with store.work() as work:
        await work.record_loop(moved("rcp_1", who=by("ana")), order(2).id)
        await work.record_loop(moved("rcp_2", who=by("ana")), order(5).id)
        await work.note_seen(HERE, ANA.id, place(2).where, NOW)
        await work.commit()
    assert names(await around(HERE, ANA)) == "5 4 3 2"
    assert names(await around(HERE, ANA, after=order(5).id, limit=2)) == "4 3"
    assert names(await around(HERE, ANA, states=[LoopState.CLOSED])) == "3"
    assert names(await around(HERE, ANA, overdue=True)) == "4"
    assert names(await around(HERE, BEN)) == ""
    elsewhere = ANA.model_copy(update={"workspace": "wsp_other"})
    assert names(await around("wsp_other", elsewhere)) == ""
