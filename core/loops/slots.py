"""Work that is shared out: claims and results are per slot, and the loop ends with its last slot."""

from __future__ import annotations

from pydantic import JsonValue

from core.acts import Stamp
from core.errors import Invalid, LoopTaken
from core.events import LoopEventType
from core.loops.acts import Claim, Decline, NoAction, Result, Track
from core.loops.decisions import LoopDecision, changed, ended, line, mark, summary_of, words
from core.loops.outcomes import LoopState
from core.loops.values import MOST_SLOTS, Loop, Slot
from core.loops.wording import NEEDS_REASON, all_taken_words, done_words, taken_words
from core.receipts import ReceiptType
from core.sentences.values import Status as ResultStatus


def track(before: Loop, act: Track, stamp: Stamp) -> LoopDecision:
    """Follow a slot that was given out. One that is followed already stays as it is."""
    known = before.slot(act.slot)
    if known is not None:
        return LoopDecision(before, stamp.receipt, repeated=True)
    if before.claimed is not None and not before.slots:
        raise LoopTaken(taken_words(before, before.claimed, None), before.claimed)
    if len(before.slots) >= MOST_SLOTS:
        raise Invalid.at("/slot", f"a work order has at most {MOST_SLOTS} slots")
    after = changed(before, slots=before.with_slot(Slot(number=act.slot, task=act.task)))
    receipt = line(after, ReceiptType.TRACKED, stamp, {"slot": act.slot, "task": act.task})
    return LoopDecision(
        after, stamp.receipt, (receipt,), (LoopEventType.PROGRESSED,), said={"slot": act.slot, "step": "tracked"}
    )


def claim_slot(before: Loop, act: Claim, stamp: Stamp) -> LoopDecision:
    """One has a slot alone; somebody who names none gets the first free one."""
    slot = _named(before, act.slot) if act.slot is not None else _to_claim(before, stamp)
    if slot.done is not None:
        raise LoopTaken(done_words(before, slot), slot.done)
    if slot.claimed is not None:
        if slot.claimed.by.is_same(stamp.by):
            return LoopDecision(before, slot.claimed.receipt, said={"slot": slot.number}, repeated=True)
        raise LoopTaken(taken_words(before, slot.claimed, slot.number), slot.claimed)
    own = mark(stamp)
    state = LoopState.RUNNING if before.state is LoopState.RUNNING else LoopState.CLAIMED
    after = changed(
        before,
        state=state,
        slots=before.with_slot(slot.model_copy(update={"claimed": own})),
        claimed=before.claimed or own,
        acknowledged=before.acknowledged or own,
    )
    receipt = line(after, ReceiptType.CLAIMED, stamp, {"slot": slot.number})
    return LoopDecision(after, stamp.receipt, (receipt,), (LoopEventType.CLAIMED,), said={"slot": slot.number})


def finish_slot(before: Loop, act: Result, stamp: Stamp) -> LoopDecision:
    """A slot has its result."""
    summary = summary_of(act)
    slot = _named(before, act.slot) if act.slot is not None else _meant(before, act, stamp)
    if slot.done is not None:
        if slot.says(act.status, summary, stamp.by):
            return LoopDecision(before, slot.done.receipt, repeated=True)
        raise LoopTaken(done_words(before, slot), slot.done)
    done = slot.model_copy(update={"done": mark(stamp), "status": act.status, "summary": summary})
    return _with_done(before, done, stamp)


def skip_slot(before: Loop, act: NoAction, stamp: Stamp, *, overrules: bool) -> LoopDecision:
    """Nothing needed doing in a slot, which is its end."""
    reason = words(act.reason, "/reason", NEEDS_REASON)
    slot = _held_by(before, act.slot, stamp, overrules=overrules)
    if slot.done is not None:
        if slot.says(None, reason, stamp.by):
            return LoopDecision(before, slot.done.receipt, repeated=True)
        raise LoopTaken(done_words(before, slot), slot.done)
    return _with_done(before, slot.model_copy(update={"done": mark(stamp), "summary": reason}), stamp)


