"""Work orders: loops that one party opens and another closes, by buttons, by bracketed sentences or by API.

Start with `values` (what a loop is) and `deciding` (`TRANSITIONS` and `decide`, the only place where states change).
`acts` has what can be done, `steps` and `slots` the rules of each, `access` who may do it, `timing` when a reminder is
due. `wire` and `wording` spell loops for programs and people, `cards` is what a surface is given, `keeping` what the
database keeps.
"""

from __future__ import annotations

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
from core.loops.cards import AlertCard, LoopCard
from core.loops.controls import LoopAction, LoopControl
from core.loops.deciding import TRANSITIONS, LoopDecision, decide, opened
from core.loops.outcomes import LoopOutcome, LoopState, Mark
from core.loops.places import Alert, Conversation, FollowUp, Handover, HandoverKind, Saying
from core.loops.values import Loop, LoopCopy, Reminders, Slot, Verb

__all__ = [
    "TRANSITIONS",
    "Acknowledge",
    "Alert",
    "AlertCard",
    "Claim",
    "Conversation",
    "Decline",
    "Escalate",
    "FollowUp",
    "Handover",
    "HandoverKind",
    "Loop",
    "LoopAct",
    "LoopAction",
    "LoopCard",
    "LoopControl",
    "LoopCopy",
    "LoopDecision",
    "LoopOutcome",
    "LoopState",
    "Mark",
    "MarkOverdue",
    "NoAction",
    "Nudged",
    "Reminders",
    "Result",
    "Saying",
    "Slot",
    "Start",
    "Track",
    "Verb",
    "decide",
    "opened",
]
