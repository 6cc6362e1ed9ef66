"""The words that every surface shares."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Literal

import pytest

from blocks.words import ago, duration, listed, until, when, who
from core.people import TIMER, By


@pytest.mark.parametrize(
    ("type", "handle", "name", "expected", "reason"),
    [
        ("person", "ana", "Ana García", "Ana García", "a person by their name"),
        ("person", "ana", None, "@ana", "or by their handle"),
        ("person", "ana", " \n ", "@ana", "a blank name is none"),
        ("person", None, None, "someone", "or not at all"),
        ("person", "ana", "Ana\nApproved by Bob", "Ana Approved by Bob", "a name stays on its line"),
        ("person", "ana", "\u202eanA", "anA", "and cannot turn the sentence"),
        ("person", "dan", "דן", "\u2068דן\u2069", "a name of the other direction is isolated"),
        ("agent", "ci", "ci", "agent ci", "a program is never mistaken for a person"),
        ("agent", None, None, "an agent", "even without a name"),
    ],
)
def test_who(
    type: Literal["person", "agent"], handle: str | None, name: str | None, expected: str, reason: str
) -> None:
    assert who(By(type=type, id="x", handle=handle, name=name)) == expected


def test_the_timer_is_named() -> None:
    assert who(TIMER) == "the timer"


def test_when_is_told_in_utc_whatever_zone_it_came_in() -> None:
    at = datetime(2026, 12, 2, 14, 5, 59, tzinfo=UTC)
    assert when(at) == "2 Dec 2026, 14:05 UTC"
    assert when(at.astimezone(timezone(timedelta(hours=-10)))) == "2 Dec 2026, 14:05 UTC"


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        when(datetime(2026, 12, 2, tzinfo=UTC).replace(tzinfo=None))


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (timedelta(seconds=-5), "0 s"),
        (timedelta(seconds=59.9), "59 s"),
        (timedelta(seconds=60), "1 min"),
        (timedelta(minutes=59, seconds=59), "59 min"),
        (timedelta(hours=1), "1 h"),
        (timedelta(hours=1, minutes=30), "1 h 30 min"),
        (timedelta(hours=9, minutes=59), "9 h 59 min"),
        (timedelta(hours=23, minutes=59), "23 h"),
        (timedelta(hours=47, minutes=59), "47 h"),
        (timedelta(days=2), "2 days"),
        (timedelta(days=6, hours=23), "6 days"),
    ],
)
def test_durations_promise_no_more_than_there_is(length: timedelta, expected: str) -> None:
    assert duration(length) == expected


def test_time_to_come_and_time_gone_by() -> None:
    assert until(timedelta(hours=23)) == "in 23 h"
    assert until(timedelta(milliseconds=900)) == "now"
    assert until(timedelta(seconds=-1)) == "now"
    assert ago(timedelta(minutes=5)) == "5 min ago"
    assert ago(timedelta(seconds=59)) == "just now"


@pytest.mark.parametrize(
    ("items", "expected"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_lists_read_as_in_a_sentence(items: list[str], expected: str) -> None:
    assert listed(items) == expected


def test_lists_of_alternatives() -> None:
    assert listed(["a", "b", "c"], "or") == "a, b or c"
