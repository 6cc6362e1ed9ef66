"""Work orders in Slack: what they show, what they offer, and that nothing of them is cut."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.orders import NOT_WHOLE
from blocks.slack.controls import token_of
from blocks.slack.loop import loop_in_words, render_loop
from blocks.slack.parts import Block
from core.loops.controls import LoopAction, LoopControl
from core.loops.outcomes import LoopState
from core.loops.values import Loop, Slot
from core.people import By
from core.sentences import ContractFooter, WorkOrder, parse
from core.sentences.values import Status
from tests.blocks.slack.cards import CODEC, NOW, everything, labels, shown
from tests.blocks.slack.loops import BY_ANA, BY_BOB, LOOP_ID, PAGE, card_of, ended, expect_message, loop, pressed

ENDS = ["Done…", "Decline…", "No action…"]
CLAIMED = {"state": LoopState.CLAIMED, "acknowledged": BY_BOB, "claimed": BY_ANA}
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
    drawn = render_loop(card_of(order), CODEC)
    expect_message(drawn)
    assert list(pressed(drawn)) == [*offered, "Open page"], why
    assert pressed(drawn)["Open page"] == PAGE


def test_each_button_is_its_own_control_of_this_order() -> None:
    found = pressed(render_loop(card_of(loop()), CODEC))
    assert found["Claim"] == LoopControl(LOOP_ID, LoopAction.CLAIM)
    assert found["No action…"] == LoopControl(LOOP_ID, LoopAction.NO_ACTION)


def test_an_order_shows_what_is_asked_by_whom_until_when_and_how_it_stands() -> None:
    drawn = render_loop(card_of(loop(priority="high", sender_label="646")), CODEC)
    told = shown(drawn.blocks)
    for words in (
        "Audit the exec endpoints",
        "14",
        "From agent ci (as 646)",
        "Priority high",
        f"Due <!date^{int(NOW.timestamp()) + 45 * 60}^",
        "Open, not acknowledged yet",
    ):
        assert words in told


def test_the_order_stands_under_it_as_a_sentence_with_how_to_reply() -> None:
    drawn = render_loop(card_of(loop()), CODEC)
    small = drawn.blocks[-1]
    assert small["type"] == "context"
    (said,) = [one["text"] for one in small["elements"]]
    order, footer = parse(said)
    assert isinstance(order, WorkOrder)
    assert isinstance(footer, ContractFooter)
    assert (order.id, order.title) == ("wo-1", "Audit the exec endpoints")
    assert "[ACK wo-1]" in said
    assert said.partition("\n")[0] in drawn.text, "programs that read messages read their text"


def test_the_trail_tells_who_did_what() -> None:
    slots = (
        Slot(number=1, task="reads", done=BY_BOB, status=Status.OK),
        Slot(number=2, claimed=BY_ANA),
        Slot(number=3),
    )
    order = loop(**CLAIMED, slots=slots, nudges=2, overdue_at=NOW, escalated_at=NOW)
    told = shown(render_loop(card_of(order), CODEC).blocks)
    for words in (
        "Acknowledged by Bob, 2 Dec 2026, 09:00 UTC",
        "Claimed by Ana, 2 Dec 2026, 09:00 UTC",
        "Reminded 2 of 3 times",
        "Overdue since 2 Dec 2026, 09:00 UTC",
        "The sender and the operators were told",
        "Slot 1 – reads: done by Bob (OK)",
        "Slot 2: claimed by Ana",
        "Slot 3: free",
        "Overdue: claimed by Ana",
    ):
        assert words in told


def test_times_in_the_trail_are_spelled_in_each_readers_own_zone() -> None:
    for order, moments in ((loop(**CLAIMED, overdue_at=NOW, escalated_at=NOW), 4), (ended(), 1)):
        dates = [one for one in everything(render_loop(card_of(order), CODEC).blocks) if one.get("type") == "date"]
        assert len(dates) >= moments
        assert {one["timestamp"] for one in dates} == {int(NOW.timestamp())}
        assert {one["fallback"] for one in dates} == {"2 Dec 2026, 09:00 UTC"}


def test_many_slots_are_counted() -> None:
    slots = (Slot(number=0, done=BY_BOB), *(Slot(number=n, claimed=BY_ANA) for n in range(1, 5)))
    slots = (*slots, *(Slot(number=n) for n in range(5, 100)))
    drawn = render_loop(card_of(loop(**CLAIMED, slots=slots)), CODEC)
    expect_message(drawn)
    assert "100 slots: 1 done, 4 claimed, 95 free" in shown(drawn.blocks)
    assert "For a certain slot, say \n[CLAIM wo-1/99]" in shown(drawn.blocks)
    assert not any(element["type"] == "static_select" for element in elements(drawn.blocks))


def test_a_certain_slot_is_chosen_from_a_menu_and_the_next_one_by_a_button() -> None:
    slots = (Slot(number=1, claimed=BY_ANA), Slot(number=2, task="writes & *more*"), Slot(number=7, task="x" * 90))
    drawn = render_loop(card_of(loop(**CLAIMED, slots=slots)), CODEC)
    expect_message(drawn)
    assert "Claim next (2 of 3 free)" in labels(drawn.blocks)
    (menu,) = [one for one in elements(drawn.blocks) if one["type"] == "static_select"]
    assert [one["text"]["text"] for one in menu["options"]] == ["Slot 2: writes & *more*", "Slot 7"]
    tokens = [token_of(menu["action_id"], one["value"]) for one in menu["options"]]
    assert [CODEC.unpack_any(token) for token in tokens] == [
        LoopControl(LOOP_ID, LoopAction.CLAIM, number) for number in (2, 7)
    ]


def test_a_menu_never_takes_the_room_of_the_order() -> None:
    for length in range(2_000, 20_001, 1_000):
        told = []
        for number in (25, 26):  # the one has a menu, the other has too many slots for one
            slots = tuple(Slot(number=n, task="x" * 60) for n in range(1, number + 1))
            told.append(shown(render_loop(card_of(loop(body="words " * (length // 6), slots=slots)), CODEC).blocks))
        assert (NOT_WHOLE in told[0]) <= (NOT_WHOLE in told[1]), length


def elements(blocks: list[Block]) -> list[Block]:
    return [element for block in blocks if block["type"] == "actions" for element in block["elements"]]


ENDINGS: list[tuple[Loop, str, str]] = [
    (
        ended(result=Status.OK, summary="14 are healthy"),
        "✓ Closed (OK) by Ana in Slack, 2 Dec 2026, 09:00 UTC",
        "14 are healthy",
    ),
    (ended(LoopState.DECLINED, reason="the node is down"), "✗ Declined by Ana in Slack", "the node is down"),
    (ended(LoopState.NO_ACTION, reason="it recovered"), "Closed without action by Ana in Slack", "it recovered"),
]


@pytest.mark.parametrize(("order", "head", "said"), ENDINGS, ids=[str(row[0].state) for row in ENDINGS])
def test_an_ended_order_says_how_it_ended_in_the_place_of_its_buttons(order: Loop, head: str, said: str) -> None:
    drawn = render_loop(card_of(order), CODEC)
    told = shown(drawn.blocks)
    assert head in told
    assert said in told
    assert "Each of the" in told, "what was asked stays"
    assert head in re.sub(r"<!date[^|]*\|([^>]*)>", r"\1", drawn.text)  # in each reader's own zone
    assert "[ACK" not in drawn.text + told


LONG: list[tuple[str, dict[str, Any]]] = [
    ("a body beyond a message", {"body": "word " * 4_000}),
    ("a body of many blocks", {"body": "\n\n".join(f"```\n{n}\n```" for n in range(400))}),
    ("a title beyond a header", {"title": "t" * 240}),
    ("a title of wide letters and a body", {"title": "文" * 240, "body": "文" * 20_000}),
]


@pytest.mark.parametrize(("why", "changes"), LONG, ids=[row[0] for row in LONG])
def test_what_does_not_fit_is_left_to_the_page_and_is_never_cut(why: str, changes: dict[str, Any]) -> None:
    order = loop(**changes)
    drawn = render_loop(card_of(order), CODEC)
    expect_message(drawn)
    told = shown(drawn.blocks)
    assert order.title in told
    assert (NOT_WHOLE in told) is ("body" in changes), why
    assert list(pressed(drawn)) == ["Acknowledge", "Claim", *ENDS, "Open page"]
    assert "[ACK wo-1]" in told, "how to reply is always there"


def test_a_long_result_is_left_to_the_page() -> None:
    drawn = render_loop(card_of(ended(summary="s" * 20_000, body="word " * 4_000)), CODEC)
    expect_message(drawn)
    told = shown(drawn.blocks)
    assert "✓ Closed by Ana" in told
    assert NOT_WHOLE in told


def test_a_long_result_stays_whole_where_the_body_makes_room() -> None:
    drawn = render_loop(card_of(ended(summary="§" * 8_000, body="word " * 1_000)), CODEC)
    expect_message(drawn)
    assert shown(drawn.blocks).count("§") == 8_000
    assert NOT_WHOLE in shown(drawn.blocks)


def test_an_address_that_no_chat_may_carry_stands_in_words() -> None:
    drawn = render_loop(card_of(loop(), url="http://127.0.0.1:8080/loops/wo-1", link_ok=False), CODEC)
    expect_message(drawn)
    assert "Open page" not in pressed(drawn)
    assert "http://127.0.0.1:8080/loops/wo-1" in shown(drawn.blocks)


HOSTILE = "<!channel> *b* <@U1> & <https://evil.example|bank> :x:"


def test_what_comes_from_outside_mentions_nobody() -> None:
    order = loop(title=HOSTILE, body=HOSTILE, sender_label=HOSTILE, sender=By(type="agent", id="agt_1", name=HOSTILE))
    drawn = render_loop(card_of(order), CODEC)
    expect_message(drawn)
    assert "<!channel>" not in drawn.text
    assert "<@U1>" not in drawn.text
    for block in drawn.blocks:
        for one in block.get("elements", []):
            assert one["type"] != "mrkdwn" or "channel" not in one["text"]


def test_without_blocks_it_still_says_how_it_stands_and_where_its_page_is() -> None:
    told = loop_in_words(card_of(ended(summary="fine")))
    assert "✓ Closed by Ana in Slack" in told
    assert PAGE in told


@given(
    title=st.text(min_size=1, max_size=240).filter(lambda text: bool(text.strip())),
    body=st.text(max_size=2_000),
    said=st.text(min_size=1, max_size=2_000),
)
def test_whatever_was_ordered_and_answered_slack_takes_it(title: str, body: str, said: str) -> None:
    expect_message(render_loop(card_of(loop(title=title, body=body)), CODEC))
    expect_message(render_loop(card_of(ended(title=title, body=body, summary=said)), CODEC))
