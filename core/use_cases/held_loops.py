"""Which reminders of work orders wait, and why."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.held import Held, Reason
from core.loops.timing import held_back, is_to_be_reminded
from core.loops.values import Loop
from core.ports import Work
from core.use_cases.loop_recording import quiet_of


async def held_loops(work: Work, workspace: str, loops: Sequence[Loop], now: datetime) -> dict[str, tuple[Held, ...]]:
    """The reminders of a workspace's work orders that do not go out yet, and why, by the order's id: those of whoever
    is left alone now, and those that go out with others since there were too many."""
    still = [loop for loop in loops if loop.is_open]
    listed = await work.held_loops(workspace, [loop.id for loop in still]) if still else {}
    found = {}
    for loop in still:
        capped = (Held(Reason.RATE_CAP, listed[loop.id]),) if loop.id in listed else ()
        windows = await quiet_of(work, loop) if is_to_be_reminded(loop, now) else ()
        found[loop.id] = (*capped, *held_back(loop, windows, now))
    return found
