"""How an interaction settles: the whole table, walked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pydantic import JsonValue

from blocks.codec import Codec
from core.acts import (
    Accept,
    Act,
    ActName,
    Cancel,
    Comment,
    Connected,
    Delegate,
    Dismiss,
    Escalate,
    Expire,
    FailDelivery,
    Judge,
    Nudge,
    Patch,
    Reject,
    Reopen,
    Respond,
    SetOut,
    Skip,
    Snooze,
    Supersede,
    Tick,
    Withdraw,
)
from core.audience import Audience
from core.controls import MOST_REVISIONS, Action, Control
from core.errors import AlreadySettled, Expired, Invalid, Settled, StaleRevision, Superseded, Withdrawn
from core.interactions import TRANSITIONS, decide, too_late
from core.kinds import Kind
from core.kinds.answers import Answer
from core.kinds.connection import Connecting, digest_of
from core.kinds.item_verdicts import Given
from core.people import Via
from core.policy import Policy
from core.receipts import ReceiptType
from core.records import Interaction, Outcome, Status
from tests.rules.making import NOW, by, card, content, stamp

YES = {"ship": Answer(value="yes")}
ACTS: dict[ActName, Act] = {
    ActName.RESPOND: Respond(YES, 1),
    ActName.ACCEPT: Accept(1),
    ActName.REJECT: Reject(1, "too early"),
    ActName.TICK: Tick(1, tick=("canary",)),
    ActName.JUDGE: Judge(1, (Given("pydantic", "approve"),)),
    ActName.SET_OUT: SetOut(1, digest_of("a state")),
    ActName.CONNECTED: Connected("a state"),
    ActName.WITHDRAW: Withdraw(),
    ActName.CANCEL: Cancel(),
    ActName.SKIP: Skip(),
    ActName.EXPIRE: Expire(),
    ActName.SUPERSEDE: Supersede("int_2"),
    ActName.FAIL_DELIVERY: FailDelivery("no such channel"),
    ActName.PATCH: Patch(1, content(Kind.CONFIRMATION)),
    ActName.DISMISS: Dismiss(),
    ActName.REOPEN: Reopen(),
    ActName.COMMENT: Comment("hm"),
    ActName.NUDGE: Nudge(1, 3, NOW, ("slack:T1.C1",)),
    ActName.ESCALATE: Escalate(("person:olga",)),
    ActName.SNOOZE: Snooze(NOW + timedelta(hours=1)),
    ActName.DELEGATE: Delegate("person:olga", "Olga"),
}


FITTING = {
    ActName.RESPOND: Kind.QUESTIONS,
    ActName.TICK: Kind.CHECKLIST,
    ActName.JUDGE: Kind.ITEM_VERDICTS,
    ActName.SET_OUT: Kind.CONNECTION,
    ActName.CONNECTED: Kind.CONNECTION,
}


def fitting(name: ActName) -> Interaction:
    """A pending card on which this act can be done."""
    kind = FITTING.get(name, Kind.CONFIRMATION)
    over = NOW if name is ActName.EXPIRE else None
    granted = Connecting(by=by("olga"), at=NOW, state=digest_of("a state")) if name is ActName.CONNECTED else None
    return card(kind, expires_at=over, dismissed_at=NOW if name is ActName.REOPEN else None, connecting=granted)


def settled(status: Status, kind: Kind = Kind.CONFIRMATION) -> Interaction:
    outcome = Outcome(status=status, by=by("bea"), via=Via.SLACK, at=NOW, receipt="rcp_0")
    return card(kind, status=status, outcome=outcome)


def test_every_act_has_a_row_and_every_row_an_act() -> None:
    assert set(TRANSITIONS) == set(Status)
    assert set(TRANSITIONS[Status.PENDING]) == set(ActName) == set(ACTS)


@pytest.mark.parametrize("name", ActName)
def test_a_pending_card_goes_where_the_table_says(name: ActName) -> None:
    decision = decide(fitting(name), ACTS[name], stamp())
    assert decision.after.status in TRANSITIONS[Status.PENDING][name]
    # A reminder is a message of its own, and who is left alone is not shown: the card need not be drawn again.
    assert decision.after.version == (1 if name in (ActName.NUDGE, ActName.SNOOZE) else 2)
    assert len(decision.receipts) == 1
    # No news to the asker: its own side is where the operator sets out to; and somebody only wants to hear of it later.
    assert len(decision.events) == (0 if name in (ActName.SET_OUT, ActName.SNOOZE) else 1)


@pytest.mark.parametrize("name", ActName)
@pytest.mark.parametrize("status", [status for status in Status if status is not Status.PENDING])
def test_a_settled_card_is_moved_by_nothing_and_names_the_winner(status: Status, name: ActName) -> None:
    before = settled(status)
    with pytest.raises(Settled) as refused:
        decide(before, ACTS[name], stamp(by("carl")))
    assert refused.value.outcome == before.outcome


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (Status.EXPIRED, Expired),  # the time was over
        (Status.WITHDRAWN, Withdrawn),  # the asker took it back
        (Status.SUPERSEDED, Superseded),  # a newer one stands
        (Status.ANSWERED, AlreadySettled),  # somebody answered
        (Status.CANCELLED, AlreadySettled),  # an operator closed it
        (Status.SKIPPED, AlreadySettled),
        (Status.UNDELIVERABLE, AlreadySettled),
    ],
)
def test_each_end_has_its_own_refusal(status: Status, error: type[Settled]) -> None:
    assert type(too_late(settled(status))) is error


def test_an_outcome_says_who_what_when_and_by_which_receipt() -> None:
    decision = decide(card(), Respond(YES, 1), stamp())
    outcome = decision.after.outcome
    assert outcome is not None
    assert outcome.wire() == {
        "status": "answered",
        "by": {"type": "person", "id": "per_ana", "handle": "ana", "identity": "slack:T1.U1"},
        "via": "slack",
        "at": "2026-12-02T14:05:00.000000Z",
        "answer": {"ship": {"value": "yes"}},
        "reason": None,
        "receipt": "rcp_1",
        "default": None,
        "votes": [],
        "successor": None,
    }
    assert decision.receipts[0].type is ReceiptType.ANSWERED
    assert decision.events == ("interaction.answered",)


def test_the_winners_own_second_press_is_a_repeat_and_leaves_nothing() -> None:
    first = decide(card(), Respond(YES, 1), stamp()).after
    again = decide(first, Respond(YES, 1), stamp(receipt="rcp_2"))
    assert again.repeated
    assert again.after is first
    assert not again.receipts


def test_a_blank_reason_and_a_blank_answer_are_none_when_they_come_again_too() -> None:
    no = Reject(1, "  ")
    rejected = decide(card(Kind.CONFIRMATION), no, stamp()).after
    assert decide(rejected, no, stamp()).repeated
    assert rejected.outcome is not None
    assert rejected.outcome.reason is None
    with pytest.raises(Invalid):  # nobody can see what was given
        decide(card(Kind.CONFIRMATION, payload={"reason": "required"}), Reject(1, "\u200b\u2060"), stamp())
    with pytest.raises(Invalid):
        decide(card(), Comment("\u3164"), stamp())
    optional = {"id": "why", "prompt": "Why?", "type": "text", "required": False}
    blank = Respond({"why": Answer()}, 1)
    answered = decide(card(payload={"questions": [optional]}), blank, stamp()).after
    assert decide(answered, blank, stamp()).repeated


def test_the_winners_other_answer_comes_too_late() -> None:
    first = decide(card(), Respond(YES, 1), stamp()).after
    with pytest.raises(AlreadySettled):
        decide(first, Respond({"ship": Answer(value="no")}, 1), stamp())


def test_the_same_answer_by_another_person_comes_too_late() -> None:
    first = decide(card(), Respond(YES, 1), stamp()).after
    with pytest.raises(AlreadySettled):
        decide(first, Respond(YES, 1), stamp(by("bea")))


def test_an_answer_at_the_moment_of_expiry_is_too_late_and_one_before_is_not() -> None:
    over = card(expires_at=NOW)
    with pytest.raises(Expired):
        decide(over, Respond(YES, 1), stamp())
    assert decide(over, Respond(YES, 1), stamp(now=NOW - timedelta(microseconds=1))).after.status is Status.ANSWERED


def test_the_timer_cannot_expire_what_is_not_due() -> None:
    with pytest.raises(Invalid):
        decide(card(expires_at=NOW + timedelta(seconds=1)), Expire(), stamp())
    with pytest.raises(Invalid):
        decide(card(), Expire(), stamp())


def test_expiry_is_never_consent_the_default_stands_beside_it() -> None:
    default: dict[str, dict[str, JsonValue]] = {"ship": {"value": "no"}}
    decision = decide(card(expires_at=NOW, policy=Policy(expires_in="1h", default=default)), Expire(), stamp())
    outcome = decision.after.outcome
    assert outcome is not None
    assert (outcome.status, outcome.answer, outcome.default) == (Status.EXPIRED, None, default)


def test_an_answer_to_an_older_revision_is_refused() -> None:
    patched = decide(card(), Patch(1, content(Kind.QUESTIONS)), stamp()).after
    assert patched.revision == 2
    with pytest.raises(StaleRevision):
        decide(patched, Respond(YES, 1), stamp())


def test_a_patch_voids_votes_with_a_receipt_each() -> None:
    voted = decide(card(Kind.CONFIRMATION, audience=Audience(quorum=2)), Accept(1), stamp()).after
    decision = decide(voted, Patch(1, content(Kind.CONFIRMATION)), stamp(more=1))
    assert decision.after.votes == ()
    assert [line.type for line in decision.receipts] == [ReceiptType.PATCHED, ReceiptType.VOTE_VOIDED]
    assert len({line.id for line in decision.receipts}) == 2


def test_a_card_has_as_many_revisions_as_its_buttons_can_name() -> None:
    last = decide(card(revision=MOST_REVISIONS - 1), Patch(MOST_REVISIONS - 1, content(Kind.QUESTIONS)), stamp()).after
    codec = Codec(b"k" * 32)
    control = Control(interaction=last.id, publication=1, revision=last.revision, seen="00000000", action=Action.HOLD)
    assert codec.unpack(codec.pack(control)).revision == last.revision
    with pytest.raises(Invalid, match="ask anew"):
        decide(last, Patch(last.revision, content(Kind.QUESTIONS)), stamp())


def test_a_patch_cannot_change_the_kind() -> None:
    with pytest.raises(Invalid):
        decide(card(), Patch(1, content(Kind.CONFIRMATION)), stamp())


@pytest.mark.parametrize(
    ("kind", "act"),
    [
        (Kind.QUESTIONS, Accept(1)),  # questions are answered
        (Kind.QUESTIONS, Reject(1)),
        (Kind.CONFIRMATION, Respond(YES, 1)),  # a confirmation is accepted or rejected
    ],
)
def test_an_act_of_another_kind_is_a_wrong_request(kind: Kind, act: Act) -> None:
    with pytest.raises(Invalid):
        decide(card(kind), act, stamp())


def test_dismissing_decides_nothing_and_reopening_undoes_it() -> None:
    dismissed = decide(card(), Dismiss(), stamp()).after
    assert dismissed.is_pending
    assert decide(dismissed, Dismiss(), stamp()).repeated
    assert decide(dismissed, Reopen(), stamp()).after.dismissed_at is None


def test_a_comment_leaves_the_card_open_and_is_heard() -> None:
    decision = decide(card(Kind.CONFIRMATION), Comment("which region?"), stamp())
    assert decision.after.is_pending
    assert decision.events == ("interaction.commented",)
    assert decision.receipts[0].data == {"text": "which region?", "message": None}
    assert decision.said == {"text": "which region?", "by": by().wire(), "message": None}
