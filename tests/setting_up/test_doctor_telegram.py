"""Each thing that goes wrong with a Telegram bot, set up on the stand-in, and the line that says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx2
import pytest

from bot.doctor import telegram as telegram_checks
from bot.doctor.examining import Level
from bot.sandbox.telegram.people import Status
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.startup import WORKSPACE
from core.people import AgentRole, Identity
from core.ports import Context
from core.store import Store
from core.use_cases.agent_accounts import link_account
from core.use_cases.agents import add_agent
from tests.setting_up.doctoring import Doctor, telegram_settings, telegram_with
from tests.setting_up.stores import in_new_store


async def _call(telegram: TelegramStandIn, method: str, **arguments: Any) -> dict[str, Any]:
    async with httpx2.AsyncClient() as client:
        answer = await client.post(f"{telegram.api_url}/bot{telegram.bot_token}/{method}", json=arguments)
    body: dict[str, Any] = answer.json()
    return body


async def test_a_token_that_is_not_known_says_where_the_right_one_is(doctor: Doctor) -> None:
    async with telegram_with().serve() as telegram:
        wrong = {**telegram_settings(telegram), "TELEGRAM_BOT_TOKEN": f"{telegram.bot_id}:{'x' * 35}"}
        found = await doctor(wrong)
    assert found["Telegram token"].level is Level.FAILED
    assert "does not know this token" in found["Telegram token"].found
    assert "BotFather" in found["Telegram token"].todo
    assert found["Telegram webhook"].level is Level.OFF


async def test_a_webhook_of_another_deployment_is_a_failure(doctor: Doctor) -> None:
    async with telegram_with().serve() as telegram:
        assert (await _call(telegram, "setWebhook", url="https://elsewhere.example/secret-path"))["ok"]
        found = await doctor(telegram_settings(telegram))
    assert found["Telegram webhook"].level is Level.FAILED
    assert "https://elsewhere.example" in found["Telegram webhook"].found
    assert "secret-path" not in found["Telegram webhook"].found
    assert found["Telegram updates"].level is Level.OFF


async def test_a_webhook_that_cannot_be_delivered_to_says_what_telegram_saw(doctor: Doctor) -> None:
    nowhere = "http://127.0.0.1:1"
    async with telegram_with(webhook_retry=0.01).serve() as telegram:
        telegram.scene.create_user("Ana", user_id=42)
        assert (await _call(telegram, "setWebhook", url=f"{nowhere}/telegram/webhook"))["ok"]
        telegram.human.start(42)
        await telegram.until(lambda: telegram.parts.webhook.last_error)
        settings = {"SAYSO_PUBLIC_URL": nowhere, "TELEGRAM_WEBHOOK_SECRET": "s" * 20}
        found = await doctor({**telegram_settings(telegram), **settings})
    assert found["Telegram webhook"].level is Level.FAILED
    assert "ConnectError" in found["Telegram webhook"].found
    assert "updates wait" in found["Telegram webhook"].found


async def test_a_webhook_that_is_not_set_yet_is_set_by_the_service(doctor: Doctor) -> None:
    settings = {"SAYSO_PUBLIC_URL": "http://127.0.0.1:1", "TELEGRAM_WEBHOOK_SECRET": "s" * 20}
    async with telegram_with().serve() as telegram:
        found = await doctor({**telegram_settings(telegram), **settings})
    assert found["Telegram webhook"].level is Level.WARNING
    assert "sayso serve" in found["Telegram webhook"].todo


async def test_updates_that_pile_up_are_told(doctor: Doctor) -> None:
    async with telegram_with().serve() as telegram:
        telegram.scene.create_user("Ana", user_id=42)
        telegram.human.start(42)
        for number in range(60):
            telegram.human.write(42, 42, f"message {number}")
        found = await doctor(telegram_settings(telegram))
    assert found["Telegram webhook"].level is Level.WARNING
    assert "61 updates wait" in found["Telegram webhook"].found
    assert len(telegram.parts.queue) == 61  # looking confirms none of them


async def test_another_program_that_fetches_is_a_failure(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telegram_checks, "LISTEN", 1)
    async with telegram_with().serve() as telegram, fetcher(telegram):
        found = await doctor(telegram_settings(telegram))
    assert found["Telegram updates"].level is Level.FAILED
    assert "somebody else fetches" in found["Telegram updates"].found


@asynccontextmanager
async def fetcher(telegram: TelegramStandIn) -> AsyncIterator[None]:
    """Somebody else's program, which fetches again whenever it was interrupted."""

    async def fetch() -> None:
        while True:
            await _call(telegram, "getUpdates", timeout=5)
            await asyncio.sleep(0.02)

    task = asyncio.create_task(fetch())
    try:
        await telegram.until(lambda: telegram.polled)
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_a_bot_that_may_not_join_groups_is_told(doctor: Doctor) -> None:
    async with telegram_with(can_join_groups=False).serve() as telegram:
        found = await doctor(telegram_settings(telegram))
    assert found["Telegram groups"].level is Level.WARNING
    assert "/setjoingroups" in found["Telegram groups"].todo


