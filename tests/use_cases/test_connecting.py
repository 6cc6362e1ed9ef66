"""A connection: an operator sets out, the asker's side proves that they arrived, and nobody else grants it."""

from __future__ import annotations

from typing import Any

import pytest

from core.acts import Accept, Cancel, Patch, SetOut
from core.audience import Candidate
from core.errors import AlreadySettled, Expired, Forbidden, Invalid, NotFound, StaleRevision
from core.kinds import Kind
from core.kinds.connection import STATE_LIVES, digest_of
from core.people import Agent, AgentRole, Identity, Membership, Person, Role, Standing, Via
from core.records import Status
from core.use_cases.answer import answer
from core.use_cases.change import change, confirm_connection, operate
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BUILDER, HERE, OPAL, OTHER_AGENT, SLACK

SECOND = OPAL.model_copy(
    update={
        "id": "per_otto",
        "handle": "otto",
        "name": "Otto",
        "identities": (Identity(provider="slack", account="T1", user="U9"),),
    }
)
BOSS = Agent(id="agt_9", workspace=HERE, name="boss", role=AgentRole.OPERATOR)


async def _set_out(b: Bench, id: str, state: str, who: Person = OPAL, revision: int = 1) -> None:
    await operate(b.context, HERE, id, SetOut(revision, digest_of(state)), who, who.identities[0])


async def _confirm(b: Bench, id: str, state: str, agent: Agent = BUILDER) -> str:
    receipt: str = (await confirm_connection(b.context, HERE, id, state, agent)).snapshot["outcome"]["receipt"]
    return receipt


async def test_it_is_granted_by_the_operator_who_set_out(b: Bench) -> None:
    id = await b.open(Kind.CONNECTION)
    await _set_out(b, id, "one")
    b.clock.move(minutes=5)
    receipt = await _confirm(b, id, "one")
    outcome = (await b.get(id)).outcome
    assert outcome is not None
    assert (outcome.status, outcome.answer, outcome.by.handle) == (Status.ACCEPTED, {"connected": True}, "opal")
    assert (outcome.via.value, outcome.receipt) == ("review", receipt)
    assert (await b.receipts(id))[-1].data["quoted"] == {"message": "connected", "agent": "builder"}
    assert await b.types(id) == ["created", "connecting", "accepted"]


async def test_confirming_again_is_the_same_receipt_also_much_later(b: Bench) -> None:
    id = await b.open(Kind.CONNECTION)
    await _set_out(b, id, "one")
    receipt = await _confirm(b, id, "one")
    b.clock.move(days=3)
    assert await _confirm(b, id, "one") == receipt
    with pytest.raises(AlreadySettled):
        await _confirm(b, id, "two")
    assert await b.types(id) == ["created", "connecting", "accepted"]


async def test_a_state_that_nobody_brought_or_that_is_too_old_grants_nothing(b: Bench) -> None:
    id = await b.open(Kind.CONNECTION)
    with pytest.raises(Invalid):
        await _confirm(b, id, "one")
    await _set_out(b, id, "one")
    for wrong in ("two", "", digest_of("one")):
        with pytest.raises(Invalid):
            await _confirm(b, id, wrong)
    b.clock.move(seconds=STATE_LIVES.total_seconds() + 1)
    with pytest.raises(Invalid, match="older than an hour"):
        await _confirm(b, id, "one")
    await _set_out(b, id, "again")
    b.clock.move(seconds=STATE_LIVES.total_seconds())
    assert await _confirm(b, id, "again")


async def test_of_two_operators_the_one_who_set_out_last_counts(b: Bench) -> None:
    id = await b.open(Kind.CONNECTION)
    async with b.store.work() as work:
        await work.add_person(SECOND)
        await work.commit()
    await _set_out(b, id, "one")
    await _set_out(b, id, "two", SECOND)
    with pytest.raises(Invalid):
        await _confirm(b, id, "one")
    await _confirm(b, id, "two")
    outcome = (await b.get(id)).outcome
    assert outcome is not None
    assert outcome.by.handle == "otto"


