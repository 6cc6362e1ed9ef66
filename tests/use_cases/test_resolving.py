"""An agent reads a decision from what a person wrote under its card: whose, which message, and once."""

from __future__ import annotations

from typing import Any

import pytest

from core.acts import Accept, Patch, Reject
from core.audience import Candidate
from core.controls import Action
from core.errors import AlreadySettled, Forbidden, Invalid, NotAnAnswerer, NotFound, Refused, StaleRevision
from core.kinds import Kind
from core.people import Agent, AgentRole, Membership, Person, Standing
from core.records import Status
from core.use_cases.answer import Done
from core.use_cases.change import change
from core.use_cases.resolving import quoted, resolve_from_comment
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, BUILDER, GROUP, HERE, OTHER_AGENT, PRIVATE, SLACK, identity_on

READS = {"resolve_from_comment": True}
BOSS = Agent(id="agt_9", workspace=HERE, name="boss", role=AgentRole.OPERATOR)


def _as(who: Person) -> Candidate:
    return Candidate(who, who.identities[0], Standing(), {SLACK: Membership.YES})


async def _card(b: Bench, kind: Kind = Kind.CONFIRMATION, **more: Any) -> str:
    return await b.open(kind, **{"policy": READS, **more})


async def _say(b: Bench, id: str, who: Person, text: str, message: str) -> str:
    await b.write(who, await b.copy(id), text, message=message)
    return message


async def _resolve(b: Bench, id: str, message: str, **more: Any) -> Done:
    act = more.pop("act", Accept(1))
    agent = more.pop("agent", BUILDER)
    who = more.pop("who", ANA)
    return await resolve_from_comment(b.context, HERE, id, message=message, act=act, agent=agent, candidate=_as(who))


async def test_the_decision_is_the_persons_and_says_which_agent_read_it(b: Bench) -> None:
    id = await _card(b)
    message = await _say(b, id, ANA, "Go ahead", "1700.1")
    person, identity = await quoted(b.context, HERE, id, message, BUILDER)
    assert (person.id, identity) == (ANA.id, identity_on(ANA, (await b.copy(id)).provider))
    done = await _resolve(b, id, message)
    outcome = done.interaction.outcome
    assert outcome is not None
    assert (outcome.status, outcome.by.handle, outcome.via.value) == (Status.ACCEPTED, "ana", "api")
    last = (await b.receipts(id))[-1]
    assert last.data["quoted"] == {"message": "slack:T1.C1/1700.1", "agent": "builder"}


async def test_the_same_again_is_the_same_receipt(b: Bench) -> None:
    id = await _card(b)
    message = await _say(b, id, ANA, "Go ahead", "1700.1")
    first = await _resolve(b, id, message)
    again = await _resolve(b, id, "slack:T1.C1/1700.1")
    assert again.repeated
    assert first.interaction.outcome is not None
    assert again.snapshot["outcome"]["receipt"] == first.interaction.outcome.receipt
    assert await b.types(id) == ["created", "commented", "accepted"]
    with pytest.raises(AlreadySettled):
        await _resolve(b, id, message, act=Reject(1))


async def test_an_id_that_messages_of_several_chats_have_names_none_of_them(b: Bench) -> None:
    id = await _card(b, to=[GROUP, PRIVATE], audience={"answerers": ["person:ana", "person:ben"]})
    for number, who in ((1, BEN), (2, ANA)):
        await b.write(who, await b.copy(id, number), "Go ahead", message="15")
    with pytest.raises(Invalid, match="several chats"):
        await _resolve(b, id, "15")
    assert (await b.get(id)).is_pending
    with pytest.raises(Invalid, match="said more"):
        await _resolve(b, id, f"{GROUP}/15", who=BEN)
    assert (await _resolve(b, id, f"{PRIVATE}/15")).interaction.status is Status.ACCEPTED


async def test_only_the_newest_message_counts(b: Bench) -> None:
    id = await _card(b)
    first = await _say(b, id, ANA, "Go ahead", "1700.1")
    second = await _say(b, id, BEN, "Wait!", "1700.2")
    with pytest.raises(Invalid, match="said more"):
        await _resolve(b, id, first)
    done = await _resolve(b, id, second, act=Reject(1, "Wait!"), who=BEN)
    assert done.interaction.outcome is not None
    assert (done.interaction.outcome.status, done.interaction.outcome.by.handle) == (Status.REJECTED, "ben")


