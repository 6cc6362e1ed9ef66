"""Reminders under a card: whom they call, what they say of the time left, and how they end."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from blocks.characters import WORD_JOINER
from blocks.telegram.check import check
from blocks.telegram.parse_html import parse_html
from blocks.telegram.reminder import reminder
from core.cards import Card
from core.notices import Named, ReminderNotice
from core.people import Identity, Via
from core.records import Status
from tests.blocks.telegram.cards import ANA, NOW, card, confirmation, settled

ANA_HERE = Named(Identity(provider="telegram", user="42"), "Ana")
BEN_HERE = Named(Identity(provider="telegram", user="43"), "Ben <b> @everyone")


def _notice(asked: Card, *calls: Named, number: int = 2, of: int = 3, zone: str = "Europe/Madrid") -> ReminderNotice:
    return ReminderNotice(asked, number, of, calls, NOW, zone)


def _read(notice: ReminderNotice, *, alone: bool = False) -> str:
    html = reminder(notice, alone=alone)
    assert check("sendMessage", {"text": html, "parse_mode": "HTML"}) is None
    return parse_html(html).text.replace(WORD_JOINER, "")


SAYS: list[tuple[dict[str, Any], bool, str, str]] = [
    # the notice, whether one person reads it, what it says, why
    ({}, True, "🔔 Reminder 2 of 3\n“Delete it?” still waits for your answer.", "in private"),
    ({}, False, "🔔 Reminder 2 of 3\n“Delete it?” still waits for an answer.", "in a group that may answer as a whole"),
    (
        {"calls": (ANA_HERE, BEN_HERE)},
        False,
        "🔔 Reminder 2 of 3\nAna, Ben <b> @everyone: “Delete it?” still waits for your answer.",
        "in a group, those whom it waits for",
    ),
    (
        {"calls": (ANA_HERE,), "number": 0, "of": 0},
        False,
        "🔔 Ana, you asked to be reminded: “Delete it?” still waits for your answer.",
        "what Ana asked for",
    ),
    (
        {"calls": (ANA_HERE,), "number": 0, "of": 0},
        True,
        "🔔 You asked to be reminded: “Delete it?” still waits for your answer.",
        "what Ana asked for in private",
    ),
]


@pytest.mark.parametrize(("changes", "alone", "says", "why"), SAYS, ids=[row[-1] for row in SAYS])
def test_a_reminder_says_what_waits_for_whom(changes: dict[str, Any], alone: bool, says: str, why: str) -> None:
    assert _read(replace(_notice(card(confirmation())), **changes), alone=alone) == says, why


@pytest.mark.parametrize(
    ("left", "zone", "says"),
    [
        (timedelta(hours=2), "Europe/Madrid", "It expires in 2 h (12:00 CET)."),
        (timedelta(days=1, hours=8), "America/New_York", "It expires in 32 h (Thu 3 Dec, 12:00 EST)."),
        (timedelta(minutes=5), "Asia/Kathmandu", "It expires in 5 min (14:50 +0545)."),
    ],
)
def test_the_time_left_is_told_in_the_readers_zone(left: timedelta, zone: str, says: str) -> None:
    told = _read(_notice(card(confirmation(), expires_at=NOW + left), zone=zone))
    assert told.splitlines()[-1] == says


def test_only_those_it_waits_for_are_called_by_their_accounts() -> None:
    asked = card({**confirmation(), "title": "Ask @carl <i>now</i>"})
    read = parse_html(reminder(_notice(asked, ANA_HERE, BEN_HERE), alone=False))
    called = [(one.type, one.argument) for one in read.entities if one.type in ("mention", "text_mention")]
    assert called == [("text_mention", "42"), ("text_mention", "43")]
    assert "Ask @\u2060carl <i>now</i>" in read.text


def test_a_reminder_of_a_settled_card_says_in_one_line_how_it_ended_and_calls_nobody() -> None:
    ended = settled(confirmation(accept_label="Drop it"), Status.ACCEPTED, by=ANA, via=Via.SLACK)
    html = reminder(_notice(ended, ANA_HERE), alone=False)
    assert parse_html(html).text == (
        "🔕 “Delete it?”: no longer waiting. Ana accepted this on 2 Dec 2026, 10:00 CET: Drop it"
    )
    assert "tg://" not in html


def test_the_longest_title_and_names_are_one_message() -> None:
    names = [Named(Identity(provider="telegram", user=str(user)), "𝕬" * 300) for user in range(40, 48)]
    asked = card({**confirmation(), "title": "<" * 240}, expires_at=NOW + timedelta(hours=1))
    assert "…" in _read(_notice(asked, *names))
