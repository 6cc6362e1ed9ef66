"""Messages of ours that are taken out of a chat: several at once where it can, each call in its turn, whatever of them
is gone or too old."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import pytest

from bot.chats import Chats
from bot.errands.noting import Notes
from bot.errands.words import WordErrands
from bot.pace import Pace
from bot.telemetry import Telemetry
from core.addresses import Provider
from core.channels import Channel
from core.dues import LEASE
from core.errors import ChannelError, MessageGone, Misrendered, Transient
from core.outbox import Lane, TakeBack
from core.ports import Connection
from core.use_cases.recording import owe
from core.use_cases.transact import transact
from tests.flows.free_turns import FreeTurns
from tests.use_cases.bench import Bench, bench
from tests.use_cases.cast import HERE


@dataclass
class Wall:
    """A chat that deletes three messages at once, or none of them where one is `stuck`."""

    provider: Provider = Provider.TELEGRAM
    account: str = "bot"
    deleted_at_once: int = 3
    stuck: dict[str, ChannelError] = field(default_factory=dict)
    asked: list[tuple[str, ...]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)

    async def take_back(self, channel: str, messages: Sequence[str]) -> None:
        """Delete them."""
        assert channel == "42"
        assert 0 < len(messages) <= self.deleted_at_once
        self.asked.append(tuple(messages))
        for one in messages:
            if one in self.stuck:
                raise self.stuck[one]
        self.gone |= set(messages)


@dataclass
class Desk:
    """What is owed, and the errand that does it."""

    b: Bench
    wall: Wall = field(default_factory=Wall)
    turns: FreeTurns = field(default_factory=FreeTurns)

    async def take_back(self, *messages: str) -> None:
        """Owe it, and do it once."""
        task = TakeBack(provider="telegram", account="bot", channel="42", messages=messages)
        context, now = self.b.context, self.b.clock.now()
        await transact(context, lambda work: owe(work, context, HERE, Lane.TALK, "here", task, now))
        await self.again()

    async def again(self) -> None:
        """Do what is owed, once."""
        context, now = self.b.context, self.b.clock.now()
        chats = Chats(context, self.b.store.records, HERE)
        chats.adopt(Connection("con_9", HERE, Provider.TELEGRAM, "bot", "Sayso", "7"), cast("Channel", self.wall))
        words = WordErrands(Notes(context, chats, Telemetry(), Pace(self.turns)), link_ok=True)
        for claimed in await self.b.store.outbox.claim([Lane.TALK], now, now + LEASE, "desk", 9):
            assert isinstance(claimed.delivery.task, TakeBack)
            await words.take_back(claimed, claimed.delivery.task)


@pytest.fixture
async def desk(sqlite_store_url: str) -> AsyncIterator[Desk]:
    """An empty one."""
    async with bench(sqlite_store_url) as b:
        yield Desk(b)


async def test_as_many_are_deleted_at_once_as_the_chat_can_and_each_call_has_its_turn(desk: Desk) -> None:
    await desk.take_back("1", "2", "3", "4", "5", "6", "7")
    assert desk.wall.asked == [("1", "2", "3"), ("4", "5", "6"), ("7",)]
    assert len(desk.turns.names) == 2, "the first call has that of the delivery"
    assert all("deletions" in name for name in desk.turns.names), "nothing of what may be written is used up"
    assert await desk.b.owed() == []


@pytest.mark.parametrize("error", [Misrendered("too old"), MessageGone("gone")])
async def test_where_one_keeps_the_others_they_are_deleted_one_by_one(desk: Desk, error: ChannelError) -> None:
    desk.wall.stuck = {"2": error}
    await desk.take_back("1", "2", "3", "4")
    assert desk.wall.asked == [("1", "2", "3"), ("1",), ("2",), ("3",), ("4",)]
    assert desk.wall.gone == {"1", "3", "4"}
    assert len(desk.turns.names) == 4
    assert await desk.b.owed() == [], "what can never be deleted stays"


async def test_what_could_not_be_asked_for_now_is_asked_for_again(desk: Desk) -> None:
    desk.wall.stuck = {"4": Transient("later")}
    await desk.take_back("1", "2", "3", "4")
    desk.wall.stuck = {}
    desk.b.clock.move(minutes=1)
    await desk.again()
    assert desk.wall.gone == {"1", "2", "3", "4"}
    assert desk.wall.asked[-2:] == [("1", "2", "3"), ("4",)]
    assert await desk.b.owed() == []
