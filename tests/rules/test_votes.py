"""How people say yes or no together: quorums, changed votes, reasons."""

from __future__ import annotations

from typing import Literal

import pytest

from core.acts import Accept, Reject
from core.audience import Audience
from core.errors import AlreadySettled, Invalid
from core.interactions import decide
from core.kinds import Kind
from core.policy import Policy
from core.records import Interaction, Status
from tests.rules.making import by, card, stamp


def quorum(needed: int, reject: Literal["any", "majority"] = "any") -> Interaction:
    return card(Kind.CONFIRMATION, audience=Audience(quorum=needed), policy=Policy(reject=reject))


def test_two_of_two_must_accept_and_they_must_be_two() -> None:
    first = decide(quorum(2), Accept(1), stamp())
    assert (first.after.status, first.events) == (Status.PENDING, ("interaction.progressed",))
    assert decide(first.after, Accept(1), stamp()).repeated
    second = decide(first.after, Accept(1), stamp(by("bea"))).after
    assert second.status is Status.ACCEPTED
    assert second.outcome is not None
    assert [vote.by.handle for vote in second.outcome.votes] == ["ana", "bea"]


def test_everybody_whose_vote_settled_it_repeats_themselves_in_vain_but_without_reproach() -> None:
    first = decide(quorum(2), Accept(1), stamp()).after
    settled = decide(first, Accept(1), stamp(by("bea"))).after
    assert decide(settled, Accept(1), stamp()).repeated
    assert decide(settled, Accept(1), stamp(by("bea"))).repeated
    for late in (Reject(1), Accept(1)):
        with pytest.raises(AlreadySettled):
            decide(settled, late, stamp(by("carl")))
    with pytest.raises(AlreadySettled):
        decide(settled, Reject(1), stamp())


def test_one_reject_rejects_unless_a_majority_must() -> None:
    assert decide(quorum(3), Reject(1, "no"), stamp()).after.status is Status.REJECTED
    first = decide(quorum(2, "majority"), Reject(1, "no"), stamp()).after
    assert first.status is Status.PENDING
    assert decide(first, Reject(1), stamp(by("bea"))).after.status is Status.REJECTED


def test_a_vote_with_another_reason_is_another_vote() -> None:
    first = decide(quorum(2, "majority"), Reject(1, "no"), stamp()).after
    assert decide(first, Reject(1, "no"), stamp()).repeated
    second = decide(first, Reject(1, "not on Fridays"), stamp()).after
    assert [vote.reason for vote in second.votes] == ["not on Fridays"]


def test_a_person_may_change_their_vote_while_it_is_open() -> None:
    first = decide(quorum(2, "majority"), Reject(1, "no"), stamp()).after
    second = decide(first, Accept(1), stamp()).after
    assert [vote.accepted for vote in second.votes] == [True]


@pytest.mark.parametrize(
    ("reason", "given", "kept"),
    [
        ("optional", None, None),  # none is given
        ("optional", "  ", None),  # blanks are none
        ("optional", "too early", "too early"),
        ("required", "too early", "too early"),
        ("none", None, None),
    ],
)
def test_a_reason_is_kept_as_given(reason: str, given: str | None, kept: str | None) -> None:
    after = decide(card(Kind.CONFIRMATION, payload={"reason": reason}), Reject(1, given), stamp()).after
    assert after.outcome is not None
    assert after.outcome.reason == kept


@pytest.mark.parametrize(("reason", "given"), [("required", None), ("required", " "), ("none", "why not")])
def test_a_reason_that_is_missing_or_not_taken_is_pointed_at(reason: str, given: str | None) -> None:
    with pytest.raises(Invalid) as refused:
        decide(card(Kind.CONFIRMATION, payload={"reason": reason}), Reject(1, given), stamp())
    assert [fault.pointer for fault in refused.value.faults] == ["/reason"]
