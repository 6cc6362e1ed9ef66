"""What a control on the card of a loop or an alert stands for. It confers nothing: authority is judged at the press."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class LoopAction(IntEnum):
    """The numbers are on the wire (inside control tokens), and are none of `core.controls.Action`: never reuse one."""

    ACKNOWLEDGE = 40
    CLAIM = 41
    """Take it, or slot `slot` of it; slot 0 without `has_slot`: the first free one."""
    DONE = 42
    """Ask for the words of the result."""
    DECLINE = 43
    """Ask for the reason."""
    NO_ACTION = 44
    """Ask for the reason."""
    DISPATCH_AGAIN = 45
    """Open the declined order anew."""
    ORDER = 46
    """Open a work order from an alert."""


OPENS_LOOP_FORM = frozenset({LoopAction.DONE, LoopAction.DECLINE, LoopAction.NO_ACTION})
SUBJECTS = {action: "alr" if action is LoopAction.ORDER else "lop" for action in LoopAction}
"""The prefix of the id that a control with this action names."""
RESULT_FIELD, REASON_FIELD = "result", "reason"
"""The form fields of DONE, and of DECLINE and NO_ACTION."""


@dataclass(frozen=True)
class LoopControl:
    """One control. `subject` is the internal id of a loop (`lop_…`) or of an alert (`alr_…`), as `SUBJECTS` says;
    `slot` the share of the work that is meant, None: the work as a whole."""

    subject: str
    action: LoopAction
    slot: int | None = None
