"""A person's open cards as a list: the Home tab and the answer to /sayso."""

from __future__ import annotations

import pytest

from blocks.slack.check import Surface, check_blocks
from blocks.slack.home import home, listing
from blocks.slack.notice import notice, notice_view
from core.cards import Card
from core.waiting import by_urgency
from tests.blocks.slack.cards import (
    IN_AN_HOUR,
    NOW,
    card,
    checklist,
    confirmation,
    elements,
    expect_view,
    labels,
    shown,
    tick,
)
from tests.blocks.slack.loops import card_of, loop


def cards(count: int, *, link_ok: bool = True, title: str = "Question") -> list[Card]:
    return [
        card({**confirmation(), "title": f"{title} {number}"}, link_ok=link_ok, id=f"int_{number}")
        for number in range(count)
    ]


def test_an_empty_list_says_so() -> None:
    assert "Nothing waits for you" in shown(home([]))
    assert "Nothing waits for you" in shown(listing([]))
    expect_view(home([]))


def test_each_card_has_its_title_place_and_link() -> None:
    to = ("slack:C1", "slack:U1", "slack:D1", "slack:T1.G1/1.2", "telegram:42", "person:ana", "review")
    view = home([card(confirmation(), to=to, expires_at=IN_AN_HOUR)])
    told = shown(view)
    assert "Delete it?" in told
    places = (
        "<#C1>, a direct message to <@U1>, a direct message, <#G1>, Telegram, a message to @ana and the review page"
    )
    assert f"In {places}" in told
    assert "Open until <!date^" in told
    assert labels(view) == ["Open full form"]
    expect_view(view)


def test_a_list_that_is_half_done_says_how_far_it_is() -> None:
    view = home([card(checklist("a", "b"), ticks=(tick(0),)), card(confirmation())])
    assert "1 of 2 ticked" in shown(view)
    expect_view(view)


def test_nothing_can_be_decided_in_a_list() -> None:
    assert all("value" not in one for one in elements(home(cards(3)), "button"))


def test_a_private_address_is_printed() -> None:
    view = home(cards(2, link_ok=False))
    assert labels(view) == []
    assert "http://127.0.0.1:8080/review/int_1" in shown(view)
    assert shown(view).count("opens only where it can be reached") == 1
    expect_view(view)


@pytest.mark.parametrize("link_ok", [True, False])
@pytest.mark.parametrize("title", ["Question", "文" * 230])
def test_what_does_not_fit_is_counted(title: str, link_ok: bool) -> None:
    many = cards(60, link_ok=link_ok, title=title)
    view, blocks = home(many), listing(many)
    expect_view(view)
    assert check_blocks(blocks, Surface.MESSAGE) == ()
    for told in (shown(view), shown(blocks)):
        listed = sum(f"{title} {number}\n" in told + "\n" for number in range(60))
        assert listed > 5
        assert f"{60 - listed} more wait; they move up" in told


def test_an_order_is_listed_among_the_cards_with_its_deadline_and_its_page() -> None:
    late = loop(name="wo-2", title="<!channel> *late*", overdue_at=NOW, due_at=NOW)
    view = home(by_urgency([card(confirmation()), card_of(late)]))
    told = shown(view)
    assert "<!channel> *late*" in told
    assert f"*Overdue*, was due <!date^{int(NOW.timestamp())}^" in told
    assert "Work order wo-2" in told
    assert labels(view) == ["Open page", "Open full form"]
    expect_view(view)


def test_an_order_on_a_private_address_prints_its_page() -> None:
    blocks = listing([card_of(loop(), link_ok=False)])
    assert labels(blocks) == []
    assert "https://sayso.example.com/loops/wo-1" in shown(blocks)
    assert check_blocks(blocks, Surface.MESSAGE) == ()


def test_orders_that_do_not_fit_are_counted() -> None:
    blocks = listing([card_of(loop(title="文" * 230, name="x" * 64, sender=loop().sender)) for _ in range(90)])
    assert check_blocks(blocks, Surface.MESSAGE) == ()
    assert " more wait; they move up" in shown(blocks)


def test_a_list_that_could_not_be_looked_at_whole_says_so() -> None:
    assert "Still more wait; they move up" in shown(listing(cards(2), cut=True))
    assert "At least " in shown(listing(cards(60), cut=True))


def test_words_to_one_person_fit_whatever_they_are() -> None:
    for text in ("", "<!channel>", "x" * 9_000):
        assert check_blocks(notice(text), Surface.MESSAGE) == ()
        expect_view(notice_view(text))
        assert text in shown(notice(text)).replace("\n", "")
