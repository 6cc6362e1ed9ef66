"""What people set about their time, and the moments of the lists that follow from it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from core.dues import DueKind
from core.errors import Invalid, NotFound
from core.quiet import WorkingCalendar
from core.use_cases.digests import next_digest
from core.use_cases.settings import set_calendar, set_times
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, HERE

MADRID, NEW_YORK, SANTIAGO = "Europe/Madrid", "America/New_York", "America/Santiago"
AT = "%Y-%m-%d %H:%M"


def utc(text: str) -> datetime:
    return datetime.strptime(text, AT).replace(tzinfo=UTC)


WEEKDAYS = WorkingCalendar(zone="UTC")
LISTS = [
    # Why; zone; time of day; calendar; now and the next list, both in UTC.
    ("later today", MADRID, "18:00", None, "2026-12-02 10:00", "2026-12-02 17:00"),
    ("tomorrow once it is over", MADRID, "09:00", None, "2026-12-02 08:00", "2026-12-03 08:00"),
    ("today in the zone is another day", NEW_YORK, "09:00", None, "2026-12-03 02:00", "2026-12-03 14:00"),
    ("not at the weekend", MADRID, "09:00", WEEKDAYS, "2026-12-04 10:00", "2026-12-07 08:00"),
    (
        "not on a holiday",
        MADRID,
        "09:00",
        WorkingCalendar(holidays=(date(2026, 12, 25),)),
        "2026-12-24 10:00",
        "2026-12-28 08:00",
    ),
    ("the calendar's hours do not matter", MADRID, "07:00", WorkingCalendar(hours="09:00-18:00"), "2026-12-02 10:00",
     "2026-12-03 06:00"),
    ("the calendar's zone where there is no other", None, "09:00", WorkingCalendar(zone=MADRID), "2026-12-02 10:00",
     "2026-12-03 08:00"),
    ("UTC where nobody says", None, "09:00", None, "2026-12-02 10:00", "2026-12-03 09:00"),
    ("spring leaves the time out: what clocks show instead", MADRID, "02:30", None, "2026-03-28 12:00",
     "2026-03-29 01:30"),
    ("and the day after it is as ever", MADRID, "02:30", None, "2026-03-29 01:30", "2026-03-30 00:30"),
    ("a midnight that is left out", SANTIAGO, "00:00", None, "2026-09-05 12:00", "2026-09-06 04:00"),
    ("autumn repeats it: once", MADRID, "02:30", None, "2026-10-25 00:30", "2026-10-26 01:30"),
    ("a leap day", MADRID, "09:00", None, "2028-02-28 10:00", "2028-02-29 08:00"),
    ("the last minute of a day", MADRID, "23:59", None, "2026-12-02 22:58", "2026-12-02 22:59"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "zone", "at", "calendar", "now", "coming"), LISTS, ids=[why for why, *_ in LISTS])
async def test_the_next_list_comes_on_the_next_working_morning(
    b: Bench, why: str, zone: str | None, at: str, calendar: WorkingCalendar | None, now: str, coming: str
) -> None:
    person = ANA.model_copy(update={"timezone": zone, "digest": at})
    async with b.store.work() as work:
        await work.save_calendar(HERE, calendar)
        assert await next_digest(work, person, utc(now)) == utc(coming), why


async def test_a_calendar_without_a_working_day_brings_no_list(b: Bench) -> None:
    days_off = tuple(date.fromordinal(date(2026, 12, 7).toordinal() + 7 * week) for week in range(60))
    await set_calendar(b.context, HERE, WorkingCalendar(days=("mon",), holidays=days_off))
    _, coming = await set_times(b.context, HERE, ANA.id, None, "09:00")
    assert coming is None


async def _due(b: Bench) -> datetime | None:
    async with b.store.work() as work:
        row = await work.due(DueKind.DIGEST, ANA.id)
    return row.due_at if row else None


async def test_every_change_moves_the_list_that_is_due(b: Bench) -> None:
    person, coming = await set_times(b.context, HERE, ANA.id, None, " 9:05 ")
    assert (person.digest, await _due(b)) == ("09:05", coming)
    before = coming
    await set_times(b.context, HERE, ANA.id, "Asia/Tokyo", "09:05")
    assert await _due(b) != before
    await set_calendar(b.context, HERE, WorkingCalendar(days=("sun",)))
    moved = await _due(b)
    assert moved is not None
    assert moved.strftime("%a") == "Sun"
    person, coming = await set_times(b.context, HERE, ANA.id, "", None)
    assert (person.timezone, person.digest, coming, await _due(b)) == (None, None, None, None)


async def test_what_is_wrong_is_named_whole_and_changes_nothing(b: Bench) -> None:
    with pytest.raises(Invalid) as wrong:
        await set_times(b.context, HERE, ANA.id, "Mars/Olympus", "9 o'clock")
    assert [fault.pointer for fault in wrong.value.faults] == ["/zone", "/digest"]
    for zone in ("x" * 65, "../../etc/passwd", "Europe", "\x00"):
        with pytest.raises(Invalid, match="time zone"):
            await set_times(b.context, HERE, ANA.id, zone, None)
    for at in ("", "24:00", "09:60", "\u0669:00", "9"):
        with pytest.raises(Invalid, match="time of day"):
            await set_times(b.context, HERE, ANA.id, None, at)
    with pytest.raises(NotFound):
        await set_times(b.context, HERE, "per_nobody", "UTC", None)
    async with b.store.work() as work:
        assert await work.person(HERE, ANA.id) == ANA
