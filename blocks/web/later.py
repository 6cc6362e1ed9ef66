"""What whoever may answer can do about a card's time instead: be reminded later, hand it on, see whom it waits for."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from blocks.web.page import Later, Visit
from blocks.web.parts import Button, Field, Line, faults_at, shown, typed
from blocks.words import isolate, one_line
from core.moments import HOW, SNOOZES
from core.telling import when

SNOOZE: Final = "snooze."
"""Before the number of one of `SNOOZES`, in what a button's form says."""
PUT_OFF: Final = "put-off"
HAND_ON: Final = "hand-on"
UNTIL: Final = "until"
TO: Final = "to"
TIMES: Final = frozenset({PUT_OFF, HAND_ON, *(f"{SNOOZE}{number}" for number in range(len(SNOOZES)))})
"""The buttons that are about time. None of them decides anything."""
OFTEN: Final = (("tomorrow 9:00", ""), ("mon 9:00", ""), ("2h", ""), ("18:30", ""))
"""Times that are offered to whoever begins to write one."""


def later(visit: Visit) -> Later:
    """The section of a card that is open, for somebody who may answer it."""
    filled, times = visit.filled or {}, visit.times
    until = Field(
        name=UNTIL,
        label="Or at this time",
        control=Line(typed(filled, UNTIL), offers=OFTEN),
        hint=f"{HOW[0].upper()}{HOW[1:]}. It is read in your time zone, {times.zone}.",
        faults=faults_at(visit.wrong, UNTIL),
    )
    to = Field(
        name=TO,
        label="Hand it to…",
        control=Line(typed(filled, TO), offers=tuple((handle, one_line(name)) for handle, name in times.people)),
        hint="The handle of a person, such as ana. They may answer it then as well as you.",
        faults=faults_at(visit.wrong, TO),
    )
    return Later(
        snoozes=tuple(
            Button(f"{SNOOZE}{number}", label if length is None else f"In {label}")
            for number, (label, length) in enumerate(SNOOZES)
        ),
        until=until,
        to=to,
        waiting=shown(times.waiting),
        asked=f"You asked to be reminded on {local(times.until, times.zone)}." if times.until else "",
    )


def news(visit: Visit, done: str) -> str:
    """What was just done about time, in a sentence; nothing where it does not stand any more."""
    times = visit.times
    if done == PUT_OFF and times.until is not None:
        return f"You will be reminded on {local(times.until, times.zone)}. The question stays open."
    if done == HAND_ON and times.handed_to:
        return f"{isolate(one_line(times.handed_to))} may answer this now as well. You still may."
    return ""


def local(at: datetime, zone: str) -> str:
    """An instant as somebody in `zone` (an IANA name) reads it: `3 Dec 2026, 09:00 CET`."""
    return when(at, zone)
