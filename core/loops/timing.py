"""When a loop is reminded of, marked overdue, or taken to others. Arithmetic on what is known of it.

The next moment follows from when the last reminder was written, so that after an outage there is one and not nine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from core.held import Held, why_closed
from core.loops.outcomes import LoopState
from core.loops.values import Loop
from core.nudging import GROWTH, LONGEST_GAP
from core.publications import PublicationState
from core.quiet import Hours, Window, opens_at, zone_of

WAKING = Hours(time(8), time(21))
"""Hours of the day in which people are reminded of work, in their own zone."""


class Step(StrEnum):
    """What time does to a loop."""

    OVERDUE = "overdue"
    NUDGE = "nudge"
    ESCALATE = "escalate"


@dataclass(frozen=True)
class Next:
    """What comes next, and when at the earliest."""

    step: Step
    at: datetime


def reminded_as_of(loop: Loop, now: datetime) -> Loop:
    """The loop as it stands at `now`: a reminder that was written while a clock was ahead counts as of now, and so does
    the beginning of one from which the first reminder is counted."""
    if loop.nudged_at is not None:
        begun = loop.nudged_at
    elif loop.due_at is None and loop.reminders.max > 0:
        begun = loop.created_at
    else:
        return loop
    return loop.model_copy(update={"nudged_at": now}) if begun > now else loop


def waking(zones: Sequence[str]) -> tuple[Window, ...]:
    """Outside the waking hours of people in these zones; nobody's zone known: no such hours."""
    return tuple(Window(zone_of(name), open=WAKING) for name in dict.fromkeys(zones))


def next_step(loop: Loop, windows: Sequence[Window], others: Sequence[Sequence[Window]] = ()) -> Next | None:
    """What time does next to a loop as it is; None: nothing any more. Whoever is to be reminded is left alone within
    `windows`, and each of those it is taken to within theirs among `others`."""
    if not loop.is_open:
        return None
    steps = [step for step in (_overdue(loop), _word(loop, windows, others)) if step is not None]
    return min(steps, key=lambda one: (one.at, one.step is not Step.OVERDUE), default=None)


def goes_to_others(loop: Loop) -> bool:
    """Whether the next word about a loop goes to others."""
    wanted = _wanted(loop)
    return wanted is not None and wanted.step is Step.ESCALATE


def is_to_be_reminded(loop: Loop, now: datetime) -> bool:
    """Whether a reminder would have been written by `now`, were its recipient not left alone."""
    wanted = _wanted(loop) if loop.is_open else None
    return wanted is not None and wanted.step is Step.NUDGE and wanted.at <= now


def held_back(loop: Loop, windows: Sequence[Window], now: datetime) -> tuple[Held, ...]:
    """A reminder that would have been written by `now`, were its recipient not left alone within `windows`."""
    wanted = _wanted(loop)
    if wanted is None or not is_to_be_reminded(loop, now):
        return ()
    at = opens_at(wanted.at, windows)
    return (Held(why_closed(windows, now), at),) if at is None or at > now else ()


def _overdue(loop: Loop) -> Next | None:
    return Next(Step.OVERDUE, loop.due_at) if loop.due_at is not None and loop.overdue_at is None else None


def _word(loop: Loop, windows: Sequence[Window], others: Sequence[Sequence[Window]]) -> Next | None:
    """The next reminder or, after the last, the word to others."""
    wanted = _wanted(loop)
    if wanted is None:
        return None
    if wanted.step is Step.ESCALATE:
        return Next(wanted.step, _opens_to(others, wanted.at))
    at = opens_at(wanted.at, windows)
    return Next(wanted.step, at) if at is not None else None


def _opens_to(others: Sequence[Sequence[Window]], at: datetime) -> datetime:
    """When others may be told, from `at` on: at a moment that suits all of them, or else the first that suits one. Who
    would be left alone for good is told all the same."""
    for_all = opens_at(at, [window for windows in others for window in windows])
    if for_all is not None:
        return for_all
    return min((moment for windows in others if (moment := opens_at(at, windows)) is not None), default=at)


def _wanted(loop: Loop) -> Next | None:
    if loop.card is not None and loop.card.state is PublicationState.FAILED:
        # Nobody sees it, which its sender and the operators were told at once, so there is nobody to remind.
        return None
    if loop.nudges < loop.reminders.max:
        at = _next_nudge(loop)
        if loop.state is not LoopState.OPEN:
            # It was seen, so only its time being over is worth a word.
            if loop.due_at is None:
                return None
            at = max(at, loop.due_at)
        return Next(Step.NUDGE, at)
    if loop.escalated_at is not None:
        return None
    if loop.nudged_at is not None:
        return Next(Step.ESCALATE, loop.nudged_at + gap(loop, loop.nudges))
    return Next(Step.ESCALATE, loop.due_at) if loop.due_at is not None else None


def _next_nudge(loop: Loop) -> datetime:
    if loop.nudged_at is not None:
        return loop.nudged_at + gap(loop, loop.nudges)
    if loop.due_at is None:
        return loop.created_at + loop.first_gap
    ahead = loop.due_at - loop.first_gap
    return ahead if ahead > loop.created_at else loop.due_at


def gap(loop: Loop, after: int) -> timedelta:
    """How long after reminder `after` the next word is: gaps double up to a day, unless the first is longer already."""
    first = loop.first_gap
    grown: timedelta = first * GROWTH ** min(max(after - 1, 0), 20)
    return min(grown, max(first, LONGEST_GAP))
