"""How fast the chats are written to: within the documented limits whatever is asked for at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pace import LONGEST_TALK, PER_ACCOUNT, Call, Pace, Talk
from bot.sandbox.clock import Clock
from bot.sandbox.telegram.pace import Pace as StandInPace
from bot.sandbox.telegram.places import Private
from bot.turns import OwnTurns
from core.addresses import Provider
from core.outbox import Lane

Sent = list[tuple[float, str]]
MANY = [f"{number}1" for number in range(1, 80)]


@dataclass
class Paced:
    """A pace with a clock of its own."""

    now: float = 1000.0
    turns: OwnTurns = field(init=False)
    pace: Pace = field(init=False)
    slept: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turns = OwnTurns(lambda: self.now)
        self.pace = Pace(self.turns, None, self.sleep, lambda: self.now)

    async def sleep(self, seconds: float) -> None:
        """Let time pass, as long as asked and by what is planned in `late` longer."""
        self.slept.append(seconds)
        self.now += seconds + (self.late.pop(0) if self.late else 0.0)

    async def wait(
        self, provider: Provider, where: str, lane: Lane, *, account: str = "A", message: str = "", within: float = 0.0
    ) -> float:
        """Seconds until this call may go out."""
        return await self.pace.take(Call(provider, account, where, lane, message), within)

    async def sent_within(self, seconds: float, provider: Provider, where: list[str], lane: Lane) -> Sent:
        """Every call that may go out in so many seconds, when all of `where` always have more to send."""
        sent: Sent = []
        start, end = self.now, self.now + seconds
        while self.now < end:
            waits = [await self.wait(provider, one, lane) for one in where]
            sent += [(self.now - start, one) for one, wait in zip(where, waits, strict=True) if wait == 0]
            self.now += max(0.05, min(waits))
        return sent


def most_in_a_minute(sent: Sent) -> int:
    moments = [moment for moment, _ in sent]
    return max(sum(first <= one < first + 60 for one in moments) for first in moments)


@pytest.mark.parametrize(
    ("provider", "conversation", "a_minute"),
    [
        (Provider.SLACK, "C1", 51),  # less than one a second and a short burst
        (Provider.TELEGRAM, "42", 35),  # less than one a second and a short burst, less what is left to redraws
        (Provider.TELEGRAM, "-100", 16),  # twenty in any minute, less what is left to redraws
    ],
)
async def test_one_conversation_is_written_to_no_faster_than_its_provider_allows(
    provider: Provider, conversation: str, a_minute: int
) -> None:
    sent = await Paced().sent_within(180, provider, [conversation], Lane.POST)
    assert a_minute - 4 <= most_in_a_minute(sent) <= a_minute


@pytest.mark.parametrize(
    ("provider", "lane", "a_second"),
    [
        (Provider.TELEGRAM, Lane.POST, 30),  # thirty a second in all
        (Provider.SLACK, Lane.POST, 4),  # several hundred a minute
        (Provider.SLACK, Lane.REDRAW, 1),  # fifty edits a minute
    ],
)
async def test_many_conversations_share_what_the_account_may_do(provider: Provider, lane: Lane, a_second: int) -> None:
    sent = await Paced().sent_within(60, provider, MANY, lane)
    late = [moment for moment, _ in sent if moment >= 30]
    assert 0 < len(late) <= 30 * a_second


async def test_no_minute_sees_more_than_fifty_edits_in_slack() -> None:
    sent = await Paced().sent_within(180, Provider.SLACK, MANY, Lane.REDRAW)
    assert 40 < most_in_a_minute(sent) <= 50


class At(Clock):
    """A stand-in's clock at moments of our own."""

    moment = 0.0

    def elapsed(self) -> float:
        return self.moment


