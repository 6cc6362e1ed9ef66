"""Who may answer, judged from what is known at that moment."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from core.audience import Audience, Candidate, judge_agent, judge_person
from core.errors import IdentityUndetermined, NotAnAnswerer
from core.people import Agent, By, Identity, Membership, Role, Standing
from tests.rules.making import ASKER, candidate, person

AGENT = Agent(id="agt_2", workspace="wsp_1", name="reviewer")


def admitted(audience: Audience, who: Candidate) -> str:
    return judge_person(audience, ASKER, who)


@pytest.mark.parametrize(
    ("answerers", "who", "basis"),
    [
        (("conversation",), candidate(), "conversation"),  # pressed there
        (("person:ana",), candidate(seen_in=None), "person:ana"),  # named by handle
        (("slack:U1",), candidate(seen_in=None), "slack:U1"),  # named by account, the only team
        (("slack:T1.U1",), candidate(seen_in=None), "slack:T1.U1"),  # named by account and team
        (("role:operator",), candidate(person(role=Role.OPERATOR), seen_in=None), "role:operator"),
        (("person:bea", "conversation"), candidate(), "conversation"),  # the second admits
    ],
)
def test_whoever_is_named_is_admitted(answerers: tuple[str, ...], who: Candidate, basis: str) -> None:
    assert admitted(Audience(answerers=answerers), who) == basis


@pytest.mark.parametrize(
    ("answerers", "who"),
    [
        (("conversation",), candidate(seen_in=None)),  # not a member
        (("conversation",), candidate(guest=True)),  # a guest
        (("conversation",), candidate(external=True)),  # another workspace
        (("conversation",), candidate(bot=True)),  # a bot in the conversation
        (("conversation",), candidate(anonymous=True)),  # an anonymous admin
        (("conversation",), candidate(deleted=True)),  # deactivated
        (("person:bea",), candidate()),  # somebody else is named
        (("slack:U2",), candidate()),
        (("slack:T2.U1",), candidate()),  # the same user id of another team
        (("slack:U1",), candidate(external=True)),  # without a team, ours is meant
        (("telegram:1",), candidate()),
        (("role:operator",), candidate()),  # a member
        (("agent:ana",), candidate()),  # a person is never an agent
        (("person:ana",), candidate(bot=True)),  # a bot, though named
        (("person:ana",), candidate(anonymous=True)),
        (("person:ana",), candidate(deleted=True)),
    ],
)
def test_everybody_else_is_told_no(answerers: tuple[str, ...], who: Candidate) -> None:
    with pytest.raises(NotAnAnswerer) as refused:
        admitted(Audience(answerers=answerers), who)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("answerers", "who"),
    [
        (("conversation",), candidate(known=False)),  # the profile could not be read
        (("person:ana",), candidate(known=False)),  # may be deactivated
        (
            ("conversation",),
            Candidate(person(), None, Standing(), {"slack:T1.C1": Membership.UNDETERMINED}),
        ),
    ],
)
def test_what_could_not_be_told_is_neither_yes_nor_no(answerers: tuple[str, ...], who: Candidate) -> None:
    with pytest.raises(IdentityUndetermined):
        admitted(Audience(answerers=answerers), who)


def test_guests_are_admitted_only_where_the_asker_says_so() -> None:
    assert admitted(Audience(guests=True), candidate(guest=True)) == "conversation"


GUESTS = [candidate(guest=True, seen_in=None), candidate(external=True, seen_in=None)]


@pytest.mark.parametrize("who", GUESTS, ids=["a guest", "somebody of another workspace"])
def test_a_guest_to_whom_it_was_handed_on_answers_only_where_guests_may(who: Candidate) -> None:
    named = ("conversation", "person:ana")
    with pytest.raises(NotAnAnswerer, match="Guests"):
        judge_person(Audience(answerers=named), ASKER, who, {"person:ana"})
    assert judge_person(Audience(answerers=named, guests=True), ASKER, who, {"person:ana"}) == "person:ana"
    assert judge_person(Audience(answerers=named), ASKER, who) == "person:ana", "whom the asker names is theirs to know"


def test_who_is_named_by_the_asker_as_well_is_admitted_by_that() -> None:
    audience = Audience(answerers=("person:ana", "slack:U1"))
    assert judge_person(audience, ASKER, candidate(guest=True, seen_in=None), {"person:ana"}) == "slack:U1"


def test_a_person_who_asked_may_be_excluded() -> None:
    asked = By(type="person", id="per_ana")
    with pytest.raises(NotAnAnswerer):
        judge_person(Audience(exclude=("creator",)), asked, candidate())
    assert judge_person(Audience(), asked, candidate()) == "conversation"


def test_an_agent_is_admitted_by_name_only() -> None:
    assert judge_agent(Audience(answerers=("agent:reviewer",)), ASKER, AGENT) == "agent:reviewer"
    for answerers in (("conversation",), ("role:operator",), ("person:reviewer",), ("agent:other",)):
        with pytest.raises(NotAnAnswerer):
            judge_agent(Audience(answerers=answerers), ASKER, AGENT)


def test_an_agent_that_asked_may_be_excluded() -> None:
    own = By(type="agent", id=AGENT.id)
    with pytest.raises(NotAnAnswerer):
        judge_agent(Audience(answerers=("agent:reviewer",), exclude=("creator",)), own, AGENT)


def test_a_telegram_account_is_matched_whatever_bot_it_was_named_by() -> None:
    ana = person().model_copy(update={"identities": (Identity(provider="telegram", user="42"),)})
    assert admitted(Audience(answerers=("telegram:42",)), candidate(ana, seen_in=None)) == "telegram:42"


@pytest.mark.parametrize(
    "answerer",
    [
        "",  # nothing
        "everyone",  # not a word of ours
        "role:member",  # not a role an audience can name
        "role:",
        "agent:",  # no name
        "review",  # a place
        "slack:C1",  # a channel is not a person
        "slack:U1/1.2",  # a person has no thread
        "telegram:-100",  # a group
        "person:Not A Handle",
    ],
)
def test_what_is_no_answerer_is_refused_when_asked(answerer: str) -> None:
    with pytest.raises(ValidationError):
        Audience(answerers=(answerer,))


@pytest.mark.parametrize("wrong", [{"answerers": ()}, {"quorum": 0}, {"exclude": ("others",)}, {"other": 1}])
def test_an_audience_that_admits_nobody_or_says_the_unknown_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Audience(**wrong)
