"""Reminders under a Slack card, and lists of what waits: whom they call, what they say, and how they end."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from blocks.slack.check import Surface, check_blocks, check_message
from blocks.slack.digest import digest
from blocks.slack.reminder import reminder
from bot.sandbox.slack.drawing import reads
from core.cards import Card
from core.notices import DigestNotice, Named, ReminderNotice
from core.people import Identity
from core.records import Status
from core.waiting import Entry
from tests.blocks.slack.cards import IN_AN_HOUR, NOW, card, checklist, confirmation, everything, labels, settled
from tests.blocks.slack.loops import card_of, loop

ANA_HERE = Named(Identity(provider="slack", account="T1", user="U1"), "Ana")
BEN_HERE = Named(Identity(provider="slack", account="T1", user="U2"), "Ben <!channel>")
INBOX = "https://sayso.example.com/inbox"
ASKED = card(confirmation())


def _notice(asked: Card, *calls: Named, number: int = 2, of: int = 3, zone: str = "Europe/Madrid") -> ReminderNotice:
    return ReminderNotice(asked, number, of, calls, NOW, zone)


def _drawn(notice: ReminderNotice, *, alone: bool = False) -> tuple[str, list[dict[str, Any]], str]:
    """What its first line reads, its blocks and its text."""
    blocks, text = reminder(notice, alone=alone)
    assert check_message({"text": text, "blocks": blocks}) == ()
    assert check_message({"text": text, "blocks": blocks}, update=True) == ()
    return reads(blocks, {"U1": "Ana", "U2": "Ben"}.get).partition("\n")[0], blocks, text


SAYS: list[tuple[str, ReminderNotice, bool, str]] = [
    # why, the notice, whether one person reads it, what it says
    ("in private", _notice(ASKED), True, "“Delete it?” still waits for your answer."),
    ("where all may answer", _notice(ASKED), False, "“Delete it?” still waits for an answer."),
    (
        "those whom it waits for",
        _notice(ASKED, ANA_HERE, BEN_HERE),
        False,
        "@Ana, @Ben: “Delete it?” still waits for your answer.",
    ),
    (
        "what Ana asked for",
        _notice(ASKED, ANA_HERE, number=0, of=0),
        False,
        "@Ana, you asked to be reminded: “Delete it?” still waits for your answer.",
    ),
    (
        "what Ana asked for in private",
        _notice(ASKED, ANA_HERE, number=0, of=0),
        True,
        "You asked to be reminded: “Delete it?” still waits for your answer.",
    ),
]


@pytest.mark.parametrize(("why", "notice", "alone", "says"), SAYS, ids=[row[0] for row in SAYS])
def test_a_reminder_says_what_waits_for_whom(why: str, notice: ReminderNotice, alone: bool, says: str) -> None:
    told, blocks, text = _drawn(notice, alone=alone)
    assert told == says, why
    assert ("Reminder 2 of 3" in str(blocks)) is (notice.of > 0)
    called = [one["user_id"] for one in everything(blocks) if one.get("type") == "user"]
    assert called == ([] if alone else [one.identity.user for one in notice.calls])
    assert [user for user in ("U1", "U2") if f"<@{user}>" in text] == called
    assert "Ben <" not in str(blocks), "a name is that of the account"


def test_a_reminder_leads_to_the_full_form_only_where_the_chat_may_carry_it() -> None:
    assert labels(_drawn(_notice(ASKED))[1]) == ["Open full form"]
    assert labels(_drawn(_notice(card(confirmation(), link_ok=False)))[1]) == []


@pytest.mark.parametrize(
    ("left", "zone", "says"),
    [
        (timedelta(hours=2), "Europe/Madrid", "It expires in 2 h (12:00 CET)"),
        (timedelta(days=3), "Asia/Tokyo", "It expires in 3 days (Sat 5 Dec, 18:00 JST)"),
    ],
)
def test_the_time_left_is_told_in_the_readers_zone(left: timedelta, zone: str, says: str) -> None:
    _, blocks, text = _drawn(_notice(card(confirmation(), expires_at=NOW + left), zone=zone))
    assert says in str(blocks)
    assert says in text


def test_a_title_calls_nobody() -> None:
    hostile = card({**confirmation(), "title": "<!channel> <@U9> & more"})
    _, blocks, text = _drawn(_notice(hostile, ANA_HERE))
    assert "&lt;!channel&gt; &lt;@U9&gt; &amp; more" in text
    assert not [one for one in everything(blocks) if one.get("type") in ("mrkdwn", "broadcast")]


def test_a_reminder_of_a_settled_card_says_in_one_line_how_it_ended_and_calls_nobody() -> None:
    ended = settled(confirmation(accept_label="Delete"), Status.ACCEPTED, answer={"accepted": True})
    told, blocks, text = _drawn(_notice(ended, ANA_HERE))
    assert told.startswith("“Delete it?”: no longer waiting. Ana accepted this on 2 Dec 2026, 10:00 CET")
    assert len(blocks) == 1
    assert "<@" not in text + str(blocks)


def _list(*cards: Entry, **more: Any) -> DigestNotice:
    given = {"more": 0, "held": False, "now": NOW, "zone": "Europe/Madrid", "inbox_url": INBOX, "link_ok": True}
    return DigestNotice(entries=cards, **{**given, **more})


def _sent(notice: DigestNotice) -> tuple[str, list[dict[str, Any]], str]:
    blocks, text = digest(notice)
    assert check_message({"text": text, "blocks": blocks}) == ()
    return reads(blocks, lambda _: None), blocks, text


def test_the_morning_list_tells_of_each_card_how_long_there_is_and_leads_to_it() -> None:
    first = card({**confirmation(), "title": "Delete <it>?"}, expires_at=IN_AN_HOUR)
    told, blocks, text = _sent(_list(first, card(checklist("a", "b")), card_of(loop()), more=3))
    assert told.startswith("What waits for you today\nDelete <it>?\nIt expires in 1 h (11:00 CET)\nAsked by agent ci")
    assert "0 of 2 ticked" in told
    assert f"{loop().title}\nWork order {loop().name}" in told
    assert "3 more wait for you." in told
    assert labels(blocks) == ["Open full form", "Open full form", "Open page", "Open inbox"]
    assert (
        text
        == "What waits for you today: “Delete &lt;it&gt;?”, “Before the release”, “Audit the exec endpoints” and 3 more"
    )


def test_a_list_in_place_of_reminders_says_so_and_prints_addresses_that_are_no_links() -> None:
    local = "http://127.0.0.1:8080/inbox"
    told, blocks, _ = _sent(_list(card(confirmation(), link_ok=False), held=True, link_ok=False, inbox_url=local))
    assert told.startswith("Several things wait for you\nDelete it?")
    assert f"Your inbox: {local}" in told
    assert labels(blocks) == []


def test_a_list_that_is_too_long_counts_what_it_leaves_out() -> None:
    long = [replace(card({**confirmation(), "title": f"{at} " + "文" * 230}), publication=at) for at in range(10)]
    orders = [card_of(loop(title="o" * 200)) for _ in range(20)]
    told, blocks, _ = _sent(_list(*long, *orders, more=7))
    listed = sum("文" * 230 in line for line in told.splitlines()) + told.count("o" * 200)
    assert 0 < listed < 30
    assert f"{37 - listed} more wait for you." in told
    assert check_blocks(blocks, Surface.MESSAGE) == ()
