"""The contents page of what happens at a time: which use case does what a due row stands for."""

from __future__ import annotations

from collections.abc import Mapping

from core.dues import DueKind
from core.use_cases.digests import fire_digest, fire_held
from core.use_cases.loop_time import fire_followup, fire_loop
from core.use_cases.nudge import fire_nudge, fire_snooze
from core.use_cases.waking import Fire

FIRES: Mapping[DueKind, Fire] = {
    DueKind.NUDGE: fire_nudge,
    DueKind.SNOOZE: fire_snooze,
    DueKind.HELD: fire_held,
    DueKind.DIGEST: fire_digest,
    DueKind.LOOP: fire_loop,
    DueKind.FOLLOWUP: fire_followup,
}
