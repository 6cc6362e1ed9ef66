"""Setting up tells what @BotFather must be told before people can sign in with Telegram, where they could."""

from __future__ import annotations

import asyncio

import pytest

from bot.setup.asking import Talk
from bot.setup.given import Given
from bot.setup.telegram import connect
from tests.setting_up.doctoring import telegram_with


@pytest.mark.parametrize(
    ("address", "told"), [("https://asks.example.com/sayso", True), ("http://asks.example.com", False), ("", False)]
)
async def test_the_host_to_send_is_named(address: str, told: bool, capsys: pytest.CaptureFixture[str]) -> None:
    async with telegram_with().serve() as telegram:
        given = Given(
            telegram_bot_token=telegram.bot_token, telegram_api_url=telegram.api_url, sayso_public_url=address
        )
        await asyncio.to_thread(connect, Talk(attended=False), given)
    said = " ".join(capsys.readouterr().out.split())
    assert f"it is @{telegram.bot_username}" in said
    assert (f"/setdomain to @BotFather, choose @{telegram.bot_username}, send asks.example.com" in said) is told