async def test_only_operators_set_out_and_only_the_asker_confirms(b: Bench) -> None:
    id = await b.open(Kind.CONNECTION)
    assert ANA.role is Role.MEMBER
    with pytest.raises(Forbidden):
        await _set_out(b, id, "one", ANA)
    await _set_out(b, id, "one")
    with pytest.raises(NotFound):
        await _confirm(b, id, "one", OTHER_AGENT)
    with pytest.raises(Forbidden):
        await _confirm(b, id, "one", BOSS)
    assert (await b.get(id)).is_pending


@pytest.mark.parametrize(
    "gone",
    [
        {"role": Role.MEMBER},  # they were made a member meanwhile
        None,  # they were removed
    ],
)
async def test_who_is_no_operator_any_more_grants_nothing(b: Bench, gone: dict[str, Any] | None) -> None:
    id = await b.open(Kind.CONNECTION)
    await _set_out(b, id, "one")
    async with b.store.work() as work:
        if gone is None:
            await work.remove_person(HERE, OPAL.id)
        else:
            await work.save_person(OPAL.model_copy(update=gone))
        await work.commit()
    with pytest.raises(Forbidden, match="no operator here any more"):
        await _confirm(b, id, "one")
    assert (await b.get(id)).is_pending
    assert await b.types(id) == ["created", "connecting"]


async def test_nobody_accepts_it_in_chat(b: Bench) -> None:
    id = await b.open(Kind.CONNECTION)
    who = Candidate(OPAL, OPAL.identities[0], Standing(), {SLACK: Membership.YES})
    with pytest.raises(Invalid, match="granted by an operator"):
        await answer(b.context, HERE, id, Accept(1), who, Via.SLACK)
    assert (await b.get(id)).is_pending


async def test_a_change_of_the_card_voids_who_set_out_and_cannot_change_the_service(b: Bench) -> None:
    id = await b.open(Kind.CONNECTION)
    await _set_out(b, id, "one")
    before = await b.get(id)
    payload = before.content.payload.model_copy(update={"scopes": ("repo:admin",)})
    await change(b.context, HERE, id, Patch(1, before.content.model_copy(update={"payload": payload})), BUILDER)
    with pytest.raises(Invalid):
        await _confirm(b, id, "one")
    with pytest.raises(StaleRevision):
        await _set_out(b, id, "two", revision=1)
    other = payload.model_copy(update={"service": "gitlab"})
    with pytest.raises(Invalid, match="service"):
        await change(b.context, HERE, id, Patch(2, before.content.model_copy(update={"payload": other})), BUILDER)


async def test_what_is_over_is_not_granted(b: Bench) -> None:
    late = await b.open(Kind.CONNECTION, policy={"expires_in": "10m", "starts": "asked"})
    await _set_out(b, late, "one")
    b.clock.move(minutes=10)
    with pytest.raises(Expired):
        await _confirm(b, late, "one")
    closed = await b.open(Kind.CONNECTION)
    await _set_out(b, closed, "one")
    await operate(b.context, HERE, closed, Cancel(), OPAL, OPAL.identities[0])
    with pytest.raises(AlreadySettled):
        await _confirm(b, closed, "one")


async def test_a_second_ask_for_the_service_returns_the_open_card_and_a_new_one_once_it_is_settled(b: Bench) -> None:
    first = await b.asked(Kind.CONNECTION)
    second = await b.asked(Kind.CONNECTION, title="Please connect me")
    assert (second.snapshot["id"], second.replayed, second.pending) == (first.snapshot["id"], True, True)
    await operate(b.context, HERE, first.snapshot["id"], Cancel(), OPAL, OPAL.identities[0])
    third = await b.asked(Kind.CONNECTION)
    assert third.snapshot["id"] != first.snapshot["id"]
    assert not third.pending
