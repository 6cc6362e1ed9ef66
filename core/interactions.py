"""One question to people and how it settles: the heart of sayso.

`TRANSITIONS` is the only authority on status changes and `decide` the only function that makes one.
A pending interaction settles once; whoever comes later is told what stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from pydantic import JsonValue

from core.acts import (
    Accept,
    Act,
    ActName,
    Cancel,
    Comment,
    Dismiss,
    Expire,
    FailDelivery,
    Patch,
    Reject,
    Reopen,
    Respond,
    Skip,
    Stamp,
    Supersede,
    Withdraw,
)
from core.controls import MOST_REVISIONS
from core.errors import (
    AlreadySettled,
    Expired,
    Fault,
    Invalid,
    Settled,
    StaleRevision,
    Superseded,
    Withdrawn,
)
from core.events import EventType, settled_as
from core.kinds import Confirmation, Questions
from core.kinds.answers import check_answers
from core.kinds.confirmation import check_reason
from core.people import By
from core.receipts import ReceiptDraft, ReceiptType
from core.records import Interaction, Outcome, Status, Vote
from core.traces import draft

_P = Status.PENDING
TRANSITIONS: Mapping[Status, Mapping[ActName, frozenset[Status]]] = {
    Status.PENDING: {
        # People decide. With a quorum an accept or reject may leave it pending, as a vote.
        ActName.RESPOND: frozenset({Status.ANSWERED}),
        ActName.ACCEPT: frozenset({Status.ACCEPTED, Status.REJECTED, _P}),
        ActName.REJECT: frozenset({Status.REJECTED, Status.ACCEPTED, _P}),
        # The asker takes it back, or asks something newer.
        ActName.WITHDRAW: frozenset({Status.WITHDRAWN}),
        ActName.SUPERSEDE: frozenset({Status.SUPERSEDED}),
        # Operators close it without an answer.
        ActName.CANCEL: frozenset({Status.CANCELLED}),
        ActName.SKIP: frozenset({Status.SKIPPED}),
        # Time and providers.
        ActName.EXPIRE: frozenset({Status.EXPIRED}),
        ActName.FAIL_DELIVERY: frozenset({Status.UNDELIVERABLE}),
        # These decide nothing.
        ActName.PATCH: frozenset({_P}),
        ActName.DISMISS: frozenset({_P}),
        ActName.REOPEN: frozenset({_P}),
        ActName.COMMENT: frozenset({_P}),
    },
    **{status: {} for status in Status if status is not Status.PENDING},
}


@dataclass(frozen=True)
class Decision:
    """What an act led to. `said` are words that no outcome will hold, and whose they are: the events carry them.
    `repeated`: the same actor's same act once more, so nothing is new."""

    after: Interaction
    receipts: tuple[ReceiptDraft, ...] = ()
    events: tuple[EventType, ...] = ()
    said: Mapping[str, JsonValue] = field(default_factory=dict)
    repeated: bool = False


def decide(before: Interaction, act: Act, stamp: Stamp) -> Decision:
    """Apply `act` to `before`, or raise why not (`Settled`, `Invalid`). Nothing else changes a status."""
    decision = _decide(before, act, stamp)
    if not decision.repeated and decision.after.status not in TRANSITIONS[before.status][act.name]:
        raise RuntimeError(f"{act.name.value} may not lead from {before.status.value} to {decision.after.status.value}")
    return decision


