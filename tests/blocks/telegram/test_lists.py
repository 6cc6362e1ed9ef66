"""What the bot says besides cards: lists, replies and toasts."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from blocks.telegram.check import check
from blocks.telegram.lists import COMMANDS, messages, open_cards, said, toast
from blocks.telegram.parse_html import parse_html
from core.errors import Fault
from core.replies import Helped, Listed, Quiet, Reply, Saved, Told, Wrong
from tests.blocks.telegram.cards import IN_AN_HOUR, NOW, card, choice, questions
from tests.blocks.telegram.test_loop import card_of, loop

WRONG = Wrong(
    (Fault("/answers/q", "write at least 3 characters (now 1)"), Fault("/answers/q", "Capitals only.")), ("q0", "q0")
)


def test_open_cards_are_listed_with_their_full_forms() -> None:
    one = card(questions(choice("Red"), title="<b>Bold</b> move"), expires_at=IN_AN_HOUR)
    two = card(questions(choice("Red")), link_ok=False)
    assert parse_html(open_cards((one, two))).text == (
        "Waiting for you:\n\n"
        f"• <b>Bold</b> move\nOpen until Wed 2 Dec, 10:00 UTC\n{one.review_url}\n\n"
        f"• Release 4.2\n{two.review_url}"
    )
    assert open_cards(()) == "Nothing waits for you."


def test_a_list_longer_than_a_message_says_how_many_are_missing() -> None:
    cards = tuple(card(questions(choice("Red"), title=f"{number} {'文' * 230}")) for number in range(40))
    text = open_cards(cards)
    shown = text.count("• ")
    assert 10 < shown < 40
    assert f"{40 - shown} more wait: see to some of these first." in text
    assert check("sendMessage", {"text": text, "parse_mode": "HTML"}) is None


def test_an_order_is_listed_with_its_deadline_in_the_zone_of_who_reads_it() -> None:
    order = card_of(loop(title="<i>Audit</i>", overdue_at=NOW, due_at=NOW))
    one = card(questions(choice("Red")), expires_at=IN_AN_HOUR)
    html = open_cards((order, one), "Europe/Madrid")
    assert check("sendMessage", {"text": html, "parse_mode": "HTML"}) is None
    text = parse_html(html).text
    assert "• <i>Audit</i>\nWork order wo-1 from " in text
    assert f"Overdue: was due Wed 2 Dec, {NOW.astimezone(ZoneInfo('Europe/Madrid')):%H:%M} CET\n{order.url}" in text
    assert "Open until Wed 2 Dec, 11:00 CET" in text
    assert open_cards((order,)).startswith("One work order waits for you:")


def test_a_list_that_could_not_be_looked_at_whole_says_so() -> None:
    assert open_cards((card(questions(choice("Red"))),), cut=True).endswith("Still more wait.")


SAYINGS: list[tuple[Reply, str, str]] = [
    # a reply, as a message, as a toast
    (Saved("Saved: <b>"), "Saved: &lt;b&gt;", "Saved: <b>"),
    (Told("Not yours."), "Not yours.", "Not yours."),
    (Helped("I help."), "I help.", "I help."),
    (
        WRONG,
        "This was not counted. Write at least 3 characters (now 1). Capitals only. Reply again to correct it.",
        "Write at least 3 characters (now 1). Capitals only.",
    ),
    (Listed(()), "Nothing waits for you.", ""),
    (Quiet(), "", ""),
]


@pytest.mark.parametrize(("reply", "message", "short"), SAYINGS)
def test_a_reply_is_said_in_a_message_and_in_a_toast(reply: Reply, message: str, short: str) -> None:
    assert said(reply) == message
    assert toast(reply) == short


@pytest.mark.parametrize("length", [200, 201, 4_000])
def test_a_toast_is_never_longer_than_telegram_shows(length: int) -> None:
    text = toast(Told("𝕿" * (length // 2) + "x" * (length % 2)))
    assert check("answerCallbackQuery", {"text": text}) is None
    assert text.endswith("…") is (length > 200)


def test_words_longer_than_a_message_are_sent_whole_in_several() -> None:
    words = "".join(f"{number:04} <&>\n" for number in range(900))
    parts = messages(words)
    assert len(parts) > 1
    assert "".join(parse_html(f"<b>x</b>{part}").text.removeprefix("x") + "\n" for part in parts) == words
    for part in parts:
        assert check("sendMessage", {"text": part, "parse_mode": "HTML"}) is None


def test_the_commands_are_ones_telegram_takes() -> None:
    commands = [{"command": name, "description": about} for name, about in COMMANDS.items()]
    assert check("setMyCommands", {"commands": commands}) is None


def test_whom_a_card_waits_for_is_an_alert_of_whole_sentences() -> None:
    names = ", ".join(f"{'Somebody' * 3} {number}" for number in range(5))
    told = toast(Told(f"Waiting for {names} or 3 more. 1 of 2 have accepted. Next reminder: Thu 3 Dec, 09:00 CET."))
    assert told.endswith("or 3 more. 1 of 2 have accepted. …")
    assert len(told) <= 200
