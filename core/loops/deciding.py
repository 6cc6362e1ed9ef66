"""How a loop moves from open to its end: the heart of work orders.

`TRANSITIONS` is the only authority on states and `decide` the only function that changes one. Whoever comes later is
told what stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from core.acts import Stamp
from core.errors import LoopEnded
from core.events import LoopEventType
from core.loops.acts import (
    Acknowledge,
    Claim,
    Decline,
    Escalate,
    LoopAct,
    MarkOverdue,
    NoAction,
    Nudged,
    Result,
    Start,
    Track,
)
from core.loops.decisions import LoopDecision, line
from core.loops.outcomes import ENDED, LoopState
from core.loops.slots import claim_slot, decline_slot, finish_slot, skip_slot, track
from core.loops.steps import acknowledge, claim, decline, escalate, finish, mark_overdue, nudge, skip, start
from core.loops.values import Loop, Slot, Verb
from core.loops.wording import ended_words
from core.receipts import ReceiptType

__all__ = ["TRANSITIONS", "LoopDecision", "decide", "opened"]

_S = LoopState
_TIMED: Mapping[Verb, None] = dict.fromkeys((Verb.OVERDUE, Verb.NUDGE, Verb.ESCALATE))
_CLOSING: Mapping[Verb, LoopState] = {
    Verb.RESULT: _S.CLOSED,
    Verb.DECLINE: _S.DECLINED,
    Verb.NO_ACTION: _S.NO_ACTION,
}


_GIVEN_BACK = (_S.DECLINED, _S.CLOSED, _S.ACKNOWLEDGED)
"""What becomes of work that is declined: its end, or, with the last slot that somebody had, anybody's to claim."""


def _from(state: LoopState, moves: Mapping[Verb, frozenset[LoopState]]) -> Mapping[Verb, frozenset[LoopState]]:
    """The row of an open state: its own moves, and those that every open state has."""
    return {
        # Whoever has the work, or looked at it, ends it. Of slots, it ends with the last one; one that nobody wants is
        # free again.
        **{verb: frozenset({ended, state, _S.CLOSED}) for verb, ended in _CLOSING.items()},
        # A scheduler gives out a slot.
        Verb.TRACK: frozenset({state}),
        # Time decides nothing.
        **dict.fromkeys(_TIMED, frozenset({state})),
        **moves,
    }


TRANSITIONS: Mapping[LoopState, Mapping[Verb, frozenset[LoopState]]] = {
    _S.OPEN: _from(
        _S.OPEN,
        {Verb.ACK: frozenset({_S.ACKNOWLEDGED}), Verb.CLAIM: frozenset({_S.CLAIMED})},
    ),
    _S.ACKNOWLEDGED: _from(
        _S.ACKNOWLEDGED,
        # Seen once is seen.
        {Verb.ACK: frozenset({_S.ACKNOWLEDGED}), Verb.CLAIM: frozenset({_S.CLAIMED})},
    ),
    _S.CLAIMED: _from(
        _S.CLAIMED,
        # Another slot may be claimed; the work as a whole has one claimer.
        {
            Verb.ACK: frozenset({_S.CLAIMED}),
            Verb.CLAIM: frozenset({_S.CLAIMED}),
            Verb.START: frozenset({_S.RUNNING}),
            Verb.DECLINE: frozenset({_S.CLAIMED, *_GIVEN_BACK}),
        },
    ),
    _S.RUNNING: _from(
        _S.RUNNING,
        {
            Verb.ACK: frozenset({_S.RUNNING}),
            Verb.CLAIM: frozenset({_S.RUNNING}),
            Verb.START: frozenset({_S.RUNNING}),
            Verb.DECLINE: frozenset({_S.RUNNING, *_GIVEN_BACK}),
        },
    ),
    **{state: {} for state in ENDED},
}


def opened(loop: Loop, stamp: Stamp) -> LoopDecision:
    """The decision that a new loop begins with."""
    data = {"name": loop.name, "recipient": loop.recipient, "sender_label": loop.sender_label}
    receipt = line(loop, ReceiptType.OPENED, stamp, {key: value for key, value in data.items() if value is not None})
    return LoopDecision(loop, stamp.receipt, (receipt,), (LoopEventType.OPENED,))


def decide(before: Loop, act: LoopAct, stamp: Stamp, *, overrules: bool = False) -> LoopDecision:
    """Apply `act` to `before`, or raise why not: `LoopEnded`, `LoopTaken`, `Invalid`. Nothing else changes a state.

    `overrules`: an operator acts, or the sender, who may end what somebody else has claimed.
    """
    decision = _decide(before, act, stamp, overrules=overrules)
    if not decision.repeated and decision.after.state not in TRANSITIONS[before.state].get(act.name, frozenset()):
        raise RuntimeError(f"{act.name.value} may not lead from {before.state.value} to {decision.after.state.value}")
    return decision


def _decide(before: Loop, act: LoopAct, stamp: Stamp, *, overrules: bool) -> LoopDecision:  # noqa: C901  # one flat case per act
    if before.outcome is not None:
        return _repeat_of_end(before, act, stamp)
    match act:
        case Acknowledge():
            return acknowledge(before, stamp)
        case Claim():
            return claim_slot(before, act, stamp) if before.slots else claim(before, act, stamp)
        case Start():
            return start(before, act, stamp)
        case Result():
            return finish_slot(before, act, stamp) if before.slots else finish(before, act, stamp)
        case Decline():
            if before.slots and act.slot is not None:
                return decline_slot(before, act, stamp, overrules=overrules)
            return decline(before, act, stamp, overrules=overrules)
        case NoAction():
            if before.slots and act.slot is not None:
                return skip_slot(before, act, stamp, overrules=overrules)
            return skip(before, act, stamp, overrules=overrules)
        case Track():
            return track(before, act, stamp)
        case MarkOverdue():
            return mark_overdue(before, stamp)
        case Nudged():
            return nudge(before, act, stamp)
        case Escalate():
            return escalate(before, act, stamp)
        case _:
            assert_never(act)


def _repeat_of_end(before: Loop, act: LoopAct, stamp: Stamp) -> LoopDecision:
    """What ended it said once more by the same one is what it was; anything else comes too late."""
    ended = before.outcome
    if ended is None:
        raise ValueError(f"{before.id} has not ended")
    said = _slot_said(before, act, stamp)
    if said is not None and said.done is not None:
        return LoopDecision(before, said.done.receipt, repeated=True)
    slot = before.slot(act.slot) if isinstance(act, Result | NoAction) and act.slot is not None else None
    same = _CLOSING.get(act.name) is ended.status and ended.by.is_same(stamp.by)
    if isinstance(act, Result) and act.status is not ended.result:
        same = False
    if same and slot is None and _says(act, ended.summary if ended.status is LoopState.CLOSED else ended.reason):
        return LoopDecision(before, ended.receipt, repeated=True)
    raise LoopEnded(ended_words(before), ended)


def _slot_said(before: Loop, act: LoopAct, stamp: Stamp) -> Slot | None:
    """The slot that the same one ended with the very same words."""
    if isinstance(act, Result):
        return before.slot_said(act.slot, act.status, act.summary.strip(), stamp.by)
    if isinstance(act, NoAction) and act.slot is not None:
        return before.slot_said(act.slot, None, act.reason.strip(), stamp.by)
    return None


def _says(act: LoopAct, words: str | None) -> bool:
    said = act.summary if isinstance(act, Result) else act.reason if isinstance(act, Decline | NoAction) else None
    return said is not None and said.strip() == (words or "")