def decline_slot(before: Loop, act: Decline, stamp: Stamp, *, overrules: bool) -> LoopDecision:
    """Whoever has a slot gives it back, and others may claim it. Given back once is given back."""
    reason = words(act.reason, "/reason", NEEDS_REASON)
    slot = _held_by(before, act.slot, stamp, overrules=overrules)
    if slot.done is not None:
        raise LoopTaken(done_words(before, slot), slot.done)
    if slot.claimed is None and slot.freed is not None and slot.freed.by.is_same(stamp.by):
        return LoopDecision(before, slot.freed.receipt, said={"slot": slot.number}, repeated=True)
    slots = before.with_slot(slot.model_copy(update={"claimed": None, "freed": mark(stamp)}))
    holders = [one.claimed for one in slots if one.claimed is not None]
    if holders or before.claimed is None:
        after = changed(before, slots=slots, claimed=holders[0] if holders else None)
    else:
        # Nobody has any of it now, so it is not said to be in anybody's hands.
        after = changed(before, state=LoopState.ACKNOWLEDGED, slots=slots, claimed=None)
    receipt = line(after, ReceiptType.SLOT_FREED, stamp, {"slot": slot.number, "reason": reason})
    said: dict[str, JsonValue] = {"slot": slot.number, "step": "slot_freed", "reason": reason}
    return LoopDecision(after, stamp.receipt, (receipt,), (LoopEventType.PROGRESSED,), said=said)


def _with_done(before: Loop, done: Slot, stamp: Stamp) -> LoopDecision:
    slots = before.with_slot(done)
    if all(one.done for one in slots):
        decision = ended(before, LoopState.CLOSED, stamp, result=_together(slots), summary=_summary(slots), slots=slots)
        return LoopDecision(
            decision.after, decision.receipt, decision.receipts, decision.events, said={"slot": done.number}
        )
    after = changed(before, slots=slots)
    data: dict[str, JsonValue] = {
        "slot": done.number,
        "result": done.status.value if done.status else None,
        "summary": done.summary,
    }
    receipt = line(after, ReceiptType.SLOT_DONE, stamp, data)
    said: dict[str, JsonValue] = {"slot": done.number, "step": "slot_done"}
    return LoopDecision(after, stamp.receipt, (receipt,), (LoopEventType.PROGRESSED,), said=said)


def _named(before: Loop, number: int | None) -> Slot:
    slot = None if number is None else before.slot(number)
    if slot is None:
        known = ", ".join(str(one.number) for one in before.slots)
        raise Invalid.at("/slot", f"{before.name} has no slot {number}; its slots are {known}")
    return slot


def _to_claim(before: Loop, stamp: Stamp) -> Slot:
    own = [one for one in before.slots if one.claimed and not one.done and one.claimed.by.is_same(stamp.by)]
    free = before.free_slots
    if own or free:
        return own[0] if own else free[0]
    holder = next(one.claimed or one.done for one in before.slots)
    if holder is None:
        raise ValueError(f"{before.id} has a slot that is neither free nor anybody's")
    raise LoopTaken(all_taken_words(before), holder)


def _meant(before: Loop, act: Result, stamp: Stamp) -> Slot:
    """The slot that is meant by somebody who names none: their only one that is open, else the one of which they said
    the very same, else the last one if nobody has it. What somebody else has is nobody's to finish unnamed."""
    left = [one for one in before.slots if not one.done]
    own = [one for one in left if one.claimed and one.claimed.by.is_same(stamp.by)]
    said = None if own else before.slot_said(None, act.status, act.summary.strip(), stamp.by)
    if said is not None:
        return said
    meant = own or (left if left[0].claimed is None else [])
    if len(meant) == 1:
        return meant[0]
    raise Invalid.at("/slot", f"say which slot of {before.name}, such as {before.name}/{left[0].number}")


def _held_by(before: Loop, number: int | None, stamp: Stamp, *, overrules: bool) -> Slot:
    slot = _named(before, number)
    if slot.claimed and not slot.done and not slot.claimed.by.is_same(stamp.by) and not overrules:
        raise LoopTaken(taken_words(before, slot.claimed, slot.number), slot.claimed)
    return slot


def _together(slots: tuple[Slot, ...]) -> ResultStatus | None:
    """One status for all of it: theirs when it is the same, else partial."""
    said = {one.status for one in slots}
    return said.pop() if len(said) == 1 else ResultStatus.PARTIAL


def _summary(slots: tuple[Slot, ...]) -> str:
    return "\n".join(
        f"{one.number}: {f'{one.status.value} ' if one.status else ''}{one.summary or ''}".strip() for one in slots
    )
