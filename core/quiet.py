"""When people are left alone: quiet hours, days off and a workspace's working calendar. Arithmetic on moments and
zones; what time it is and whose zone it is are arguments."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field

from core.people import Value

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
FURTHEST = timedelta(days=400)
"""A calendar that leaves nothing open for so long leaves nothing open at all."""

_HOURS = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")


def zone_of(name: str) -> ZoneInfo:
    """The zone of this IANA name, such as `Europe/Madrid`. ValueError when there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"there is no time zone called {name}; write it like Europe/Madrid or UTC") from None


def _check_zone(name: str) -> str:
    zone_of(name)
    return name


Zone = Annotated[str, Field(max_length=64), AfterValidator(_check_zone)]


@dataclass(frozen=True)
class Hours:
    """A part of every day, in local time. `start` after `end` goes on over midnight; equal ones are the whole day."""

    start: time
    end: time

    def holds(self, clock: time) -> bool:
        """Whether this time of day is inside; `end` is not."""
        if self.start < self.end:
            return self.start <= clock < self.end
        return clock >= self.start or clock < self.end


def parse_hours(text: str) -> Hours:
    """Read `22:00-07:00`; ValueError says how to write it."""
    found = _HOURS.fullmatch(text)
    if not found:
        raise ValueError("hours are written 22:00-07:00")
    first, second = time(int(found[1]), int(found[2])), time(int(found[3]), int(found[4]))
    return Hours(first, second)


def parse_quiet(text: str) -> tuple[Hours, ZoneInfo | None]:
    """Read `22:00-07:00 Europe/Madrid`; without a zone it is each recipient's. ValueError says what is wrong."""
    hours, _, name = text.partition(" ")
    parsed = parse_hours(hours)
    if parsed.start == parsed.end:
        raise ValueError("quiet hours that never end would never let a reminder through")
    return parsed, zone_of(name) if name else None


def _check_hours(text: str) -> str:
    if parse_hours(text).start == parse_hours(text).end:
        raise ValueError("working hours start and end at different times")
    return text


class WorkingCalendar(Value):
    """When a workspace works: on which days, within which hours, not on which dates, in which zone."""

    zone: Zone = "UTC"
    days: Annotated[tuple[Weekday, ...], Field(min_length=1, max_length=7)] = ("mon", "tue", "wed", "thu", "fri")
    hours: Annotated[str, AfterValidator(_check_hours)] | None = None
    holidays: Annotated[tuple[date, ...], Field(max_length=1_000)] = ()


@dataclass(frozen=True)
class Window:
    """Reasons to leave somebody alone, in one zone: `quiet` hours, days that are not among `days`, dates, and what is
    outside the `open` hours."""

    zone: ZoneInfo
    quiet: Hours | None = None
    days: frozenset[Weekday] | None = None
    holidays: frozenset[date] = frozenset()
    open: Hours | None = None

    def next_open(self, at: datetime) -> datetime:
        """`at`, or when the reason that holds then ends at the earliest; there another may hold."""
        local = at.astimezone(self.zone)
        if self.days is not None and WEEKDAYS[local.weekday()] not in self.days:
            return self._at(local.date() + timedelta(days=1), time())
        if local.date() in self.holidays:
            return self._at(local.date() + timedelta(days=1), time())
        clock = local.time().replace(tzinfo=None)
        if self.open is not None and not self.open.holds(clock):
            return self._next(local, self.open.start)
        if self.quiet is not None and self.quiet.holds(clock):
            return self._next(local, self.quiet.end)
        return at

    def _next(self, local: datetime, clock: time) -> datetime:
        now = local.astimezone(UTC)
        first, second = self._at(local.date(), clock), self._at(local.date(), clock, fold=1)
        for today in (first, max(first, second)):  # earlier than the first only where a clock change leaves it out
            if today > now:
                return today
        return self._at(local.date() + timedelta(days=1), clock)

    def _at(self, day: date, clock: time, fold: int = 0) -> datetime:
        # A time that a clock change leaves out is taken as what clocks show instead; of one that it repeats, the first.
        return datetime.combine(day, clock.replace(fold=fold), tzinfo=self.zone).astimezone(UTC)


def working(calendar: WorkingCalendar) -> Window:
    """Outside a workspace's working time."""
    return Window(
        zone=zone_of(calendar.zone),
        days=frozenset(calendar.days),
        holidays=frozenset(calendar.holidays),
        open=parse_hours(calendar.hours) if calendar.hours else None,
    )


def opens_at(at: datetime, windows: Sequence[Window]) -> datetime | None:
    """The first moment from `at` on at which nothing says to leave somebody alone; None when there is none in sight."""
    moment = at
    with contextlib.suppress(OverflowError):  # behind the last day of the calendar nothing opens
        while moment - at <= FURTHEST:
            later = max((window.next_open(moment) for window in windows), default=moment)
            if later <= moment:
                return moment
            moment = later
    return None
