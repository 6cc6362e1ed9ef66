"""`sayso calendar` and `sayso person set`: when the workspace works, and what people set about their time."""

from __future__ import annotations

import json

import pytest

from tests.web.shells import Shell


def test_a_calendar_is_set_shown_and_cleared(shell: Shell) -> None:
    assert shell("calendar", "show") == 0
    assert "no working calendar" in shell.out
    days_off = ("--holiday", "2027-01-01", "--holiday", "2026-12-25", "--holiday", "2026-12-25")
    assert shell("calendar", "set", "--zone", "europe/madrid", "--hours", "09:00-18:00", *days_off) == 0
    assert shell("calendar", "show") == 0
    assert shell.out.splitlines() == [
        "mon, tue, wed, thu, fri; 09:00-18:00; Europe/Madrid",
        "Days off: 2026-12-25, 2027-01-01",
    ]
    assert shell("calendar", "show", "--json") == 0
    assert json.loads(shell.out)["holidays"] == ["2026-12-25", "2027-01-01"]
    assert shell("calendar", "set", "--zone", "UTC", "--days", "Fri-mon, wed") == 0
    assert shell.out == "mon, wed, fri, sat, sun; all day; UTC\n"
    assert shell("calendar", "clear") == 0
    assert shell("calendar", "show", "--json") == 0
    assert json.loads(shell.out) is None


WRONG = [
    (["--zone", "Madrid"], "--zone: there is no time zone called Madrid"),
    (["--zone", "UTC", "--days", "mon-fry"], "--days: write days like mon-fri"),
    (["--zone", "UTC", "--days", "mon-"], "--days: write days like mon-fri"),
    (["--zone", "UTC", "--days", "monday"], "--days: write days like mon-fri"),
    (["--zone", "UTC", "--days", "-"], "--days: write days like mon-fri"),
    (["--zone", "UTC", "--hours", "9-18"], "--hours: hours are written 22:00-07:00"),
    (["--zone", "UTC", "--hours", "09:00-09:00"], "--hours: working hours start and end at different times"),
    (["--zone", "UTC", "--holiday", "25 December"], "--holiday: write a day like 2026-12-25"),
    ([], "--zone"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_a_wrong_calendar_is_refused_in_words(shell: Shell, arguments: list[str], told: str) -> None:
    assert shell("calendar", "set", *arguments) == 2
    assert told in shell.err
    assert "pydantic" not in shell.err


def test_a_person_gets_a_zone_and_a_list(shell: Shell) -> None:
    shell("person", "add", "ana", "--name", "Ana")
    assert shell("person", "set", "ana", "--zone", "europe/madrid", "--digest", "9") == 0
    assert "Europe/Madrid  list at 09:00" in shell.out
    assert "The next list comes on" in shell.out
    assert shell("person", "set", "ana", "--digest", "off") == 0
    assert shell("person", "list") == 0
    assert "Europe/Madrid  no list" in shell.out
    assert shell("person", "set", "ana", "--zone", "off") == 0
    assert shell("person", "list", "--json") == 0
    (ana,) = json.loads(shell.out)
    assert (ana["timezone"], ana["digest"]) == (None, None)


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["ana"], 2, "--zone, --digest, --prefer or --role"),
        (["ana", "--zone", "Madrid"], 2, "there is no time zone called Madrid"),
        (["ana", "--digest", "25:00"], 2, "write a time of day like 09:00"),
        (["ben", "--zone", "UTC"], 1, "nobody with the handle ben"),
    ],
)
def test_a_wrong_setting_is_refused_in_words(shell: Shell, arguments: list[str], status: int, told: str) -> None:
    shell("person", "add", "ana")
    assert shell("person", "set", *arguments) == status
    assert told in shell.err


def test_an_operator_sets_in_which_chat_somebody_is_reached(shell: Shell) -> None:
    shell("person", "add", "ana", "--slack", "T1.U1", "--telegram", "42")
    assert shell("person", "set", "ana", "--prefer", "telegram") == 0
    assert "telegram:42, slack:T1.U1" in shell.out
    shell("person", "add", "ben", "--telegram", "43")
    assert shell("person", "set", "ben", "--prefer", "slack") == 2
    assert "no account in Slack" in shell.err
