"""How fast the chats are written to: within the documented limits whatever is asked for at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pace import PER_ACCOUNT, Pace
from core.addresses import Provider
from core.outbox import Lane

Sent = list[tuple[float, str]]


def sent_within(
    pace: Pace, seconds: float, provider: Provider, where: list[str], lane: Lane
) -> list[tuple[float, str]]:
    """Every call that may go out in `seconds`, when all of `where` always have more to send."""
    sent: Sent = []
    now = 0.0
    while now < seconds:
        waits = [pace.wait(provider, "A", one, lane, now) for one in where]
        sent += [(now, one) for one, wait in zip(where, waits, strict=True) if wait == 0]
        now += max(0.01, min(waits))
    return sent


@pytest.mark.parametrize(
    ("provider", "conversation", "a_minute"),
    [
        (Provider.SLACK, "C1", 63),  # one a second and a short burst
        (Provider.TELEGRAM, "42", 63),  # one a second and a short burst
        (Provider.TELEGRAM, "-100", 36),  # twenty a minute beyond what was saved up
    ],
)
def test_one_conversation_is_written_to_no_faster_than_its_provider_allows(
    provider: Provider, conversation: str, a_minute: int
) -> None:
    sent = sent_within(Pace(), 60, provider, [conversation], Lane.POST)
    assert a_minute - 4 <= len(sent) <= a_minute


@pytest.mark.parametrize(
    ("provider", "lane", "a_second"),
    [
        (Provider.TELEGRAM, Lane.POST, 30),  # thirty a second in all
        (Provider.SLACK, Lane.POST, 4),  # several hundred a minute
        (Provider.SLACK, Lane.REDRAW, 1),  # fifty edits a minute
    ],
)
def test_many_conversations_share_what_the_account_may_do(provider: Provider, lane: Lane, a_second: int) -> None:
    many = [f"{number}1" for number in range(1, 200)]
    sent = sent_within(Pace(), 60, provider, many, lane)
    late = [moment for moment, _ in sent if moment >= 30]
    assert 0 < len(late) <= 30 * a_second


def test_no_minute_of_one_process_sees_more_than_fifty_edits_in_slack() -> None:
    sent = sent_within(Pace(), 180, Provider.SLACK, [f"{number}1" for number in range(1, 200)], Lane.REDRAW)
    moments = [moment for moment, _ in sent]
    assert max(sum(first <= one < first + 60 for one in moments) for first in moments) <= 50


def test_the_three_lanes_of_telegram_together_stay_within_thirty_a_second() -> None:
    rates = [PER_ACCOUNT[Provider.TELEGRAM, lane] for lane in (Lane.POST, Lane.TALK, Lane.REDRAW)]
    assert sum(rate.per_second for rate in rates) <= 30
    assert sum(rate.burst for rate in rates) <= 30


def test_redraws_leave_room_for_posts_and_answers_in_a_group() -> None:
    pace = Pace()
    sent_within(pace, 60, Provider.TELEGRAM, ["-100"], Lane.REDRAW)
    assert pace.wait(Provider.TELEGRAM, "A", "-100", Lane.REDRAW, 61) > 0
    assert pace.wait(Provider.TELEGRAM, "A", "-100", Lane.TALK, 61) == 0


def test_a_group_takes_one_a_second_as_any_chat_whatever_was_saved_up() -> None:
    sent = sent_within(Pace(), 10, Provider.TELEGRAM, ["-100"], Lane.POST)
    assert 10 <= len(sent) <= 13
    assert len([moment for moment, _ in sent if moment < 0.9]) == 3


@pytest.mark.parametrize("provider", list(Provider))
def test_one_card_is_drawn_again_a_few_times_a_second_and_leaves_the_edits_to_others(provider: Provider) -> None:
    pace, drawn = Pace(), 0
    for number in range(100):
        drawn += pace.wait(provider, "A", "C1", Lane.REDRAW, number / 100, "pub_1") == 0
    assert drawn == 3
    assert pace.wait(provider, "A", "C2", Lane.REDRAW, 1, "pub_2") == 0


def test_one_busy_conversation_does_not_hold_up_another() -> None:
    pace = Pace()
    sent_within(pace, 1, Provider.SLACK, ["C1"], Lane.POST)
    assert pace.wait(Provider.SLACK, "A", "C1", Lane.POST, 1) > 0
    assert pace.wait(Provider.SLACK, "A", "C2", Lane.POST, 1) == 0


@given(st.lists(st.floats(0, 5), max_size=60), st.sampled_from(["C1", "-100", "7"]), st.sampled_from(Lane))
def test_whoever_waits_as_long_as_told_may_go(gaps: list[float], conversation: str, lane: Lane) -> None:
    if lane is Lane.HEAR:
        return
    pace, now = Pace(), 0.0
    for gap in gaps:
        now += gap
        wait = pace.wait(Provider.TELEGRAM, "A", conversation, lane, now)
        if wait > 0:
            now += wait + 1e-6
            assert pace.wait(Provider.TELEGRAM, "A", conversation, lane, now) == 0
