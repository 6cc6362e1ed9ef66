"""What is written on the controls of work orders and alerts, the same in every chat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from blocks.words import isolate, one_line
from core.loops.controls import LoopAction
from core.loops.values import Loop, Slot
from core.sentences import Claim, Reference, spell

LABELS: Final[Mapping[LoopAction, str]] = {
    LoopAction.ACKNOWLEDGE: "Acknowledge",
    LoopAction.CLAIM: "Claim",
    LoopAction.DONE: "Done…",
    LoopAction.DECLINE: "Decline…",
    LoopAction.NO_ACTION: "No action…",
    LoopAction.DISPATCH_AGAIN: "Dispatch again",
    LoopAction.ORDER: "Open a work order",
}
PAGE: Final = "Open page"
NOT_WHOLE: Final = "This is too long to show whole here; it is on the page of the work order."
LONGEST_SLOT: Final = 75
"""Characters that every chat takes on a control."""


def label_of(action: LoopAction, loop: Loop, *, choosing: bool = False) -> str:
    """What stands on a control of a work order. Where it is shared out, claiming takes the next share, unless one is
    chosen beside it."""
    if action is LoopAction.CLAIM and loop.slots:
        return f"{LABELS[action] if choosing else 'Claim next'} ({len(loop.free_slots)} of {len(loop.slots)} free)"
    return LABELS[action]


def slots_to_choose(loop: Loop, most: int) -> tuple[Slot, ...]:
    """The shares that a control each is offered for: none where there is no choice, or where there are more than
    `most`, for which `claim_example` says how."""
    free = loop.free_slots if loop.is_open else ()
    return free if 1 < len(free) <= most else ()


def claim_example(loop: Loop, most: int) -> str:
    """What somebody says who wants a certain share of more than `most`; empty where controls are offered."""
    free = loop.free_slots if loop.is_open else ()
    return spell(Claim(Reference(loop.name, free[-1].number))) if len(free) > most else ""


def slot_label(slot: Slot) -> str:
    """What stands on the control that claims one share: its number and, where that is short, what it is."""
    task = isolate(one_line(slot.task)).strip()
    whole = f"Slot {slot.number}: {task}"
    return whole if task and len(whole) <= LONGEST_SLOT else f"Slot {slot.number}"
