"""Moments as people write them, with the clock changes, leap days and zones of the real world."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.moments import HOW, LONGEST, SNOOZES, parse_moment, snoozed_until
from core.quiet import zone_of

MADRID, NEW_YORK, KOLKATA, APIA = "Europe/Madrid", "America/New_York", "Asia/Kolkata", "Pacific/Apia"
AT = "%Y-%m-%d %H:%M"
WEDNESDAY = "2026-12-02 10:00"


def utc(text: str) -> datetime:
    return datetime.strptime(text, AT).replace(tzinfo=UTC)


MOMENTS = [
    # Why; words; zone; now and the moment, both in UTC.
    ("minutes", "20m", MADRID, WEDNESDAY, "2026-12-02 10:20"),
    ("in words", "in  20 Minutes", MADRID, WEDNESDAY, "2026-12-02 10:20"),
    ("hours", "2 h", MADRID, WEDNESDAY, "2026-12-02 12:00"),
    ("hours and minutes", "1h30", MADRID, WEDNESDAY, "2026-12-02 11:30"),
    ("with both units", "in 1h 30m", MADRID, WEDNESDAY, "2026-12-02 11:30"),
    ("in words, and however long", "26 hours 5 minutes", MADRID, WEDNESDAY, "2026-12-03 12:05"),
    ("a time of day as some write it", "18h30", MADRID, WEDNESDAY, "2026-12-02 17:30"),
    ("said to be one", "at 1h30", MADRID, WEDNESDAY, "2026-12-03 00:30"),
    ("days are 24 hours", "1d", MADRID, WEDNESDAY, "2026-12-03 10:00"),
    ("a day over a clock change too", "1 day", MADRID, "2026-03-28 10:00", "2026-03-29 10:00"),
    ("the longest length", "9999d", MADRID, WEDNESDAY, "2054-04-18 10:00"),
    ("no time at all is now, which the rules refuse", "0m", MADRID, WEDNESDAY, WEDNESDAY),
    ("a time of today", "18:30", MADRID, WEDNESDAY, "2026-12-02 17:30"),
    ("one that is past is tomorrow's", "9:00", MADRID, WEDNESDAY, "2026-12-03 08:00"),
    ("the very minute is past", "11:00", MADRID, WEDNESDAY, "2026-12-03 10:00"),
    ("at, and another sign between", "at 18h30", MADRID, WEDNESDAY, "2026-12-02 17:30"),
    ("today it is another day in the zone", "9:00", NEW_YORK, "2026-12-03 02:00", "2026-12-03 14:00"),
    ("half an hour off", "18:30", KOLKATA, WEDNESDAY, "2026-12-02 13:00"),
    ("far ahead of UTC", "tomorrow 9:00", APIA, WEDNESDAY, "2026-12-02 20:00"),
    ("tomorrow is the morning", "tomorrow", MADRID, WEDNESDAY, "2026-12-03 08:00"),
    ("tomorrow at", "Tomorrow at 14:05", MADRID, WEDNESDAY, "2026-12-03 13:05"),
    ("today's past is said as it is, for the rules to refuse", "today 8:00", MADRID, WEDNESDAY, "2026-12-02 07:00"),
    ("today's morning too", "today", MADRID, WEDNESDAY, "2026-12-02 08:00"),
    ("a day of the week", "fri 9:30", MADRID, WEDNESDAY, "2026-12-04 08:30"),
    ("in full", "friday at 9:30", MADRID, WEDNESDAY, "2026-12-04 08:30"),
    ("other short forms", "thurs", MADRID, WEDNESDAY, "2026-12-03 08:00"),
    ("on a Monday, Monday is a week away", "mon 9:00", MADRID, "2026-11-30 06:00", "2026-12-07 08:00"),
    ("in the evening too", "mon 23:00", MADRID, "2026-11-30 06:00", "2026-12-07 22:00"),
    ("it is Monday already in the zone", "mon 9:00", APIA, "2026-11-29 20:00", "2026-12-06 20:00"),
    ("over the end of a year", "fri", MADRID, "2026-12-31 10:00", "2027-01-01 08:00"),
    ("over a leap day", "tomorrow", MADRID, "2028-02-28 10:00", "2028-02-29 08:00"),
    ("after a leap day", "tomorrow", MADRID, "2028-02-29 10:00", "2028-03-01 08:00"),
    ("a leap day by its date", "2028-02-29 09:00", MADRID, WEDNESDAY, "2028-02-29 08:00"),
    ("a date is its morning", "2026-12-05", MADRID, WEDNESDAY, "2026-12-05 08:00"),
    ("a date and a time", "2026-12-05 18:30", MADRID, WEDNESDAY, "2026-12-05 17:30"),
    ("as forms write it", "2026-12-05T18:30", MADRID, WEDNESDAY, "2026-12-05 17:30"),
    ("with its own zone", "2026-12-05T18:30:00Z", MADRID, WEDNESDAY, "2026-12-05 18:30"),
    ("with another offset", " 2026-12-05T18:30+05:30 ", MADRID, WEDNESDAY, "2026-12-05 13:00"),
    ("long past, for the rules to refuse", "1999-01-01", MADRID, WEDNESDAY, "1999-01-01 08:00"),
    ("spring leaves it out: what clocks show instead", "2:30", MADRID, "2026-03-29 00:00", "2026-03-29 01:30"),
    ("by its date too", "2026-03-29 02:30", MADRID, WEDNESDAY, "2026-03-29 01:30"),
    ("autumn repeats it: the first", "2:30", MADRID, "2026-10-24 22:00", "2026-10-25 00:30"),
    ("between the two it is tomorrow's", "2:30", MADRID, "2026-10-25 01:00", "2026-10-26 01:30"),
    ("tomorrow after the night of spring", "tomorrow 9:00", MADRID, "2026-03-28 20:00", "2026-03-29 07:00"),
    ("a day that the zone never had", "2011-12-30 09:00", APIA, WEDNESDAY, "2011-12-30 19:00"),
]


@pytest.mark.parametrize(("why", "words", "zone", "now", "moment"), MOMENTS, ids=[why for why, *_ in MOMENTS])
def test_moments_are_read_in_the_writers_zone(why: str, words: str, zone: str, now: str, moment: str) -> None:
    found = parse_moment(words, utc(now), zone_of(zone))
    assert (found, found.tzinfo) == (utc(moment), UTC), why


NONSENSE = [
    ("nothing", ""),
    ("blank", " \t\n"),
    ("a word", "later"),
    ("a number alone", "20"),
    ("a length that is none", "20 fortnights"),
    ("a negative length", "-20m"),
    ("five digits of length", "10000m"),
    ("midnight the other way", "24:00"),
    ("no such minute", "18:60"),
    ("a day and half a time", "mon 9"),
    ("two days", "mon tue"),
    ("a day and more", "mon 9:00 please"),
    ("a word that begins like a day", "monster 9:00"),
    ("another", "sunset"),
    ("a day that is none", "2026-02-30"),
    ("a leap day of another year", "2026-02-29"),
    ("before the first year, in UTC", "0001-01-01T00:00+12:00"),
    ("after the last year, in UTC", "9999-12-31T23:59-12:00"),
    ("bold", "<b>tomorrow</b>"),
    ("a mention", "<!channel> 18:30"),
    ("half a character", "\ud83d"),
    ("no character", "18:30\x00"),
    ("turned around", "\u202e03:81"),
    ("more than anybody writes", "2" * 1_000_000),
    ("more blanks than anybody writes", "in" + " " * 1_000_000 + "20m"),
]


@pytest.mark.parametrize(("why", "words"), NONSENSE, ids=[why for why, _ in NONSENSE])
def test_anything_else_is_told_how_to_write_a_time(why: str, words: str) -> None:
    with pytest.raises(ValueError, match="write a time like") as refused:
        parse_moment(words, utc(WEDNESDAY), zone_of(MADRID))
    assert str(refused.value) == HOW, why


def test_every_example_of_how_to_write_a_time_is_read() -> None:
    examples = HOW.removeprefix("write a time like ").replace(" or ", ", ").split(", ")
    assert len(examples) == 6
    for example in examples:
        assert parse_moment(example, utc(WEDNESDAY), zone_of(MADRID)) > utc(WEDNESDAY)


PIECES = ("in", "20", "m", "h", "d", "at", "18:30", "9:00", "today", "tomorrow", "mon", "friday", "2026-12-05", "T",
          "Z", "0001", "9999-12-31", "+23:59", "-12:00", "24:00", " ", "\x00", "\u0661", "\ud800", ":")  # fmt: skip
HOSTILE = st.one_of(
    st.text(st.characters(codec=None), max_size=2 * LONGEST),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=5).map(" ".join),
)
NOWS = st.datetimes(datetime(1970, 1, 2), datetime(9998, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001  # hypothesis wants naive bounds
ZONES = st.sampled_from([MADRID, NEW_YORK, KOLKATA, APIA, "UTC", "Etc/GMT+12"])


@settings(deadline=timedelta(seconds=1))
@given(HOSTILE, NOWS, ZONES)
def test_any_text_is_a_moment_in_utc_or_a_value_error(text: str, now: datetime, zone: str) -> None:
    try:
        found = parse_moment(text, now, zone_of(zone))
    except ValueError:
        return
    assert found.tzinfo is UTC


def test_a_megabyte_is_refused_at_once() -> None:
    start = time.process_time()
    for text in ("9" * 1_000_000, "mon " * 250_000, " " * 1_000_000, "2026-12-05T" * 90_000):
        with pytest.raises(ValueError, match="write a time like"):
            parse_moment(text, utc(WEDNESDAY), zone_of(MADRID))
    assert time.process_time() - start < 5, (
        "of its own time, however busy the machine: hours if it grew with the square"
    )


@given(NOWS, ZONES)
def test_a_time_of_day_is_the_next_one_within_two_days(now: datetime, zone: str) -> None:
    found = parse_moment("9:00", now, zone_of(zone))
    assert now < found <= now + timedelta(hours=25)


SNOOZED = [
    # Why; option; zone; now and the end, both in UTC.
    ("15 minutes", 0, MADRID, WEDNESDAY, "2026-12-02 10:15"),
    ("an hour, over the change of clocks", 1, MADRID, "2026-03-29 00:30", "2026-03-29 01:30"),
    ("the next morning", 2, MADRID, WEDNESDAY, "2026-12-03 08:00"),
    ("after midnight, the morning of the day after", 2, MADRID, "2026-12-02 23:30", "2026-12-04 08:00"),
    ("the day of the zone", 2, NEW_YORK, "2026-12-02 03:00", "2026-12-02 14:00"),
    ("the morning after the clocks went on", 2, MADRID, "2026-03-28 20:00", "2026-03-29 07:00"),
    ("over a leap day", 2, MADRID, "2028-02-28 10:00", "2028-02-29 08:00"),
]


@pytest.mark.parametrize(("why", "option", "zone", "now", "until"), SNOOZED, ids=[why for why, *_ in SNOOZED])
def test_what_a_card_offers_ends_when_it_says(why: str, option: int, zone: str, now: str, until: str) -> None:
    assert snoozed_until(option, utc(now), zone_of(zone)) == utc(until), why


def test_a_card_offers_nothing_else() -> None:
    with pytest.raises(IndexError):
        snoozed_until(len(SNOOZES), utc(WEDNESDAY), zone_of(MADRID))
    lengths = [snoozed_until(option, utc(WEDNESDAY), zone_of(MADRID)) for option in range(len(SNOOZES))]
    assert all(first < second for first, second in pairwise(lengths))
