"""Whoever a card names may go: it is undeliverable once nobody of them is left, and not before."""

from __future__ import annotations

import pytest

from core.kinds import Kind
from core.people import Identity, Person, Standing
from core.records import Status
from core.use_cases.agents import revoke_agent
from core.use_cases.left_alone import NOBODY_LEFT, account_ended
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, HERE, OTHER_AGENT, SLACK

ANA_SLACK, ANA_TELEGRAM = ANA.identities
STRANGER = Identity(provider="slack", account="T1", user="U77")


async def _ended(b: Bench, identity: Identity) -> tuple[str, ...]:
    async with b.store.work() as work:
        await work.keep_standing(HERE, identity, Standing(deleted=True), b.clock.now())
        await work.commit()
    return await account_ended(b.context, HERE, identity)


async def _asked(b: Bench, *answerers: str) -> str:
    return await b.open(Kind.CONFIRMATION, to=SLACK, audience={"answerers": list(answerers)})


STAYS: list[tuple[str, list[str]]] = [
    ("a conversation has others", ["slack:T1.U77", "conversation"]),
    ("operators may come", ["slack:T1.U77", "role:operator"]),
    ("another person is named", ["slack:T1.U77", "person:ben"]),
    ("another account is named", ["slack:T1.U77", "telegram:99"]),
    ("an agent is named", ["slack:T1.U77", "agent:other"]),
]


@pytest.mark.parametrize(("why", "answerers"), STAYS, ids=[row[0] for row in STAYS])
async def test_a_card_that_somebody_else_may_answer_stays_open(b: Bench, why: str, answerers: list[str]) -> None:
    id = await _asked(b, *answerers)
    assert await _ended(b, STRANGER) == (), why
    assert (await b.get(id)).is_pending


async def test_a_card_that_only_an_ended_account_could_answer_is_undeliverable(b: Bench) -> None:
    id, other = await _asked(b, "slack:T1.U77"), await _asked(b, "slack:T1.U78")
    assert await _ended(b, STRANGER) == (id,)
    outcome = (await b.get(id)).outcome
    assert outcome is not None
    assert (outcome.status, outcome.reason, outcome.via.value) == (Status.UNDELIVERABLE, NOBODY_LEFT, "timer")
    assert await b.types(id) == ["created", "undeliverable"]
    assert await b.redraws(id) == {1}
    assert (await b.get(other)).is_pending
    assert await _ended(b, STRANGER) == ()


async def test_a_person_is_gone_with_the_last_of_their_accounts(b: Bench) -> None:
    id = await _asked(b, "person:ana")
    assert await _ended(b, ANA_SLACK) == (), "she still has Telegram"
    assert await _ended(b, ANA_TELEGRAM) == (id,)


async def test_who_has_no_account_yet_may_be_given_one(b: Bench) -> None:
    async with b.store.work() as work:
        await work.add_person(Person(id="per_new", workspace=HERE, handle="new", name="New"))
        await work.commit()
    id = await _asked(b, "slack:T1.U77", "person:new")
    assert await _ended(b, STRANGER) == ()
    assert (await b.get(id)).is_pending


async def test_people_and_programs_may_go_one_after_the_other(b: Bench) -> None:
    id = await _asked(b, "slack:T1.U77", f"agent:{OTHER_AGENT.name}")
    assert await _ended(b, STRANGER) == ()
    assert (await revoke_agent(b.context, HERE, OTHER_AGENT.name)).settled == (id,)
    assert (await b.get(id)).status is Status.UNDELIVERABLE
