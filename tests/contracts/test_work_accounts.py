"""The contract of `core.ports.Work`: accounts that are given to a person and taken away."""

from __future__ import annotations

import asyncio

import pytest

from core.acts import Stamp
from core.audience import Audience
from core.errors import Invalid, Raced
from core.loops import Claim, Result, decide
from core.loops.places import LoopPrompt
from core.people import Identity, Via, by_person
from core.store import Store
from tests.contracts.test_work_people import GUEST, PASSER_BY
from tests.rules.making import NOW
from tests.store.making import ANA, BEN, ELSEWHERE, HERE, add, ask, settle_in
from tests.store.ordering import order, place


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def test_all_accounts_of_an_automatic_member_come_along_in_order(store: Store) -> None:
    more = Identity(provider="telegram", user="7")
    both = PASSER_BY.model_copy(update={"identities": (GUEST, more)})
    async with store.work() as work:
        await work.add_person(both)
        await work.add_identity(ANA.id, HERE, more)
        await work.commit()
    async with store.work() as work:
        found = await work.person(HERE, ANA.id)
        assert found is not None
        assert found.identities == (*ANA.identities, GUEST, more)
        assert await work.person(HERE, both.id) is None


async def test_an_account_is_taken_away_but_never_the_last_and_never_anothers(store: Store) -> None:
    first, *others = ANA.identities
    async with store.work() as work:
        assert not await work.remove_identity(HERE, ANA.id, GUEST)
        for one in others:
            assert await work.remove_identity(HERE, ANA.id, one)
        with pytest.raises(Invalid, match="only account"):
            await work.remove_identity(HERE, ANA.id, first)
        assert not await work.remove_identity(ELSEWHERE, ANA.id, first)
        await work.commit()
    async with store.work() as work:
        found = await work.person(HERE, ANA.id)
        assert found is not None
        assert found.identities == (first,)
        assert await work.person_by_identity(HERE, others[0]) is None


async def test_cards_and_work_of_an_automatic_member_go_on_as_the_persons(store: Store) -> None:
    named = ask(1, audience=Audience(answerers=("person:x", "person:ben")))
    others = ask(2, audience=Audience(answerers=("person:xx",)))
    passing = by_person(PASSER_BY, GUEST)
    claimed = decide(order(1), Claim(), Stamp(NOW, passing, Via.SLACK, "rcp_1")).after
    bens = decide(order(2), Claim(), Stamp(NOW, by_person(BEN, None), Via.SLACK, "rcp_2")).after
    ended = decide(order(3), Result("done"), Stamp(NOW, passing, Via.SLACK, "rcp_3")).after
    prompt = LoopPrompt(
        provider="slack", account="T1", channel="C1", message="9", workspace=HERE, loop=claimed.id, action=1,
        person=PASSER_BY.id,
    )  # fmt: skip
    async with store.work() as work:
        await work.add_person(PASSER_BY)
        await work.add_conversation(place())
        for loop in (claimed, bens, ended):
            await work.add_loop(loop)
        await work.add_loop_prompt(prompt)
        await work.commit()
    await add(store, named, others)
    async with store.work() as work:
        await work.add_identity(ANA.id, HERE, GUEST)
        await work.commit()
    async with store.work() as work:
        found = await work.interaction(HERE, named.id)
        assert found is not None
        assert found.audience.answerers == ("person:ana", "person:ben")
        assert await work.pending_naming(HERE, "person:ana") == [named.id]
        assert await work.pending_naming(HERE, "person:x") == []
        assert await work.interaction(HERE, others.id) == others
        theirs = await work.loop(HERE, claimed.id)
        assert theirs is not None
        assert theirs.claimed is not None
        assert theirs.claimed.by == by_person(ANA, GUEST)
        assert await work.loop(HERE, bens.id) == bens
        assert await work.loop(HERE, ended.id) == ended
        waits = await work.loop_prompt_at("slack", "T1", "C1", "9")
        assert waits is not None
        assert waits.person == ANA.id


async def test_two_who_take_one_account_each_at_once_leave_one(store: Store) -> None:
    first, *others = ANA.identities
    for _ in range(5):

        async def take(identity: Identity) -> bool:
            try:
                return await store.work.run(lambda work: work.remove_identity(HERE, ANA.id, identity))
            except (Invalid, Raced):
                return False

        assert sum(await asyncio.gather(*(take(one) for one in (first, *others)))) >= 1
        async with store.work() as work:
            left = await work.person(HERE, ANA.id)
            assert left is not None
            assert len(left.identities) >= 1
            for one in ANA.identities:
                if one not in left.identities:
                    await work.add_identity(ANA.id, HERE, one)
            await work.commit()