async def test_words_that_are_no_message_are_newer_all_the_same(b: Bench) -> None:
    id = await _card(b)
    message = await _say(b, id, ANA, "Go ahead", "1700.1")
    await b.submit(BEN, await b.control(id, Action.COMMENT), {"comment": "Wait!"})
    with pytest.raises(Invalid, match="said more"):
        await _resolve(b, id, message)
    later = await _say(b, id, BEN, "Go ahead then", "1700.2")
    assert (await _resolve(b, id, later, who=BEN)).interaction.status is Status.ACCEPTED


async def test_a_message_from_before_the_card_changed_decides_nothing(b: Bench) -> None:
    id = await _card(b)
    message = await _say(b, id, ANA, "Go ahead", "1700.1")
    content = (await b.get(id)).content.model_copy(update={"title": "Delete production?"})
    await change(b.context, HERE, id, Patch(1, content), BUILDER)
    for revision in (1, 2):
        with pytest.raises(StaleRevision):
            await _resolve(b, id, message, act=Accept(revision))
    await b.redrawn(id)
    later = await _say(b, id, ANA, "That one too", "1700.2")
    with pytest.raises(StaleRevision):
        await _resolve(b, id, later, act=Accept(1))
    assert (await _resolve(b, id, later, act=Accept(2))).interaction.status is Status.ACCEPTED


REFUSED: list[tuple[str, dict[str, Any], type[Refused]]] = [
    ("another agent does not know the card", {"agent": OTHER_AGENT}, NotFound),
    ("an operator's key is not the asker's", {"agent": BOSS}, Forbidden),
    ("nobody wrote that message", {"message": "1700.9"}, Invalid),
    ("someone else wrote it", {"who": BEN}, Invalid),
    ("there is nothing to select", {"act": Accept(1, selected=("a",))}, Invalid),
]


async def test_nothing_else_can_be_read_into_words(b: Bench) -> None:
    id = await _card(b)
    message = await _say(b, id, ANA, "Go ahead", "1700.1")
    for reason, more, error in REFUSED:
        with pytest.raises(error):
            await _resolve(b, id, **{"message": message, **more})
        assert (await b.get(id)).is_pending, reason
    assert await b.types(id) == ["created", "commented"]


async def test_a_card_without_the_policy_is_not_resolved_from_words(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION)
    message = await _say(b, id, ANA, "Go ahead", "1700.1")
    with pytest.raises(Forbidden):
        await _resolve(b, id, message)


async def test_an_agent_that_may_answer_itself_is_told_that_only_the_asker_reads_words(b: Bench) -> None:
    id = await _card(b, audience={"answerers": ["conversation", "agent:other"]})
    message = await _say(b, id, ANA, "Go ahead", "1700.1")
    with pytest.raises(Forbidden):
        await _resolve(b, id, message, agent=OTHER_AGENT)


async def test_an_author_who_may_not_answer_any_more_decides_nothing(b: Bench) -> None:
    id = await _card(b)
    message = await _say(b, id, ANA, "Go ahead", "1700.1")
    gone = Candidate(ANA, ANA.identities[0], Standing(), {SLACK: Membership.NO})
    with pytest.raises(NotAnAnswerer):
        await resolve_from_comment(b.context, HERE, id, message=message, act=Accept(1), agent=BUILDER, candidate=gone)
    assert (await b.get(id)).is_pending


async def test_a_checklist_is_completed_as_somebody_said(b: Bench) -> None:
    id = await _card(b, Kind.CHECKLIST)
    message = await _say(b, id, ANA, "All but the canary", "1700.1")
    with pytest.raises(Invalid):
        await _resolve(b, id, message, act=Accept(1, selected=("notes",)))
    done = await _resolve(b, id, message, act=Accept(1, selected=("notes", "oncall")))
    assert done.interaction.outcome is not None
    assert (done.interaction.outcome.answer or {})["selected"] == ["notes", "oncall"]
    assert await b.types(id) == ["created", "commented", "ticked", "completed"]


async def test_other_kinds_cannot_be_asked_so(b: Bench) -> None:
    for kind in set(Kind) - {Kind.CONFIRMATION, Kind.CHECKLIST}:
        with pytest.raises(Invalid, match="resolved from a comment"):
            await b.asked(kind, policy=READS)
