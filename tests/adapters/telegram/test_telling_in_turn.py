"""Answers to what people write to the bot: they take their turns beside everything else that is written to a chat."""

from __future__ import annotations

from dataclasses import dataclass, field

from adapters.telegram.client import TelegramClient
from adapters.telegram.telling import Teller
from bot.sandbox.telegram.faults import FaultKind
from core.replies import Helped
from tests.adapters.telegram.connected import Connected, ana_in, connected


@dataclass
class Turns:
    """Gives turns, as long as it may, and notes who asked for them."""

    gives: bool = True
    taken: list[tuple[str, str]] = field(default_factory=list)
    held: list[tuple[str, str, float]] = field(default_factory=list)

    async def take(self, account: str, conversation: str) -> bool:
        self.taken.append((account, conversation))
        return self.gives

    async def hold(self, account: str, conversation: str, seconds: float) -> None:
        self.held.append((account, conversation, seconds))


async def _answer(one: Connected, ana: int, turns: Turns) -> list[str]:
    """Answer what Ana wrote, and return what the bot answered in her chat."""
    one.stand_in.human.write(ana, ana, "/start")
    (arrival, *_) = await one.intake.first()
    client = TelegramClient(one.stand_in.bot_token, one.stand_in.api_url)
    await client.open()
    try:
        teller = Teller(client, turns)
        teller.account = one.me.username
        await teller.tell(arrival, Helped("Ask away."))
    finally:
        await client.close()
    return [said.text for said in one.stand_in.world.history(ana) if said.author == one.me.id and "Ask" in said.text]


async def test_an_answer_takes_the_turn_of_its_chat_first() -> None:
    async with connected(polls=True) as one:
        ana, turns = ana_in(one), Turns()
        assert await _answer(one, ana, turns) == ["Ask away."]
        assert turns.taken == [(one.me.username, str(ana))]
        assert turns.held == []


async def test_an_answer_whose_turn_would_come_too_late_is_not_sent() -> None:
    async with connected(polls=True) as one:
        assert await _answer(one, ana_in(one), Turns(gives=False)) == []


async def test_an_answer_that_was_one_message_too_many_holds_the_chat_and_is_sent_once_its_turn_comes() -> None:
    async with connected(polls=True) as one:
        one.stand_in.fail(FaultKind.RATE_LIMITED, "sendMessage", seconds=2)
        ana, turns = ana_in(one), Turns()
        assert await _answer(one, ana, turns) == ["Ask away."]
        chat = str(ana)
        assert turns.taken == [(one.me.username, chat)] * 2
        assert turns.held == [(one.me.username, chat, 2.0)]
