"""The token is in every address of the Bot API, and must not get out of there."""

from __future__ import annotations

import logging

import pytest

from adapters.telegram import TelegramSettings
from bot.sandbox.telegram.faults import Failure, FaultKind
from core.errors import ChannelError, Misconfigured
from core.outbox import Say
from tests.adapters.telegram.connected import SECRET, connected


async def test_no_log_line_and_no_error_holds_the_token(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("httpx").setLevel(logging.DEBUG)
    async with connected(polls=True) as one:
        kinds = (FaultKind.DROP_BEFORE, FaultKind.STATUS, FaultKind.ERROR)
        for kind in kinds:
            one.stand_in.faults.plan(Failure(kind=kind, method="sendMessage"))
        words = Say(provider="telegram", account="b", channel="42", text="hello")
        told = []
        for _ in kinds:
            with pytest.raises(ChannelError) as error:
                await one.adapter.channel.say(words)
            told.append(f"{error.value!r} {error.value.__cause__!r} {error.value.__context__!r}")
        secret = one.stand_in.settings.bot_secret
        assert secret not in caplog.text
        assert secret not in " ".join(told)
        assert secret not in repr(one.adapter._settings)
        assert SECRET not in repr(TelegramSettings("t", webhook_secret=SECRET))


async def test_a_webhook_that_telegram_does_not_take_names_the_settings() -> None:
    async with connected() as one:
        one.stand_in.faults.plan(
            Failure(
                kind=FaultKind.ERROR,
                method="setWebhook",
                status=400,
                description="Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
            )
        )
        with pytest.raises(Misconfigured, match="SAYSO_PUBLIC_URL") as wrong:
            await one.adapter.start()
        assert one.stand_in.settings.bot_secret not in str(wrong.value)
        assert SECRET not in str(wrong.value)


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        (TelegramSettings("t"), None),
        (TelegramSettings("t", webhook_secret=SECRET), None),
        (TelegramSettings("t", public_url="https://sayso.example.com"), None),
        (
            TelegramSettings("t", webhook_secret=SECRET, public_url="https://sayso.example.com/"),
            "https://sayso.example.com/telegram/webhook",
        ),
    ],
)
def test_updates_are_delivered_only_with_a_secret_and_an_address(settings: TelegramSettings, url: str | None) -> None:
    assert settings.webhook_url == url
