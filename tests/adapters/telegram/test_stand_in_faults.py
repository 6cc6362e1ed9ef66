"""Failures on demand and flood control, as a real python-telegram-bot feels them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta

import pytest
from telegram import Bot
from telegram.error import BadRequest, NetworkError, RetryAfter, TimedOut

from bot.sandbox.telegram import TelegramStandIn
from bot.sandbox.telegram.faults import FaultKind
from bot.sandbox.telegram.people import Status
from bot.sandbox.telegram.places import GroupKind
from tests.adapters.telegram.bots import bot_of, serving


@pytest.fixture(autouse=True)
def _retry_after_is_a_timedelta(monkeypatch: pytest.MonkeyPatch) -> None:
    # Otherwise making a RetryAfter warns that it will be one.
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
async def stand_in() -> AsyncIterator[TelegramStandIn]:
    async with serving() as found:
        found.scene.create_user("Ana", user_id=42)
        found.human.start(42)
        yield found


@pytest.fixture
async def bot(stand_in: TelegramStandIn) -> AsyncIterator[Bot]:
    async with bot_of(stand_in) as found:
        yield found


def sent(stand_in: TelegramStandIn) -> list[str]:
    return [m.text for m in stand_in.world.history(42) if m.author == stand_in.bot_id]


async def test_429_tells_how_long_to_wait_and_nothing_was_sent(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.fail(FaultKind.RATE_LIMITED, "sendMessage", seconds=17)
    with pytest.raises(RetryAfter) as told:
        await bot.send_message(42, "x")
    assert told.value.retry_after == timedelta(seconds=17)
    assert sent(stand_in) == []
    await bot.send_message(42, "y")
    assert sent(stand_in) == ["y"]


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_server_error_is_a_network_error_and_nothing_was_sent(
    stand_in: TelegramStandIn, bot: Bot, status: int
) -> None:
    stand_in.fail(FaultKind.STATUS, "sendMessage", status=status, count=2)
    for _ in range(2):
        with pytest.raises(NetworkError):
            await bot.send_message(42, "x")
    assert sent(stand_in) == []


async def test_a_gateway_error_may_hide_that_it_was_sent(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.fail(FaultKind.STATUS_AFTER, "sendMessage", status=502)
    with pytest.raises(NetworkError):
        await bot.send_message(42, "x")
    assert sent(stand_in) == ["x"]


async def test_a_response_dropped_after_acceptance_leaves_the_message_behind(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    stand_in.fail(FaultKind.DROP_AFTER, "sendMessage")
    with pytest.raises(NetworkError):
        await bot.send_message(42, "x")
    assert sent(stand_in) == ["x"]
    (call,) = stand_in.journal.of("sendMessage")
    assert (call.done, call.status, call.fault) == (True, None, "drop_after")


async def test_a_connection_dropped_before_leaves_nothing(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.fail(FaultKind.DROP_BEFORE, "sendMessage")
    with pytest.raises(NetworkError):
        await bot.send_message(42, "x")
    assert sent(stand_in) == []
    assert stand_in.journal.of("sendMessage", done=True) == []


async def test_a_slow_answer_times_out_although_it_was_sent(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.fail(FaultKind.SLOW, "sendMessage", seconds=30)
    with pytest.raises(TimedOut):
        await bot.send_message(42, "x", read_timeout=0.1)
    assert sent(stand_in) == ["x"]


async def test_any_error_can_be_answered_for_one_chat_only(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.scene.create_user("Ben", user_id=43)
    stand_in.human.start(43)
    stand_in.fail(
        FaultKind.ERROR, "sendMessage", chat_id=43, status=400, description="Bad Request: CHAT_WRITE_FORBIDDEN"
    )
    await bot.send_message(42, "x")
    with pytest.raises(BadRequest, match=r"(?i)chat_write_forbidden"):
        await bot.send_message(43, "x")


async def test_while_it_is_away_nothing_answers_and_afterwards_everything_does(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    stand_in.faults.go_away(60)
    with pytest.raises(NetworkError):
        await bot.send_message(42, "x")
    stand_in.clock.advance(61)
    await bot.send_message(42, "y")
    assert sent(stand_in) == ["y"]


async def test_while_its_port_is_closed_a_client_knows_that_it_was_not_heard(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    await stand_in.away(60, refuse=True)
    with pytest.raises(NetworkError) as refused:
        await bot.send_message(42, "x")
    assert "ConnectError" in str(refused.value)
    stand_in.clock.advance(61)
    while True:
        with suppress(NetworkError):
            await bot.send_message(42, "y")
            break
    assert sent(stand_in) == ["y"]


async def test_a_chat_takes_a_short_burst_and_then_one_a_second() -> None:
    async with serving(pace=True) as stand_in, bot_of(stand_in) as bot:
        stand_in.scene.create_user("Ana", user_id=42)
        stand_in.human.start(42)
        for number in range(4):
            await bot.send_message(42, str(number))
        with pytest.raises(RetryAfter) as told:
            await bot.send_message(42, "one too many")
        assert told.value.retry_after == timedelta(seconds=1)
        stand_in.clock.advance(1)
        await bot.send_message(42, "4")
        assert sent(stand_in) == ["0", "1", "2", "3", "4"]


async def test_a_group_takes_twenty_a_minute_and_edits_count() -> None:
    async with serving(pace=True) as stand_in, bot_of(stand_in) as bot:
        stand_in.scene.create_user("Ana", user_id=42)
        group = stand_in.scene.create_group("Ops", [42], kind=GroupKind.GROUP, bot=Status.ADMINISTRATOR)
        card = await bot.send_message(group.id, "0")
        for number in range(1, 20):
            stand_in.clock.advance(1)
            await bot.edit_message_text(str(number), group.id, card.message_id)
        stand_in.clock.advance(1)
        with pytest.raises(RetryAfter) as told:
            await bot.send_message(group.id, "one too many")
        assert isinstance(told.value.retry_after, timedelta)
        assert timedelta(seconds=39) <= told.value.retry_after <= timedelta(seconds=41)


async def test_thirty_messages_a_second_is_the_most_over_all_chats(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(pace=True) as stand_in, bot_of(stand_in) as bot:
        now = stand_in.clock.elapsed()
        monkeypatch.setattr(stand_in.clock, "elapsed", lambda: now)  # however long sixty messages take here
        crowd = [stand_in.scene.create_user(f"P{n}").id for n in range(60)]
        for who in crowd:
            stand_in.human.start(who)
        results = await asyncio.gather(*(bot.send_message(who, "x") for who in crowd), return_exceptions=True)
        limited = [result for result in results if isinstance(result, RetryAfter)]
        assert len(limited) == 30


async def test_a_webhook_is_set_once_a_second() -> None:
    async with serving(pace=True) as stand_in, bot_of(stand_in) as bot:
        await bot.set_webhook("http://127.0.0.1:9/a")
        with pytest.raises(RetryAfter):
            await bot.set_webhook("http://127.0.0.1:9/b")
        stand_in.clock.advance(1)
        await bot.set_webhook("http://127.0.0.1:9/b")
        assert (await bot.get_webhook_info()).url == "http://127.0.0.1:9/b"
