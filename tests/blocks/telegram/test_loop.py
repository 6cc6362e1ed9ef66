"""Work orders in Telegram: what they show, what they offer, and that nothing of them is cut."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.orders import NOT_WHOLE
from blocks.telegram.check import check
from blocks.telegram.keyboard import Keyboard, markup
from blocks.telegram.loop import alert_keyboard, alert_text, loop_keyboard, loop_text
from blocks.telegram.loop_prompt import loop_prompt
from blocks.telegram.parse_html import parse_html
from blocks.telegram.parts import fits
from core.addresses import Provider
from core.ids import make_id
from core.loops.cards import AlertCard, LoopCard
from core.loops.controls import LoopAction, LoopControl
from core.loops.outcomes import LoopOutcome, LoopState, Mark
from core.loops.owed import AskLoopWords
from core.loops.places import Alert
from core.loops.values import Loop, LoopCopy, Slot
from core.loops.wording import order_words
from core.people import Via
from core.sentences.values import Status
from tests.blocks.telegram.cards import ANA, BOB, CI, CODEC, NOW

LOOP_ID = make_id("lop", 1_796_205_600_000, 1)
ALERT_ID = make_id("alr", 1_796_205_600_000, 2)
PAGE = "https://sayso.example.com/loops/wo-1"
BY_ANA = Mark(by=ANA, via=Via.TELEGRAM, at=NOW, receipt="rcp_1")
BY_BOB = Mark(by=BOB, via=Via.TELEGRAM, at=NOW, receipt="rcp_2")
ENDS = ["Done…", "Decline…", "No action…"]
CLAIMED: dict[str, Any] = {"state": LoopState.CLAIMED, "acknowledged": BY_BOB, "claimed": BY_ANA}


def loop(**more: Any) -> Loop:
    """An order from the agent `ci` that is due in three quarters of an hour."""
    known = {
        "id": LOOP_ID,
        "workspace": "wsp_1",
        "name": "wo-1",
        "conversation": "cnv_1",
        "title": "Audit the exec endpoints",
        "body": "Each of the **14**, please.",
        "due_at": NOW + timedelta(minutes=45),
        "sender": CI,
        "recipient": "telegram:-100",
        "created_at": NOW,
        "card": LoopCopy(provider=Provider.TELEGRAM, account="b", place="-100"),
    }
    return Loop.model_validate({**known, **more})


def ended(status: LoopState = LoopState.CLOSED, *, title: str = "Audit", body: str = "", **more: Any) -> Loop:
    """The order once Ana ended it."""
    outcome = LoopOutcome(status=status, by=ANA, via=Via.TELEGRAM, at=NOW, receipt="rcp_9", **more)
    return loop(state=status, outcome=outcome, title=title, body=body)


def card_of(shown: Loop, *, link_ok: bool = True) -> LoopCard:
    return LoopCard(shown, PAGE, link_ok, order_words(shown) if shown.is_open else "")


def alert_card(message: str = "Disk <full> @everyone", order: str | None = None, *, link_ok: bool = True) -> AlertCard:
    known = {"id": ALERT_ID, "workspace": "wsp_1", "conversation": "cnv_1", "severity": "CRITICAL", "by": CI}
    alert = Alert.model_validate({**known, "message": message, "created_at": NOW, "order": order})
    return AlertCard(alert, PAGE if order else None, link_ok)


def shown(html: str) -> str:
    """What a reader sees."""
    return parse_html(html).text


def labels(keyboard: Keyboard) -> list[str]:
    return [button.text for row in keyboard for button in row]


def pressed(keyboard: Keyboard, label: str) -> object:
    (data,) = [one.data for row in keyboard for one in row if one.text == label]
    return CODEC.unpack_any(data or "")


def expect_message(html: str, keyboard: Keyboard = ()) -> None:
    request = {"chat_id": 1, "text": html, "parse_mode": "HTML", "reply_markup": markup(keyboard)}
    assert check("sendMessage", request) is None
    assert fits(html)


OFFERS: list[tuple[str, Loop, list[str]]] = [
    # why, the order, what can be pressed
    ("nobody has seen it", loop(), ["Acknowledge", "Claim", *ENDS]),
    ("it was seen", loop(state=LoopState.ACKNOWLEDGED, acknowledged=BY_ANA), ["Claim", *ENDS]),
    ("somebody has it", loop(**CLAIMED), ENDS),
    (
        "a slot is free",
        loop(**CLAIMED, slots=(Slot(number=1, claimed=BY_ANA), Slot(number=2))),
        ["Claim next (1 of 2 free)", *ENDS],
    ),
    ("it is closed", ended(summary="All well"), []),
    ("it was declined, so it may be ordered again", ended(LoopState.DECLINED, reason="down"), ["Dispatch again"]),
    ("nothing was needed", ended(LoopState.NO_ACTION, reason="recovered"), []),
]


@pytest.mark.parametrize(("why", "order", "offered"), OFFERS, ids=[row[0] for row in OFFERS])
def test_an_order_offers_what_can_be_done_with_it(why: str, order: Loop, offered: list[str]) -> None:
    keyboard = loop_keyboard(card_of(order), CODEC)
    expect_message(loop_text(card_of(order)), keyboard)
    assert labels(keyboard) == [*offered, "Open page"], why
    assert keyboard[-1][0].url == PAGE


def test_a_certain_slot_has_a_button_and_of_many_it_is_said_how() -> None:
    few = loop(**CLAIMED, slots=(Slot(number=1, claimed=BY_ANA), Slot(number=2, task="writes"), Slot(number=7)))
    keyboard = loop_keyboard(card_of(few), CODEC)
    expect_message(loop_text(card_of(few)), keyboard)
    assert labels(keyboard) == ["Claim next (2 of 3 free)", *ENDS, "Slot 2: writes", "Slot 7", "Open page"]
    assert pressed(keyboard, "Slot 7") == LoopControl(LOOP_ID, LoopAction.CLAIM, 7)
    assert "0 of 3 slots done, 2 free" in shown(loop_text(card_of(few)))
    many = loop(slots=tuple(Slot(number=n) for n in range(1, 101)))
    assert labels(loop_keyboard(card_of(many), CODEC)) == [
        "Acknowledge", "Claim next (100 of 100 free)", *ENDS, "Open page",
    ]  # fmt: skip
    assert "For a certain slot, say [CLAIM wo-1/100]" in shown(loop_text(card_of(many)))


def test_each_button_is_its_own_control_of_this_order() -> None:
    keyboard = loop_keyboard(card_of(loop()), CODEC)
    assert pressed(keyboard, "Claim") == LoopControl(LOOP_ID, LoopAction.CLAIM)
    assert pressed(keyboard, "No action…") == LoopControl(LOOP_ID, LoopAction.NO_ACTION)


def test_an_order_shows_what_is_asked_by_whom_until_when_and_how_to_reply() -> None:
    html = loop_text(card_of(loop(priority="high", sender_label="646")))
    told = shown(html)
    for words in ("Audit the exec endpoints", "Each of the 14", "(as 646)", "Due ", "Priority high", "[WO:wo-1]"):
        assert words in told
    assert "<b>14</b>" in html
    assert "Reply: [ACK wo-1]" in told
    assert html.index("<blockquote>") < html.index("[WO:wo-1]")


def test_a_page_that_telegram_may_not_carry_is_written_out() -> None:
    card = card_of(loop(), link_ok=False)
    assert f"Page: {PAGE}" in shown(loop_text(card))
    assert "Open page" not in labels(loop_keyboard(card, CODEC))


def test_what_ended_it_is_shown_whole_and_nothing_of_how_to_reply() -> None:
    told = shown(loop_text(card_of(ended(result=Status.OK, summary="<14> are healthy"))))
    assert "Closed (OK) by Ana" in told
    assert "<14> are healthy" in told
    assert "[ACK" not in told


@pytest.mark.parametrize("order", [loop(body="x" * 20_000), ended(body="x" * 20_000, summary="y" * 20_000)])
def test_what_does_not_fit_is_left_to_the_page_and_said_to_be(order: Loop) -> None:
    html = loop_text(card_of(order))
    expect_message(html)
    assert NOT_WHOLE in html
    assert "xxx" not in html
    assert "yyy" not in html


@given(title=st.text(min_size=1, max_size=240).filter(str.strip), body=st.text(max_size=600))
def test_anything_is_a_message_that_telegram_takes(title: str, body: str) -> None:
    expect_message(loop_text(card_of(loop(title=title, body=body))))
    expect_message(loop_text(card_of(ended(title=title, body=body, summary=body or None))))


def test_an_alert_says_who_raised_it_and_offers_an_order_until_there_is_one() -> None:
    card = alert_card()
    keyboard = alert_keyboard(card, CODEC)
    expect_message(alert_text(card), keyboard)
    assert "CRITICAL" in shown(alert_text(card))
    assert "Disk <full>" in shown(alert_text(card))
    assert "@everyone" not in alert_text(card)
    assert pressed(keyboard, "Open a work order") == LoopControl(ALERT_ID, LoopAction.ORDER)

    answered = alert_card(order="wo-7")
    assert labels(alert_keyboard(answered, CODEC)) == ["Open page"]
    assert "Work order wo-7" in shown(alert_text(answered))
    assert PAGE in alert_text(alert_card(order="wo-7", link_ok=False))


@pytest.mark.parametrize(
    ("action", "asks"),
    [
        (LoopAction.DONE, "what came of “"),
        (LoopAction.DECLINE, "why you decline “"),
        (LoopAction.NO_ACTION, "why nothing needs to be done about “"),
    ],
)
def test_a_prompt_asks_one_person_for_the_words(action: LoopAction, asks: str) -> None:
    known: dict[str, Any] = {"loop": LOOP_ID, "action": action, "provider": "telegram", "account": "b", "user": "42"}
    group = AskLoopWords(**known, channel="-100", person="per_1", name="Ana <b>")
    made = loop_prompt(group, loop())
    assert asks in shown(made.text)
    assert shown(made.text).startswith("Ana <b>, please reply")
    assert made.markup()["selective"] is True
    private = loop_prompt(group.model_copy(update={"channel": "42", "slot": 3}), loop())
    assert private.text.startswith("Reply to this message")
    assert "(slot 3)" in private.text
    assert "selective" not in private.markup()


@pytest.mark.parametrize("order", [loop(due_at=NOW), ended()], ids=["due", "ended"])
def test_times_are_spelled_in_each_readers_own_zone_and_else_name_theirs(order: Loop) -> None:
    drawn = parse_html(loop_text(card_of(order)))
    moments = [one for one in drawn.entities if one.type == "date_time"]
    assert moments
    assert str(int(NOW.timestamp())) in {one.argument for one in moments}
    assert "2 Dec 2026, 09:00 UTC" in drawn.text
