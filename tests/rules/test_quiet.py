"""When people are left alone, with the clock changes, leap days and zones of the real world."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.nudging import windows
from core.policy import Nudges
from core.quiet import WorkingCalendar, opens_at, parse_quiet, zone_of

MADRID, NEW_YORK, TOKYO = "Europe/Madrid", "America/New_York", "Asia/Tokyo"
AT = "%Y-%m-%d %H:%M"


def utc(text: str) -> datetime:
    return datetime.strptime(text, AT).replace(tzinfo=UTC)


QUIET = [
    # why | quiet | zones of the recipient | at (UTC) | reminded at (UTC)
    ("in the day nothing is quiet", "22:00-07:00", [MADRID], "2026-12-02 12:00", "2026-12-02 12:00"),
    ("over midnight, before it", "22:00-07:00", [MADRID], "2026-12-02 21:30", "2026-12-03 06:00"),
    ("over midnight, after it", "22:00-07:00", [MADRID], "2026-12-03 03:00", "2026-12-03 06:00"),
    ("the first quiet minute is quiet", "22:00-07:00", [MADRID], "2026-12-02 21:00", "2026-12-03 06:00"),
    ("the last one is not", "22:00-07:00", [MADRID], "2026-12-03 06:00", "2026-12-03 06:00"),
    ("within one day", "12:00-14:00", [MADRID], "2026-12-02 11:30", "2026-12-02 13:00"),
    (
        "a zone in the policy beats the recipient's",
        f"22:00-07:00 {TOKYO}",
        [MADRID],
        "2026-12-02 13:30",
        "2026-12-02 22:00",
    ),
    ("a zone nobody knows is UTC", "22:00-07:00", [], "2026-12-02 23:00", "2026-12-03 07:00"),
    ("spring: the night is an hour shorter", "22:00-07:00", [MADRID], "2026-03-28 23:00", "2026-03-29 05:00"),
    ("autumn: the night is an hour longer", "22:00-07:00", [MADRID], "2026-10-24 22:00", "2026-10-25 06:00"),
    (
        "quiet ends in the hour that spring leaves out",
        "22:00-02:30",
        [NEW_YORK],
        "2026-03-08 04:00",
        "2026-03-08 07:30",
    ),
    (
        "quiet ends in the hour that autumn repeats, the first time",
        "22:00-01:30",
        [NEW_YORK],
        "2026-11-01 04:00",
        "2026-11-01 05:30",
    ),
    (
        "quiet ends in the hour that autumn repeats, the second time",
        "22:00-01:30",
        [NEW_YORK],
        "2026-11-01 06:15",
        "2026-11-01 06:30",
    ),
    ("quiet starts in the hour that autumn repeats", "01:30-05:00", [NEW_YORK], "2026-11-01 05:45", "2026-11-01 10:00"),
    ("leap day ends quiet", "22:00-07:00", ["UTC"], "2028-02-28 23:00", "2028-02-29 07:00"),
    ("quiet over the end of leap day", "22:00-07:00", ["UTC"], "2028-02-29 23:00", "2028-03-01 07:00"),
    ("a zone with minutes", "22:00-07:00", ["Asia/Kathmandu"], "2026-12-02 17:00", "2026-12-03 01:15"),
    ("a day that a zone left out", "22:00-07:00", ["Pacific/Apia"], "2011-12-30 09:00", "2011-12-30 17:00"),
    ("in two zones both nights count", "22:00-07:00", [MADRID, NEW_YORK], "2026-12-03 05:00", "2026-12-03 12:00"),
    ("two nights that follow on each other", "20:00-08:00", [TOKYO, NEW_YORK], "2026-12-02 12:00", "2026-12-02 23:00"),
]


@pytest.mark.parametrize(
    ("quiet", "zones", "at", "expected"), [row[1:] for row in QUIET], ids=[row[0] for row in QUIET]
)
def test_reminders_wait_for_the_end_of_quiet(quiet: str, zones: list[str], at: str, expected: str) -> None:
    found = opens_at(utc(at), windows(Nudges(quiet=quiet), zones, None))
    assert found is not None
    assert found.strftime(AT) == expected


WORKING = [
    # why | calendar | at (UTC) | reminded at (UTC)
    ("on a working day", {}, "2026-12-02 12:00", "2026-12-02 12:00"),
    ("a weekend is left out", {}, "2026-12-05 12:00", "2026-12-07 00:00"),
    ("Friday evening in its zone", {"zone": MADRID, "hours": "09:00-17:00"}, "2026-12-04 16:30", "2026-12-07 08:00"),
    ("before work", {"zone": MADRID, "hours": "09:00-17:00"}, "2026-12-02 05:00", "2026-12-02 08:00"),
    ("a holiday", {"holidays": ["2026-12-08"]}, "2026-12-08 10:00", "2026-12-09 00:00"),
    ("a holiday next to a weekend", {"holidays": ["2026-12-07"]}, "2026-12-05 10:00", "2026-12-08 00:00"),
    ("a leap day that is a holiday", {"holidays": ["2028-02-29"]}, "2028-02-29 10:00", "2028-03-01 00:00"),
    ("work over midnight", {"hours": "18:00-02:00"}, "2026-12-02 12:00", "2026-12-02 18:00"),
]


@pytest.mark.parametrize(("calendar", "at", "expected"), [row[1:] for row in WORKING], ids=[row[0] for row in WORKING])
def test_reminders_keep_to_the_working_calendar(calendar: dict[str, object], at: str, expected: str) -> None:
    own = WorkingCalendar.model_validate(calendar)
    found = opens_at(utc(at), windows(Nudges(every="1h"), [], own))
    assert found is not None
    assert found.strftime(AT) == expected
    assert opens_at(utc(at), windows(Nudges(every="1h", working=False), [], own)) == utc(at), "unless it says otherwise"


def test_days_are_those_of_the_recipient() -> None:
    weekdays = Nudges(every="1h", days=("mon", "tue", "wed", "thu", "fri"))
    friday_night_in_utc = utc("2026-12-04 20:00")
    assert opens_at(friday_night_in_utc, windows(weekdays, ["UTC"], None)) == friday_night_in_utc
    assert opens_at(friday_night_in_utc, windows(weekdays, [TOKYO], None)) == utc("2026-12-06 15:00")


def test_what_is_never_open_is_told() -> None:
    every_day = tuple(date(2026, 12, 2) + timedelta(days=number) for number in range(500))
    never = WorkingCalendar(holidays=every_day)
    assert opens_at(utc("2026-12-02 12:00"), windows(Nudges(every="1h"), [], never)) is None
    nights = windows(Nudges(quiet="07:00-19:30"), ["UTC", "Etc/GMT-12"], None)
    assert opens_at(utc("2026-12-02 12:00"), nights) is None, "somebody is always asleep"


@pytest.mark.parametrize(
    "quiet",
    [
        "22:00",
        "22:00-7:00",
        "24:00-07:00",
        "22:60-07:00",
        "08:00-08:00",
        "22:00-07:00 Nowhere/Else",
        "22:00-07:00 ../etc/passwd",
    ],
)
def test_quiet_hours_that_mean_nothing_are_refused(quiet: str) -> None:
    with pytest.raises(ValidationError):
        Nudges(quiet=quiet)


ZONES = st.sampled_from([MADRID, NEW_YORK, TOKYO, "UTC", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe"])
CLOCKS = st.times().map(lambda time: time.strftime("%H:%M"))


@given(at=st.floats(1_262_304_000, 2_208_988_800), zone=ZONES, start=CLOCKS, end=CLOCKS)
def test_a_reminder_is_never_early_never_in_quiet_and_at_most_a_day_late(
    at: float, zone: str, start: str, end: str
) -> None:
    if start == end:
        return
    moment = datetime.fromtimestamp(at, UTC)
    found = opens_at(moment, windows(Nudges(quiet=f"{start}-{end}"), [zone], None))
    assert found is not None
    assert moment <= found <= moment + timedelta(hours=26)
    hours, _ = parse_quiet(f"{start}-{end}")
    assert not hours.holds(found.astimezone(zone_of(zone)).time())
    assert found == moment or hours.holds(moment.astimezone(zone_of(zone)).time())


def test_behind_the_last_day_of_the_calendar_nothing_opens() -> None:
    assert opens_at(datetime.max.replace(tzinfo=UTC), windows(Nudges(quiet="22:00-07:00"), [TOKYO], None)) is None
