"""Moments as people write them: `20m`, `2 hours`, `18:30`, `tomorrow 9:00`, `mon 9:00`, `2026-12-05 09:00`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from core.quiet import WEEKDAYS

MORNING = time(9)
"""What a day without a time of day means."""
LONGEST = 100
"""Characters of a moment in words."""
HOW = "write a time like 20m, 2h, 18:30, tomorrow 9:00, mon 9:00 or 2026-12-05 09:00"
SNOOZES: tuple[tuple[str, timedelta | None], ...] = (
    ("15 minutes", timedelta(minutes=15)),
    ("1 hour", timedelta(hours=1)),
    ("Tomorrow 9:00", None),
)
"""What a card offers, by the option of its control. None: the next morning."""

_SPAN = re.compile(r"(\d{1,4})\s*(m|min|mins|minute|minutes|h|hour|hours|d|day|days)")
_LENGTH = re.compile(
    r"(?:(\d{1,3})\s*(?:h|hour|hours)\s*(\d{1,2})\s*(?:m|min|mins|minute|minutes)|([0-5])\s*h\s*([0-5]\d))"
)
"""Hours and minutes. `1h30` is an hour and a half; `18h30` is a time of day, for nobody counts so many hours."""
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_CLOCK = re.compile(r"(?:at\s+)?([01]?\d|2[0-3])(?::|h)([0-5]\d)")
_DAY = re.compile(
    "(today|tomorrow)|(mon)(?:day)?|(tue)(?:s|sday)?|(wed)(?:s|nesday)?|(thu)(?:r|rs|rsday)?|(fri)(?:day)?"
    "|(sat)(?:urday)?|(sun)(?:day)?"
)
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def snoozed_until(option: int, now: datetime, zone: ZoneInfo) -> datetime:
    """The end of one of `SNOOZES`. IndexError when there is none of this number."""
    length = SNOOZES[option][1]
    return now + length if length is not None else _at(now.astimezone(zone) + timedelta(days=1), MORNING, zone)


def parse_moment(text: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Read a moment after `now`, in the writer's `zone`. ValueError says how to write one."""
    if len(text) > LONGEST:
        raise ValueError(HOW)
    try:
        moment = _read(text, now, zone)
    except OverflowError:
        # No calendar goes that far.
        moment = None
    if moment is None:
        raise ValueError(HOW)
    return moment


def _read(text: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    words = " ".join(text.lower().split())
    span = _SPAN.fullmatch(words.removeprefix("in "))
    if span:
        return now + timedelta(**{_UNITS[span[2][0]]: int(span[1])})
    length = _LENGTH.fullmatch(words.removeprefix("in "))
    if length:
        hours, minutes = (one for one in length.groups() if one is not None)
        return now + timedelta(hours=int(hours), minutes=int(minutes))
    return _read_iso(text.strip(), zone) or _read_day(words, now, zone)


def _read_iso(text: str, zone: ZoneInfo) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    if _DATE.fullmatch(text):
        return _at(found, MORNING, zone)
    return (found if found.tzinfo is not None else found.replace(tzinfo=zone)).astimezone(UTC)


def _read_day(words: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    first, _, rest = words.partition(" ")
    day = _DAY.fullmatch(first)
    clock = _CLOCK.fullmatch(rest if day else words)
    if (day is None and clock is None) or (day is not None and rest and clock is None):
        return None
    at = time(int(clock[1]), int(clock[2])) if clock else MORNING
    local = now.astimezone(zone)
    if day is None:
        moment = _at(local, at, zone)
        return moment if moment > now else _at(local + timedelta(days=1), at, zone)
    return _at(local + timedelta(days=_days_to(day[day.lastindex or 0], local)), at, zone)


def _days_to(day: str, local: datetime) -> int:
    """How many days it is to a day; one that has the name of today is a week away."""
    if day in ("today", "tomorrow"):
        return 0 if day == "today" else 1
    return (WEEKDAYS.index(day) - local.weekday() - 1) % 7 + 1


def _at(day: datetime, clock: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day.date(), clock, tzinfo=zone).astimezone(UTC)