async def test_calls_that_all_arrive_late_are_none_too_many_where_there_is_always_more_to_say() -> None:
    paced, turns = Paced(), list[float]()
    while paced.now < 1200:
        for lane in (Lane.POST, Lane.TALK, Lane.REDRAW):
            turns += [paced.now] if await paced.wait(Provider.TELEGRAM, "42", lane) == 0 else []
        paced.now += 0.05
    chat, clock = Private(id=42), At()
    telegram = StandInPace(clock, on=True)
    # Every twenty seconds nothing gets through for four.
    for clock.moment in (turn if turn % 20 < 16 else turn // 20 * 20 + 20 for turn in turns):
        assert telegram.spend(chat) is None
    assert len(turns) > 140


def test_the_lanes_of_telegram_together_stay_within_thirty_a_second() -> None:
    rates = [rate for (provider, _), rate in PER_ACCOUNT.items() if provider is Provider.TELEGRAM]
    assert sum(rate.per_second for rate in rates) <= 30
    assert sum(rate.burst for rate in rates) <= 30


@pytest.mark.parametrize(("provider", "where"), [(Provider.TELEGRAM, "-100"), (Provider.SLACK, "C1")])
async def test_what_is_deleted_uses_up_nothing_of_what_may_be_written(provider: Provider, where: str) -> None:
    paced, deleted = Paced(), 0
    until = paced.now + 60
    while paced.now < until:
        deleted += await paced.pace.take(Call(provider, "A", where, Lane.TALK, deletes=True), 0) == 0
        paced.now += 0.1
    assert 40 < deleted <= 52, "one a second in a chat of Telegram, fifty a minute in a workspace of Slack"
    assert all([await paced.wait(provider, where, Lane.TALK) < 1e-6 for _ in range(3)])


async def test_redraws_leave_room_for_posts_and_answers_in_a_group() -> None:
    paced = Paced()
    drawn = 0
    while await paced.wait(Provider.TELEGRAM, "-100", Lane.REDRAW) == 0:
        drawn, paced.now = drawn + 1, paced.now + 1
    assert drawn > 3
    assert await paced.wait(Provider.TELEGRAM, "-100", Lane.TALK) == 0


async def test_a_group_takes_one_a_second_as_any_chat_whatever_was_saved_up() -> None:
    sent = await Paced().sent_within(10, Provider.TELEGRAM, ["-100"], Lane.POST)
    assert len(list(takewhile(lambda one: one[0] < 0.9, sent))) == 3
    assert 9 <= len(sent) <= 13


@pytest.mark.parametrize("provider", list(Provider))
async def test_one_card_is_drawn_again_a_few_times_a_second_and_leaves_the_edits_to_others(provider: Provider) -> None:
    paced, drawn = Paced(), 0
    for _ in range(100):
        drawn += await paced.wait(provider, "C1", Lane.REDRAW, message="pub_1") == 0
        paced.now += 0.01
    assert drawn == 3
    assert await paced.wait(provider, "C2", Lane.REDRAW, message="pub_2") == 0


async def test_one_busy_conversation_does_not_hold_up_another() -> None:
    paced = Paced()
    while await paced.wait(Provider.SLACK, "C1", Lane.POST) == 0:
        paced.now += 0.1
    assert await paced.wait(Provider.SLACK, "C2", Lane.POST) == 0


@pytest.mark.parametrize(
    ("provider", "where", "lane", "waits"),
    [
        (Provider.SLACK, "C1", Lane.POST, True),
        (Provider.SLACK, "C2", Lane.POST, True),  # Slack counts a method per workspace
        (Provider.SLACK, "C1", Lane.REDRAW, False),  # edits are another method
        (Provider.TELEGRAM, "-100", Lane.POST, True),
        (Provider.TELEGRAM, "-100", Lane.TALK, True),  # Telegram counts what is sent to a chat, whatever it is
        (Provider.TELEGRAM, "-200", Lane.POST, False),  # another chat is not at fault
    ],
)
async def test_where_a_provider_found_it_too_fast_others_wait_as_well(
    provider: Provider, where: str, lane: Lane, *, waits: bool
) -> None:
    paced = Paced()
    refused = Call(provider, "A", "C1" if provider is Provider.SLACK else "-100", Lane.POST)
    await paced.pace.hold(refused, 30)
    assert (await paced.wait(provider, where, lane) >= 30) is waits
    assert await paced.wait(provider, where, lane, account="B") == 0
    paced.now += 30
    assert await paced.wait(provider, where, lane) == 0


@given(st.lists(st.floats(0, 5), max_size=60), st.sampled_from(["C1", "-100", "7"]), st.sampled_from(Lane))
async def test_whoever_waits_as_long_as_told_may_go(gaps: list[float], conversation: str, lane: Lane) -> None:
    if lane is Lane.HEAR:
        return
    paced = Paced()
    for gap in gaps:
        paced.now += gap
        wait = await paced.wait(Provider.TELEGRAM, conversation, lane)
        if wait > 0:
            paced.now += wait + 1e-6
            assert await paced.wait(Provider.TELEGRAM, conversation, lane) == 0


@given(st.lists(st.tuples(st.floats(0, 3), st.sampled_from(Lane)), max_size=80))
async def test_turns_taken_ahead_are_kept_as_those_that_were_asked_for_again(calls: list[tuple[float, Lane]]) -> None:
    paced, sent = Paced(), []
    for gap, lane in calls:
        if lane is not Lane.HEAR:
            paced.now += gap
            wait = await paced.wait(Provider.TELEGRAM, "-100", lane, within=5.0)
            sent += [(paced.now + wait, "-100")] if wait <= 5 else []
    assert not sent or most_in_a_minute(sent) <= 20


async def test_what_is_said_at_once_keeps_the_pace_of_everything_else_in_that_chat() -> None:
    paced, said = Paced(), list[tuple[float, str]]()
    talk = Talk(paced.pace, Provider.TELEGRAM)
    while await paced.wait(Provider.TELEGRAM, "-100", Lane.POST) == 0:
        said.append((paced.now, "card"))
    for _ in range(30):
        assert await talk.take("A", "-100")
        said.append((paced.now, "answer"))
    assert most_in_a_minute(said) <= 20


async def test_what_is_said_at_once_is_left_unsaid_once_nobody_waits_for_it() -> None:
    paced = Paced()
    talk = Talk(paced.pace, Provider.TELEGRAM)
    await talk.hold("A", "42", LONGEST_TALK - 10)
    assert await talk.take("A", "42")
    assert LONGEST_TALK - 10 <= sum(paced.slept) <= LONGEST_TALK
    paced.slept.clear()
    await talk.hold("A", "42", LONGEST_TALK + 10)
    assert not await talk.take("A", "42")
    assert paced.slept == []


@pytest.mark.parametrize("conversation", ["42", "-100"])
async def test_however_much_there_is_to_post_redraws_are_not_kept_waiting_for_ever(conversation: str) -> None:
    paced, sent = Paced(), list[tuple[float, str]]()
    until = paced.now + 600
    while paced.now < until:
        for lane in (Lane.POST, Lane.TALK, Lane.POST, Lane.REDRAW):
            wait = await paced.wait(Provider.TELEGRAM, conversation, lane, message="pub_1", within=5.0)
            if wait <= 5.0:
                sent.append((paced.now + wait, lane))
        paced.now += 1.0
    redraws = [moment for moment, lane in sent if lane is Lane.REDRAW]
    gaps = [later - earlier for earlier, later in pairwise([until - 600, *redraws, until])]
    assert max(gaps) <= 100
    assert most_in_a_minute(sorted(sent)) <= (20 if conversation == "-100" else 63)