def _decide(before: Interaction, act: Act, stamp: Stamp) -> Decision:  # noqa: C901, PLR0912  # one flat case per act
    if act.name not in TRANSITIONS[before.status]:
        if _is_repeat(before, act, stamp.by):
            return Decision(before, repeated=True)
        raise too_late(before)
    if before.is_due(stamp.now) and not isinstance(act, Expire):
        raise Expired("The time to answer this is over. Nothing has changed.", None)
    match act:
        case Respond():
            return _respond(before, act, stamp)
        case Accept() | Reject():
            return _vote(before, act, stamp)
        case Withdraw():
            if act.revision is not None:
                _check_revision(before, act.revision)
            return _settle(before, Status.WITHDRAWN, stamp, reason=act.reason)
        case Cancel():
            return _settle(before, Status.CANCELLED, stamp, reason=act.reason)
        case Skip():
            return _settle(before, Status.SKIPPED, stamp, reason=act.reason)
        case Expire():
            if not before.is_due(stamp.now):
                raise Invalid([Fault("", "the time to answer is not over yet")])
            return _settle(before, Status.EXPIRED, stamp, default=before.policy.default)
        case Supersede():
            return _settle(before, Status.SUPERSEDED, stamp, successor=act.successor)
        case FailDelivery():
            return _settle(before, Status.UNDELIVERABLE, stamp, reason=act.reason)
        case Patch():
            return _patch(before, act, stamp)
        case Dismiss():
            if before.dismissed_at is not None:
                return Decision(before, repeated=True)
            after = _next(before, dismissed_at=stamp.now)
            return Decision(after, (draft(after, ReceiptType.DISMISSED, stamp),), (EventType.DISMISSED,))
        case Reopen():
            if before.dismissed_at is None:
                return Decision(before, repeated=True)
            after = _next(before, dismissed_at=None)
            return Decision(after, (draft(after, ReceiptType.REOPENED, stamp),), (EventType.REOPENED,))
        case Comment():
            if not act.text.strip():
                raise Invalid.at("/text", "write at least one character")
            return _say(_next(before), ReceiptType.COMMENTED, EventType.COMMENTED, act.text, stamp)
        case _:
            assert_never(act)


def too_late(settled: Interaction) -> Settled:
    """The refusal that names what stands."""
    outcome = settled.outcome
    match settled.status:
        case Status.EXPIRED:
            return Expired("The time to answer this is over.", outcome)
        case Status.WITHDRAWN:
            return Withdrawn("This question was taken back by whoever asked it.", outcome)
        case Status.SUPERSEDED:
            return Superseded("A newer question replaced this one.", outcome)
        case _:
            return AlreadySettled("This has been settled already.", outcome)


def _respond(before: Interaction, act: Respond, stamp: Stamp) -> Decision:
    payload = before.content.payload
    if not isinstance(payload, Questions):
        raise Invalid.at("/answers", "this card is accepted or rejected, not answered with answers")
    _check_revision(before, act.revision)
    given = check_answers(payload, act.answers)
    answer: dict[str, JsonValue] = {key: dict(one.wire()) for key, one in given.items()}
    return _settle(before, Status.ANSWERED, stamp, answer=answer)


def _vote(before: Interaction, act: Accept | Reject, stamp: Stamp) -> Decision:
    payload = before.content.payload
    if not isinstance(payload, Confirmation):
        raise Invalid.at("", "this card is answered with answers, not accepted or rejected")
    _check_revision(before, act.revision)
    reason = check_reason(payload, act.reason) if isinstance(act, Reject) else None
    vote = Vote(by=stamp.by, via=stamp.via, accepted=isinstance(act, Accept), at=stamp.now, reason=reason)
    earlier = next((one for one in before.votes if one.by.is_same(stamp.by)), None)
    if earlier is not None and (earlier.accepted, earlier.reason) == (vote.accepted, vote.reason):
        return Decision(before, repeated=True)
    votes = (*(one for one in before.votes if one is not earlier), vote)
    verdict = before.verdict(votes)
    if verdict is None:
        after = _next(before, votes=votes)
        data: dict[str, JsonValue] = {"accepted": vote.accepted, "reason": reason}
        return Decision(after, (draft(after, ReceiptType.VOTED, stamp, data),), (EventType.PROGRESSED,))
    status = Status.ACCEPTED if verdict else Status.REJECTED
    shown = votes if before.audience.quorum > 1 else ()
    return _settle(before, status, stamp, answer={"accepted": verdict}, reason=reason, votes=shown)


