"""One question to people and how it settles: the heart of sayso.

`TRANSITIONS` is the only authority on status changes and `decide` the only function that makes one.
A pending interaction settles once; whoever comes later is told what stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from pydantic import JsonValue

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
    Stamp,
    Supersede,
    Tick,
    Withdraw,
)
from core.blank import is_blank
from core.controls import MOST_REVISIONS
from core.deciding import Decision, changed, check_revision, settled
from core.errors import AlreadySettled, Expired, Fault, Invalid, Settled, Superseded, Withdrawn
from core.events import EventType
from core.kinds import AnyPayload, ConnectionRequest
from core.receipts import ReceiptType
from core.records import Interaction, Status
from core.repeating import is_repeat
from core.settling import accept, connected, judge, reject, respond, set_out, tick
from core.timing import delegate, escalate, nudge, snooze
from core.traces import draft

_P = Status.PENDING
TRANSITIONS: Mapping[Status, Mapping[ActName, frozenset[Status]]] = {
    Status.PENDING: {
        # People decide. With a quorum an accept or reject may leave it pending, as a vote.
        ActName.RESPOND: frozenset({Status.ANSWERED}),
        ActName.ACCEPT: frozenset({Status.ACCEPTED, Status.REJECTED, Status.COMPLETED, _P}),
        ActName.REJECT: frozenset({Status.REJECTED, Status.ACCEPTED, _P}),
        # Progress, saved as it is made. The last verdict completes the card.
        ActName.TICK: frozenset({_P}),
        ActName.JUDGE: frozenset({Status.COMPLETED, _P}),
        # An operator sets out to grant a connection, and the other side confirms it.
        ActName.SET_OUT: frozenset({_P}),
        ActName.CONNECTED: frozenset({Status.ACCEPTED}),
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
        # Time goes by: people are reminded, others are brought in, somebody puts it off or hands it on.
        ActName.NUDGE: frozenset({_P}),
        ActName.ESCALATE: frozenset({_P}),
        ActName.SNOOZE: frozenset({_P}),
        ActName.DELEGATE: frozenset({_P}),
        # Where the asker wants it so, a person's words end the card.
        ActName.COMMENT: frozenset({_P, Status.SUPERSEDED}),
    },
    **{status: {} for status in Status if status is not Status.PENDING},
}


def decide(before: Interaction, act: Act, stamp: Stamp) -> Decision:
    """Apply `act` to `before`, or raise why not (`Settled`, `Invalid`). Nothing else changes a status."""
    decision = _decide(before, act, stamp)
    if not decision.repeated and decision.after.status not in TRANSITIONS[before.status][act.name]:
        raise RuntimeError(f"{act.name.value} may not lead from {before.status.value} to {decision.after.status.value}")
    return decision


def _decide(before: Interaction, act: Act, stamp: Stamp) -> Decision:  # noqa: C901, PLR0912  # one flat case per act
    if act.name not in TRANSITIONS[before.status]:
        if is_repeat(before, act, stamp.by):
            return Decision(before, repeated=True)
        raise too_late(before)
    if before.is_due(stamp.now) and not isinstance(act, Expire):
        raise Expired("The time to answer this is over. Nothing has changed.", None)
    match act:
        case Respond():
            return respond(before, act, stamp)
        case Accept():
            return accept(before, act, stamp)
        case Reject():
            return reject(before, act, stamp)
        case Tick():
            return tick(before, act, stamp)
        case Judge():
            return judge(before, act, stamp)
        case SetOut():
            return set_out(before, act, stamp)
        case Connected():
            return connected(before, act, stamp)
        case Withdraw():
            if act.revision is not None:
                check_revision(before, act.revision)
            return settled(before, Status.WITHDRAWN, stamp, reason=act.reason)
        case Cancel():
            return settled(before, Status.CANCELLED, stamp, reason=act.reason)
        case Skip():
            return settled(before, Status.SKIPPED, stamp, reason=act.reason)
        case Expire():
            if not before.is_due(stamp.now):
                raise Invalid([Fault("", "the time to answer is not over yet")])
            return settled(before, Status.EXPIRED, stamp, default=before.policy.default)
        case Supersede():
            return settled(before, Status.SUPERSEDED, stamp, successor=act.successor)
        case FailDelivery():
            return settled(before, Status.UNDELIVERABLE, stamp, reason=act.reason)
        case Patch():
            return _patch(before, act, stamp)
        case Dismiss():
            if before.dismissed_at is not None:
                return Decision(before, repeated=True)
            after = changed(before, dismissed_at=stamp.now)
            return Decision(after, (draft(after, ReceiptType.DISMISSED, stamp),), (EventType.DISMISSED,))
        case Reopen():
            if before.dismissed_at is None:
                return Decision(before, repeated=True)
            after = changed(before, dismissed_at=None)
            return Decision(after, (draft(after, ReceiptType.REOPENED, stamp),), (EventType.REOPENED,))
        case Nudge():
            return nudge(before, act, stamp)
        case Escalate():
            return escalate(before, act, stamp)
        case Snooze():
            return snooze(before, act, stamp)
        case Delegate():
            return delegate(before, act, stamp)
        case Comment():
            return _comment(before, act, stamp)
        case _:
            assert_never(act)


def too_late(ended: Interaction) -> Settled:
    """The refusal that names what stands."""
    outcome = ended.outcome
    match ended.status:
        case Status.EXPIRED:
            return Expired("The time to answer this is over.", outcome)
        case Status.WITHDRAWN:
            return Withdrawn("This question was taken back by whoever asked it.", outcome)
        case Status.SUPERSEDED:
            return Superseded("A newer question replaced this one.", outcome)
        case _:
            return AlreadySettled("This has been settled already.", outcome)


def _comment(before: Interaction, act: Comment, stamp: Stamp) -> Decision:
    """Words decide nothing, unless the policy says that a person's words take the place of the card."""
    if is_blank(act.text):
        raise Invalid.at("/text", "write at least one character")
    said: dict[str, JsonValue] = {"text": act.text, "by": dict(stamp.by.wire()), "message": act.message}
    if before.policy.supersede_on_comment and stamp.by.type == "person":
        return settled(before, Status.SUPERSEDED, stamp, reason=act.text, said=said)
    after = changed(before)
    line = draft(after, ReceiptType.COMMENTED, stamp, {"text": act.text, "message": act.message})
    return Decision(after, (line,), (EventType.COMMENTED,), said)


