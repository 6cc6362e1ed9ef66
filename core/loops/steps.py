"""The rules of each act on a loop that is one piece of work, and of what time does to any."""

from __future__ import annotations

from pydantic import JsonValue

from core.acts import Stamp
from core.errors import Invalid, LoopTaken
from core.events import LoopEventType
from core.loops.acts import Claim, Decline, Escalate, NoAction, Nudged, Result, Start
from core.loops.decisions import LoopDecision, changed, ended, line, mark, summary_of, words
from core.loops.outcomes import LoopState, Mark
from core.loops.values import Loop, claimers
from core.loops.wording import NEEDS_REASON, NO_SLOTS, taken_words
from core.receipts import ReceiptType


def acknowledge(before: Loop, stamp: Stamp) -> LoopDecision:
    """It was seen. Whoever says so after the first, or after it was claimed, changes nothing."""
    if before.acknowledged is not None:
        return LoopDecision(before, before.acknowledged.receipt, repeated=True)
    after = changed(before, state=LoopState.ACKNOWLEDGED, acknowledged=mark(stamp))
    receipt = line(after, ReceiptType.ACKNOWLEDGED, stamp)
    return LoopDecision(after, stamp.receipt, (receipt,), (LoopEventType.ACKNOWLEDGED,))


def claim(before: Loop, act: Claim, stamp: Stamp) -> LoopDecision:
    """One has it alone. Who claims has seen it."""
    if act.slot is not None:
        raise Invalid.at("/slot", NO_SLOTS)
    if before.claimed is not None:
        if before.claimed.by.is_same(stamp.by):
            return LoopDecision(before, before.claimed.receipt, repeated=True)
        raise LoopTaken(taken_words(before, before.claimed, None), before.claimed)
    own = mark(stamp)
    after = changed(before, state=LoopState.CLAIMED, claimed=own, acknowledged=before.acknowledged or own)
    return LoopDecision(after, stamp.receipt, (line(after, ReceiptType.CLAIMED, stamp),), (LoopEventType.CLAIMED,))


def start(before: Loop, act: Start, stamp: Stamp) -> LoopDecision:
    """The first progress makes it running; more of it changes nothing. `Invalid` when the speaker has none of it."""
    if before.started is not None:
        return LoopDecision(before, before.started.receipt, repeated=True)
    if not may_start(before, stamp):
        raise Invalid.at("", "claim it first")
    after = changed(before, state=LoopState.RUNNING, started=mark(stamp))
    data = {} if act.slot is None else {"slot": act.slot}
    receipt = line(after, ReceiptType.RUNNING, stamp, data)
    return LoopDecision(after, stamp.receipt, (receipt,), (LoopEventType.RUNNING,), said=data)


def may_start(before: Loop, stamp: Stamp) -> bool:
    """Whether progress of this speaker is progress of the work."""
    if before.state is not LoopState.CLAIMED:
        return False
    holders = claimers(before.slots) if before.slots else ((before.claimed.by,) if before.claimed else ())
    return any(one.is_same(stamp.by) for one in holders)


def finish(before: Loop, act: Result, stamp: Stamp) -> LoopDecision:
    """A result ends it, from any open state."""
    if act.slot is not None:
        raise Invalid.at("/slot", NO_SLOTS)
    return ended(before, LoopState.CLOSED, stamp, result=act.status, summary=summary_of(act))


def decline(before: Loop, act: Decline, stamp: Stamp, *, overrules: bool) -> LoopDecision:
    """It will not be done."""
    reason = words(act.reason, "/reason", NEEDS_REASON)
    if act.slot is not None:
        raise Invalid.at("/slot", NO_SLOTS)
    check_holder(before, stamp, overrules=overrules)
    return ended(before, LoopState.DECLINED, stamp, reason=reason)


def skip(before: Loop, act: NoAction, stamp: Stamp, *, overrules: bool) -> LoopDecision:
    """Nothing needed doing."""
    reason = words(act.reason, "/reason", NEEDS_REASON)
    if act.slot is not None:
        raise Invalid.at("/slot", NO_SLOTS)
    check_holder(before, stamp, overrules=overrules)
    return ended(before, LoopState.NO_ACTION, stamp, reason=reason)


def check_holder(before: Loop, stamp: Stamp, *, overrules: bool) -> None:
    """Whoever has the work speaks for it, and the sender and operators do. Raises `LoopTaken` for others."""
    holders: list[tuple[Mark, int | None]] = [(before.claimed, None)] if before.claimed and not before.slots else []
    holders += [(one.claimed, one.number) for one in before.slots if one.claimed and not one.done]
    other = next(((held, slot) for held, slot in holders if not held.by.is_same(stamp.by)), None)
    if other is not None and not overrules:
        raise LoopTaken(taken_words(before, *other), other[0])


def mark_overdue(before: Loop, stamp: Stamp) -> LoopDecision:
    """Its time is over. `Invalid` when it is not."""
    if before.due_at is None or before.due_at > stamp.now:
        raise Invalid.at("", "its time is not over yet")
    if before.overdue_at is not None:
        return LoopDecision(before, stamp.receipt, repeated=True)
    after = changed(before, overdue_at=stamp.now)
    return LoopDecision(after, stamp.receipt, (line(after, ReceiptType.OVERDUE, stamp),), (LoopEventType.OVERDUE,))


def nudge(before: Loop, act: Nudged, stamp: Stamp) -> LoopDecision:
    """One more reminder, counted. `Invalid` when it is not the next one, or there are no more."""
    if act.number != before.nudges + 1 or act.number > before.reminders.max:
        raise Invalid.at("", f"reminder {act.number} is not the next one")
    after = changed(before, nudges=act.number, nudged_at=stamp.now)
    receipt = line(after, ReceiptType.NUDGED, stamp, {"number": act.number, "of": before.reminders.max})
    return LoopDecision(after, stamp.receipt, (receipt,), (LoopEventType.NUDGED,))


def escalate(before: Loop, act: Escalate, stamp: Stamp) -> LoopDecision:
    """Others are told: once that reminders did not help, and again for another reason."""
    if before.escalated_at is not None and act.reason is None:
        return LoopDecision(before, stamp.receipt, repeated=True)
    after = changed(before, escalated_at=stamp.now)
    said: dict[str, JsonValue] = {} if act.reason is None else {"reason": act.reason}
    receipt = line(after, ReceiptType.ESCALATED, stamp, said)
    return LoopDecision(after, stamp.receipt, (receipt,), (LoopEventType.ESCALATED,), said=said)
