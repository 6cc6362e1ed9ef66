"""Words that take several Telegram messages: each is sent once, and one that is lost is no cause to repeat them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import pytest
from telegram import Chat, Message

from adapters.several import LONGEST_WAIT, TRIES, send_all
from core.errors import Ambiguous, ChannelError, InstallationDead, PlaceMoved, Transient, Unreachable
from tests.adapters.telegram.connected import ana_in, connected
from tests.adapters.telegram.test_saying import _say


class Wire:
    """Takes messages as planned: what stands for a call is raised by it. `waits` are the pauses that were made."""

    def __init__(self, *plan: ChannelError | None) -> None:
        self.plan = list(plan)
        self.sent: list[int] = []
        self.waits: list[float] = []
        self.turns: list[int] = []
        self.most = 9

    async def send(self, number: int) -> Message:
        error = self.plan.pop(0) if self.plan else None
        if error is not None:
            raise error
        self.sent.append(number)
        return Message(number, datetime(2026, 12, 2, tzinfo=UTC), Chat(1, "private"))

    async def another(self) -> bool:
        self.turns.append(len(self.sent))
        return len(self.turns) <= self.most

    async def pause(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def three(self) -> list[int]:
        sent = await send_all([partial(self.send, number) for number in (1, 2, 3)], self.another, self.pause)
        return [one.message_id for one in sent]


async def test_each_message_but_the_first_has_a_turn_of_its_own() -> None:
    wire = Wire()
    assert await wire.three() == [1, 2, 3]
    assert wire.turns == [1, 2]


async def test_where_the_chat_takes_no_more_what_is_there_is_not_said_again() -> None:
    wire = Wire()
    wire.most = 1
    with pytest.raises(Ambiguous, match="2 of 3 messages are there"):
        await wire.three()
    assert wire.sent == [1, 2]


@pytest.mark.parametrize("error", [Transient("slow down", 5), InstallationDead("no"), Unreachable("gone", "gone")])
async def test_while_nothing_is_there_the_caller_hears_why(error: ChannelError) -> None:
    wire = Wire(error)
    with pytest.raises(type(error)):
        await wire.three()
    assert (wire.sent, wire.waits) == ([], [])


async def test_later_parts_are_waited_for_and_the_first_is_not_said_again() -> None:
    wire = Wire(None, Transient("slow down", 5), Transient("cut off"), None, Transient("slow down", 900))
    assert await wire.three() == [1, 2, 3]
    assert (wire.sent, wire.waits) == ([1, 2, 3], [5, 1, LONGEST_WAIT])


@pytest.mark.parametrize(
    ("errors", "waits"),
    [([Transient("slow down")] * TRIES, TRIES - 1), ([PlaceMoved("-100")], 0), ([InstallationDead("no")], 0)],
)
async def test_what_stays_unsent_is_no_reason_to_say_it_all_again(errors: list[ChannelError], waits: int) -> None:
    wire = Wire(None, None, *errors)
    with pytest.raises(Ambiguous, match="2 of 3 messages are there"):
        await wire.three()
    assert (wire.sent, len(wire.waits)) == ([1, 2], waits)


async def test_words_of_more_messages_than_telegram_takes_at_once_are_each_said_once() -> None:
    text = "".join(f"{number:09}\n" for number in range(900))
    async with connected(polls=True, pace=True) as one:
        ana = ana_in(one)
        await one.adapter.channel.say(_say(ana, text))
        said = [message.text for message in one.stand_in.world.history(ana) if "0000" in message.text]
        assert (len(said), "".join("".join(said).split())) == (5, "".join(text.split()))
