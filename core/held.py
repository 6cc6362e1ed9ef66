"""Reminders that are due but do not go out yet, and why: data for callers; `core.awaited` has it in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.canonical import rfc3339
from core.quiet import WEEKDAYS, Window


class Reason(StrEnum):
    """Why a reminder waits."""

    QUIET_HOURS = "quiet_hours"
    NOT_WORKING_DAY = "not_working_day"
    PUT_OFF = "put_off"
    RATE_CAP = "rate_cap"
    PROVIDER_PACE = "provider_pace"


@dataclass(frozen=True)
class Held:
    """One reminder that waits. `until`: when it goes out at the earliest, where that is known."""

    reason: Reason
    until: datetime | None

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {"reason": self.reason.value, "until": rfc3339(self.until) if self.until else None}


@dataclass(frozen=True)
class Queued:
    """What the store knows of the reminders of one interaction: when it is looked at next, until when the lists that
    its held ones go out in wait, whether a chat put any off, and when those go out that were about to be sent when
    their recipient was to be left alone."""

    looked_at: datetime | None
    lists: tuple[datetime, ...]
    refused: bool
    put_off: tuple[datetime, ...] = ()


def is_held_back(queued: Queued, planned: datetime | None, now: datetime) -> bool:
    """Whether anything waits because people are left alone."""
    return bool(queued.put_off) or _was_put_off(queued, planned, now)


def _was_put_off(queued: Queued, planned: datetime | None, now: datetime) -> bool:
    return planned is not None and planned <= now and queued.looked_at is not None and queued.looked_at > now


def held_of(queued: Queued, planned: datetime | None, windows: Sequence[Window], now: datetime) -> tuple[Held, ...]:
    """What waits. `planned` is the moment of the plan that comes next; once it is past, it was put off."""
    found = [Held(Reason.RATE_CAP, at) for at in queued.lists]
    if queued.refused:
        found.append(Held(Reason.PROVIDER_PACE, None))
    found += [Held(why_closed(windows, now), at) for at in queued.put_off if at > now]
    if _was_put_off(queued, planned, now):
        found.append(Held(why_closed(windows, now), queued.looked_at))
    return tuple(found)


def why_closed(windows: Sequence[Window], now: datetime) -> Reason:
    """Why somebody is left alone now. Where none of these `windows` says so, they asked for it."""
    closed = [window for window in windows if window.next_open(now) > now]
    if not closed:
        return Reason.PUT_OFF
    for window in closed:
        day = now.astimezone(window.zone).date()
        if day in window.holidays or (window.days is not None and WEEKDAYS[day.weekday()] not in window.days):
            return Reason.NOT_WORKING_DAY
    return Reason.QUIET_HOURS
