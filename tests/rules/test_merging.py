"""One human under two ids counts once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.kinds import Kind
from core.merging import with_acts_of
from core.people import By, Via
from core.records import Status, Vote
from tests.rules.making import NOW, card, person

ANA = person("ana")


def vote(id: str, *, accepted: bool, after: int, type_: str = "person") -> Vote:
    by = By.model_validate({"type": type_, "id": id, "handle": id, "identity": f"slack:T1.{id}", "name": id})
    return Vote(by=by, via=Via.SLACK, accepted=accepted, at=NOW + timedelta(seconds=after))


def test_a_vote_keeps_its_account_and_gets_its_person() -> None:
    before = card(Kind.CONFIRMATION, votes=(vote("per_x", accepted=True, after=1),))
    (after,) = with_acts_of(before, "per_x", ANA).votes
    assert after.by == By(type="person", id="per_ana", handle="ana", identity="slack:T1.per_x", name="Ana")


def test_of_two_votes_of_one_human_the_later_stands_and_others_are_left_alone() -> None:
    others = (vote("per_ben", accepted=False, after=3), vote("per_x", accepted=True, after=2, type_="agent"))
    both = (vote("per_ana", accepted=True, after=4), vote("per_x", accepted=False, after=1))
    after = with_acts_of(card(Kind.CONFIRMATION, votes=(*others, *both)), "per_x", ANA)
    assert {(one.by.type, one.by.id, one.accepted) for one in after.votes} == {
        ("person", "per_ben", False),
        ("agent", "per_x", True),
        ("person", "per_ana", True),
    }
    assert after.version == 2


def test_what_is_settled_stays_as_it_was_recorded() -> None:
    with pytest.raises(ValueError, match="settled"):
        with_acts_of(card(Kind.CONFIRMATION, status=Status.ACCEPTED), "per_x", ANA)