def _patch(before: Interaction, act: Patch, stamp: Stamp) -> Decision:
    _check_revision(before, act.revision)
    if before.revision >= MOST_REVISIONS:
        raise Invalid([Fault("", "this card was changed as often as one can be; withdraw it and ask anew")])
    if act.content.kind is not before.content.kind:
        raise Invalid.at("/payload", "a patch cannot change the kind of a card")
    after = _next(before, content=act.content, revision=before.revision + 1, votes=())
    drafts = [draft(after, ReceiptType.PATCHED, stamp, {"previous_digest": before.content.digest()})]
    for receipt, vote in zip(stamp.more_receipts, before.votes, strict=True):
        voided = draft(after, ReceiptType.VOTE_VOIDED, stamp, {"by": dict(vote.by.wire()), "accepted": vote.accepted})
        drafts.append(voided.model_copy(update={"id": receipt}))
    return Decision(after, tuple(drafts), (EventType.PATCHED,))


def _settle(
    before: Interaction,
    status: Status,
    stamp: Stamp,
    *,
    answer: dict[str, JsonValue] | None = None,
    reason: str | None = None,
    default: dict[str, dict[str, JsonValue]] | None = None,
    votes: tuple[Vote, ...] = (),
    successor: str | None = None,
) -> Decision:
    outcome = Outcome(
        status=status,
        by=stamp.by,
        via=stamp.via,
        at=stamp.now,
        answer=answer,
        reason=reason,
        receipt=stamp.receipt,
        default=dict(default) if default is not None else None,
        votes=votes,
        successor=successor,
    )
    after = _next(before, status=status, outcome=outcome, votes=votes or before.votes)
    data: dict[str, JsonValue] = {"answer": answer, "reason": reason}
    if default is not None:
        data["default"] = dict(default)
    if successor is not None:
        data["successor"] = successor
    line = draft(after, ReceiptType(status.value), stamp, data)
    return Decision(after, (line,), (settled_as(status),))


def _is_repeat(settled: Interaction, act: Act, by: By) -> bool:
    """Whether somebody whose act settled it, or whose vote did together with others', does the very same again."""
    outcome = settled.outcome
    if outcome is None:
        return False
    vote = next((one for one in outcome.votes if one.by.is_same(by)), None)
    if vote is not None and isinstance(act, Accept | Reject):
        return vote.accepted if isinstance(act, Accept) else not vote.accepted and vote.reason == (act.reason or None)
    if not outcome.by.is_same(by):
        return False
    match act:
        case Respond():
            given = {key: one.wire() for key, one in act.answers.items()}
            return outcome.status is Status.ANSWERED and outcome.answer == given
        case Accept():
            return outcome.status is Status.ACCEPTED
        case Reject():
            return outcome.status is Status.REJECTED and outcome.reason == (act.reason or None)
        case Withdraw():
            return outcome.status is Status.WITHDRAWN
        case Cancel():
            return outcome.status is Status.CANCELLED
        case Skip():
            return outcome.status is Status.SKIPPED
        case _:
            return False


def _check_revision(before: Interaction, revision: int) -> None:
    if revision != before.revision:
        raise StaleRevision("This card was changed after you saw it. Look at it again, then answer.", None)


def _next(before: Interaction, **changes: object) -> Interaction:
    return before.model_copy(update={"version": before.version + 1, **changes})


def created(interaction: Interaction, stamp: Stamp) -> Decision:
    """The first receipt and event of a new interaction."""
    data: dict[str, JsonValue] = {"to": list(interaction.to)}
    line = draft(interaction, ReceiptType.CREATED, stamp, data)
    return Decision(interaction, (line,), (EventType.CREATED,))


def replied(interaction: Interaction, text: str, stamp: Stamp) -> Decision:
    """The receipt and event of the asker's result, sent to where it was asked."""
    return _say(interaction, ReceiptType.REPLIED, EventType.REPLIED, text, stamp)


def _say(interaction: Interaction, type_: ReceiptType, event: EventType, text: str, stamp: Stamp) -> Decision:
    """Words that decide nothing."""
    said: dict[str, JsonValue] = {"text": text, "by": dict(stamp.by.wire())}
    line = draft(interaction, type_, stamp, {"text": text})
    return Decision(interaction, (line,), (event,), said)