def _patch(before: Interaction, act: Patch, stamp: Stamp) -> Decision:
    check_revision(before, act.revision)
    if before.revision >= MOST_REVISIONS:
        raise Invalid([Fault("", "this card was changed as often as one can be; withdraw it and ask anew")])
    if act.content.kind is not before.content.kind:
        raise Invalid.at("/payload", "a patch cannot change the kind of a card")
    if _service(act.content.payload) != _service(before.content.payload):
        # There is one open card for each service, and this one is found by it.
        raise Invalid.at("/payload/service", "a patch cannot change the service; withdraw the card and ask anew")
    after = changed(
        before, content=act.content, revision=before.revision + 1, votes=(), ticks=(), verdicts=(), connecting=None
    )
    lines = [draft(after, ReceiptType.PATCHED, stamp, {"previous_digest": before.content.digest()})]
    for receipt, (type_, data) in zip(stamp.more_receipts, voided_by_patch(before), strict=True):
        lines.append(draft(after, type_, stamp, data).model_copy(update={"id": receipt}))
    return Decision(after, tuple(lines), (EventType.PATCHED,))


def _service(payload: AnyPayload) -> str | None:
    return payload.service if isinstance(payload, ConnectionRequest) else None


_Voided = tuple[ReceiptType, dict[str, JsonValue]]


def voided_by_patch(before: Interaction) -> tuple[_Voided, ...]:
    """What was given before a patch counts no longer: a receipt for each, and what it says."""
    votes: list[_Voided] = [
        (ReceiptType.VOTE_VOIDED, {"by": dict(one.by.wire()), "accepted": one.accepted}) for one in before.votes
    ]
    ticks: list[_Voided] = [
        (ReceiptType.TICK_VOIDED, {"by": dict(one.by.wire()), "item": one.item, "on": one.on}) for one in before.ticks
    ]
    verdicts: list[_Voided] = [
        (ReceiptType.VERDICT_VOIDED, {"item": one.item, **one.wire()}) for one in before.verdicts
    ]
    return (*votes, *ticks, *verdicts)


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
