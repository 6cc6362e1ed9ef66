"""The contents page of what happens at a time: which use case does what a due row stands for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from core.dues import Due, DueKind
from core.ports import Context, Work
from core.use_cases.digests import fire_digest, fire_held
from core.use_cases.loop_time import fire_followup, fire_loop
from core.use_cases.nudge import fire_nudge, fire_snooze
from core.use_cases.tool_reviews import fire_tool

Fire = Callable[[Work, Context, Due], Awaitable[None]]
"""Does what a row stands for. It locks what the row is about, sees that the row is still the one that was claimed
(`core.use_cases.nudge.is_still`), acts, and sets when it is due next or takes it away."""
FIRES: Mapping[DueKind, Fire] = {
    DueKind.NUDGE: fire_nudge,
    DueKind.SNOOZE: fire_snooze,
    DueKind.HELD: fire_held,
    DueKind.DIGEST: fire_digest,
    DueKind.LOOP: fire_loop,
    DueKind.FOLLOWUP: fire_followup,
    DueKind.TOOL: fire_tool,
}
