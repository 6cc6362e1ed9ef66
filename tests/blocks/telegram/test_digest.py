"""Lists of what waits for somebody: in the morning, and in place of reminders that were too many."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from blocks.telegram.check import check
from blocks.telegram.digest import digest, keyboard
from blocks.telegram.keyboard import markup
from blocks.telegram.parse_html import parse_html
from core.loops.cards import LoopCard
from core.notices import DigestNotice
from core.waiting import Entry
from tests.blocks.telegram.cards import NOW, card, confirmation
from tests.blocks.telegram.test_loop import PAGE, loop

INBOX = "https://sayso.example.com/inbox"


def _list(*cards: Entry, link_ok: bool = True, **more: Any) -> DigestNotice:
    given = {"more": 0, "held": False, "now": NOW, "zone": "Europe/Madrid", "inbox_url": INBOX, **more}
    return DigestNotice(entries=cards, link_ok=link_ok, **given)


def _sendable(notice: DigestNotice) -> str:
    html = digest(notice)
    request = {"text": html, "parse_mode": "HTML", "reply_markup": markup(keyboard(notice))}
    assert check("sendMessage", request) is None
    return html


def test_the_morning_list_has_titles_that_lead_to_their_pages_and_the_time_there_is() -> None:
    first = card({**confirmation(), "title": "Delete <it>?"}, expires_at=NOW + timedelta(hours=2))
    owed = LoopCard(loop(title="Audit <it>", due_at=NOW + timedelta(hours=3)), PAGE, link_ok=True)
    notice = _list(first, card(confirmation()), owed, more=3)
    read = parse_html(_sendable(notice))
    assert read.text == (
        "What waits for you today\n\n"
        "• Delete <it>?\nIt expires in 2 h (12:00 CET).\n\n"
        "• Delete it?\n\n"
        f"• Audit <it>\nWork order wo-1 from agent ci\nDue Wed 2 Dec, 13:00 CET\n{PAGE}\n\n"
        "3 more wait for you."
    )
    assert [one.argument for one in read.entities if one.type == "text_link"] == [first.review_url] * 2
    assert [button.url for row in keyboard(notice) for button in row] == [INBOX]


def test_where_the_chat_carries_no_link_addresses_are_printed() -> None:
    own = card(confirmation(), link_ok=False)
    notice = _list(own, link_ok=False, inbox_url="http://127.0.0.1:8080/inbox")
    assert parse_html(_sendable(notice)).text == (
        f"What waits for you today\n\n• Delete it?\n{own.review_url}\n\nYour inbox: http://127.0.0.1:8080/inbox"
    )
    assert keyboard(notice) == ()


def test_in_place_of_too_many_reminders_it_says_that_several_wait() -> None:
    assert parse_html(_sendable(_list(card(confirmation()), held=True))).text.startswith("Several things wait")


def test_what_has_no_room_is_counted_among_the_rest() -> None:
    long = [card({**confirmation(), "title": f"{at:02} " + "𝕿" * 237}) for at in range(10)]
    text = parse_html(_sendable(_list(*long, more=2))).text
    listed = text.count("•")
    assert 3 < listed < 10
    assert text.endswith(f"{10 - listed + 2} more wait for you.")
