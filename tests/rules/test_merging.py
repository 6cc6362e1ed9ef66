"""One human under two ids counts once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.acts import Stamp
from core.audience import Audience
from core.errors import Invalid
from core.kinds import Kind
from core.loops import Claim, Result, Slot, Start, decide
from core.merging import one_of, with_acts_of, with_work_of
from core.people import By, Person, Role, Via
from core.policy import Nudges, Policy
from core.records import Status, Vote
from core.reminding import Delegation, Reminding, Snooze
from tests.rules.making import NOW, by, card, person
from tests.store.ordering import order

ANA = person("ana")
X = person("x")
"""Who Ana was under another account."""


def vote(id: str, *, accepted: bool, after: int, type_: str = "person") -> Vote:
    by = By.model_validate({"type": type_, "id": id, "handle": id, "identity": f"slack:T1.{id}", "name": id})
    return Vote(by=by, via=Via.SLACK, accepted=accepted, at=NOW + timedelta(seconds=after))


def test_a_vote_keeps_its_account_and_gets_its_person() -> None:
    before = card(Kind.CONFIRMATION, votes=(vote("per_x", accepted=True, after=1),))
    (after,) = with_acts_of(before, X, ANA).votes
    assert after.by == By(type="person", id="per_ana", handle="ana", identity="slack:T1.per_x", name="Ana")


def test_of_two_votes_of_one_human_the_later_stands_and_others_are_left_alone() -> None:
    others = (vote("per_ben", accepted=False, after=3), vote("per_x", accepted=True, after=2, type_="agent"))
    both = (vote("per_ana", accepted=True, after=4), vote("per_x", accepted=False, after=1))
    after = with_acts_of(card(Kind.CONFIRMATION, votes=(*others, *both)), X, ANA)
    assert {(one.by.type, one.by.id, one.accepted) for one in after.votes} == {
        ("person", "per_ben", False),
        ("agent", "per_x", True),
        ("person", "per_ana", True),
    }
    assert after.version == 2


def test_what_is_settled_stays_as_it_was_recorded() -> None:
    with pytest.raises(ValueError, match="settled"):
        with_acts_of(card(Kind.CONFIRMATION, status=Status.ACCEPTED), X, ANA)


def test_whoever_may_answer_by_name_still_may_and_is_named_once() -> None:
    handed = Delegation(by=by("x"), to="person:x", name="X", at=NOW)
    audience = Audience(answerers=("role:operator", "person:x", "person:ana", "person:xy"), quorum=2)
    after = with_acts_of(card(Kind.CONFIRMATION, audience=audience, delegations=(handed,)), X, ANA)
    assert after.audience == audience.model_copy(update={"answerers": ("role:operator", "person:ana", "person:xy")})
    assert [(one.by.id, one.to) for one in after.delegations] == [("per_ana", "person:ana")]


def test_work_that_was_taken_or_ordered_is_theirs_to_do_and_to_end() -> None:
    whole = order(recipient="person:x", sender=by("x"))
    claimed = decide(whole, Claim(), stamp(X)).after
    shared = order(recipient="person:x", sender=by("x"), slots=(Slot(number=1), Slot(number=2)))
    sliced = decide(decide(shared, Claim(1), stamp(X)).after, Claim(2), stamp(person("ben"))).after
    for before in (claimed, sliced):
        after = with_work_of(before, X, ANA)
        assert (after.sender.id, after.sender.handle, after.recipient) == ("per_ana", "ana", "person:ana")
        assert after.sender.identity == whole.sender.identity
        assert after.version == before.version + 1
    with pytest.raises(Invalid):
        decide(claimed, Start(), stamp(ANA))
    assert decide(with_work_of(claimed, X, ANA), Start(), stamp(ANA)).after.started is not None
    assert [one.claimed.by.id for one in with_work_of(sliced, X, ANA).slots if one.claimed] == ["per_ana", "per_ben"]


def test_work_for_others_stays_theirs() -> None:
    before = order(recipient="person:xy", sender=by("ben"))
    after = with_work_of(before, X, ANA)
    assert (after.sender, after.recipient, after.digest()) == (before.sender, before.recipient, before.digest())


def test_whoever_asked_is_still_kept_out_where_the_asker_is() -> None:
    audience = Audience(answerers=("role:operator",), exclude=("creator",))
    asked = card(Kind.CONFIRMATION, audience=audience).model_copy(update={"creator": by("x")})
    after = with_acts_of(asked, X, ANA)
    assert after.creator == by("x").model_copy(update={"id": "per_ana", "handle": "ana", "name": "Ana"})


def test_whoever_is_brought_in_or_fallen_back_on_by_name_still_is() -> None:
    nudges = Nudges(every="30m", escalate_to=("person:x", "role:operator", "person:ana"))
    policy = Policy(nudges=nudges, fallback=("person:x", "person:ana", "review"))
    after = with_acts_of(card(Kind.CONFIRMATION, policy=policy), X, ANA).policy
    assert after.nudges is not None
    assert after.nudges.escalate_to == ("person:ana", "role:operator")
    assert after.fallback == ("person:ana", "person:ana", "review")  # how many were tried is counted


def test_of_two_wishes_to_be_left_alone_the_longer_one_holds() -> None:
    late, soon = NOW + timedelta(hours=2), NOW + timedelta(hours=1)
    snoozes = (Snooze(by=by("x"), until=late), Snooze(by=by("ana"), until=soon), Snooze(by=by("ben"), until=soon))
    after = with_acts_of(card(Kind.CONFIRMATION, reminding=Reminding(snoozes=snoozes)), X, ANA).reminding
    assert {one.by.id: one.until for one in after.snoozes} == {"per_ana": late, "per_ben": soon}
    assert after.snoozed_until("per_ana") == late


def test_what_they_set_and_may_do_comes_along_unless_they_set_it_themselves() -> None:
    old = X.model_copy(update={"role": Role.OPERATOR, "timezone": "Asia/Tokyo", "digest": "07:00"})
    one = one_of(ANA.model_copy(update={"digest": "09:00"}), old)
    assert (one.id, one.handle) == (ANA.id, ANA.handle)
    assert (one.role, one.timezone, one.digest) == (Role.OPERATOR, "Asia/Tokyo", "09:00")


def test_work_that_ended_stays_as_it_is_recorded() -> None:
    ended = decide(order(), Result("done"), stamp(X)).after
    with pytest.raises(ValueError, match="ended"):
        with_work_of(ended, X, ANA)


def stamp(who: Person) -> Stamp:
    return Stamp(now=NOW, by=by(who.handle), via=Via.SLACK, receipt="rcp_1")