async def test_privacy_mode_is_told_and_is_no_trouble_for_cards(doctor: Doctor) -> None:
    for privacy, words in ((True, "privacy mode is on"), (False, "every message")):
        async with telegram_with(privacy=privacy).serve() as telegram:
            found = await doctor(telegram_settings(telegram))
        assert found["Telegram groups"].level is Level.OK
        assert words in found["Telegram groups"].found


@pytest.mark.parametrize("told", ["asks.example.com", "elsewhere.example.com"])
async def test_whether_telegram_knows_the_address_that_people_log_in_from_is_told(doctor: Doctor, told: str) -> None:
    async with telegram_with().serve() as telegram:
        telegram.saying_who.domain = told
        settings = {**telegram_settings(telegram), "SAYSO_PUBLIC_URL": "https://asks.example.com/sayso"}
        found = (await doctor(settings))["Telegram login"]
    if told == "asks.example.com":
        assert found.level is Level.OK
    else:
        assert found.level is Level.WARNING
        assert found.todo.endswith(
            f"/setdomain to @BotFather, choose @{telegram.bot_username} and send: asks.example.com"
        )


async def test_linked_bots_are_not_heard_in_privacy_mode(doctor: Doctor) -> None:
    async def link(_: Store, context: Context) -> None:
        await add_agent(context, WORKSPACE, "worker", AgentRole.AGENT, "sha256:1", "whsec_" + "a" * 32)
        await link_account(context, WORKSPACE, "worker", Identity(provider="telegram", user="777000111"))

    await in_new_store(link)
    for privacy, level, words in ((True, Level.FAILED, "privacy mode is on"), (False, Level.WARNING, "bot-to-bot")):
        async with telegram_with(privacy=privacy).serve() as telegram:
            found = await doctor(telegram_settings(telegram))
        assert found["Telegram bots"].level is level
        assert words in found["Telegram bots"].found


async def test_chats_are_looked_at_one_by_one(doctor: Doctor) -> None:
    async with telegram_with().serve() as telegram:
        for number, name in ((42, "Ana"), (43, "Bea"), (44, "Carl")):
            telegram.scene.create_user(name, user_id=number)
        telegram.human.start(42)
        telegram.human.start(44)
        telegram.human.block(44)
        groups = {
            status: telegram.scene.create_group(status.value.title(), [42], bot=status).id
            for status in (Status.MEMBER, Status.ADMINISTRATOR, Status.RESTRICTED, Status.LEFT, Status.KICKED)
        }
        places = {
            "telegram:42": (Level.OK, "Ana can be asked"),
            "telegram:43": (Level.FAILED, "may not write to Bea"),
            "telegram:44": (Level.FAILED, "may not write to Carl (Forbidden: bot was blocked"),
            "telegram:4711": (Level.FAILED, "does not show it"),
            f"telegram:{groups[Status.MEMBER]}": (Level.OK, "only to an administrator"),
            f"telegram:{groups[Status.ADMINISTRATOR]}": (Level.OK, "is an administrator"),
            f"telegram:{groups[Status.RESTRICTED]}": (Level.FAILED, "may not write"),
            f"telegram:{groups[Status.LEFT]}": (Level.FAILED, "does not show it"),
            f"telegram:{groups[Status.KICKED]}": (Level.FAILED, "does not show it"),
        }
        found = await doctor(telegram_settings(telegram), list(places))
    assert {name: (found[name].level, words in found[name].found) for name, (_, words) in places.items()} == {
        name: (level, True) for name, (level, _) in places.items()
    }
    assert f"https://t.me/{telegram.bot_username}" in found["telegram:43"].todo
