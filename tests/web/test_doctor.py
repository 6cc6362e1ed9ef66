"""The doctor against the stand-ins: what is well, what is not, what to do about it, and no secret in any line."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
import requests
import responses

from bot.cli import main
from bot.doctor import Finding, examine
from bot.examining import Level
from bot.sandbox.slack.settings import StandInSettings as SlackSettings
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.stand_in import TelegramStandIn


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


async def findings(
    monkeypatch: pytest.MonkeyPatch, settings: Mapping[str, str], off_by: timedelta = timedelta()
) -> dict[str, Finding]:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    found = await asyncio.to_thread(lambda: list(examine(lambda: datetime.now(UTC) + off_by)))
    for secret in (value for name, value in settings.items() if name.endswith(("TOKEN", "SECRET", "KEY"))):
        assert not any(secret in one.line() for one in found)
    return {one.name: one for one in found}


def slack_settings(slack: SlackStandIn) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "SLACK_API_URL": slack.api_url,
    }


async def test_everything_that_is_well_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_API_KEY", "k" * 40)
    await asyncio.to_thread(_migrate)
    async with SlackStandIn().serve() as slack, TelegramStandIn().serve() as telegram:
        found = await findings(
            monkeypatch,
            {
                **slack_settings(slack),
                "TELEGRAM_BOT_TOKEN": telegram.bot_token,
                "TELEGRAM_API_URL": telegram.api_url,
            },
        )
        levels = {name: one.level for name, one in found.items()}
        assert levels == {
            "settings": Level.OK,
            "database": Level.OK,
            "keys": Level.OK,
            "Slack token": Level.OK,
            "Slack scopes": Level.OK,
            "Slack signing secret": Level.OFF,
            "Slack app token": Level.OK,
            "Telegram token": Level.OK,
            "Telegram webhook": Level.OK,
            "public address": Level.WARNING,
            "clock": Level.OFF,  # the stand-ins do not say what time it is
        }
        assert slack.team_id in found["Slack token"].sentence
        assert f"@{telegram.bot_username}" in found["Telegram token"].sentence
        assert await asyncio.to_thread(status_of, ["doctor"]) == 0
        assert not [call for call in telegram.journal.calls if call.method not in ("getMe", "getWebhookInfo")]


def _migrate() -> None:
    status_of(["migrate"])


def status_of(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


async def test_tokens_that_are_refused_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    async with SlackStandIn().serve() as slack, TelegramStandIn().serve() as telegram:
        found = await findings(
            monkeypatch,
            {
                "SLACK_BOT_TOKEN": "xoxb-not-this-one",
                "SLACK_APP_TOKEN": "xapp-not-this-one",
                "SLACK_API_URL": slack.api_url,
                "TELEGRAM_BOT_TOKEN": "1:not-this-one-at-all-000000000000000",
                "TELEGRAM_API_URL": telegram.api_url,
            },
        )
        for name in ("Slack token", "Slack app token", "Telegram token", "Telegram webhook"):
            assert found[name].level is Level.FAILED
        assert "invalid_auth" in found["Slack token"].sentence
        assert found["Slack scopes"].level is Level.OFF
        assert await asyncio.to_thread(status_of, ["doctor"]) == 1


async def test_a_missing_scope_is_named_with_what_it_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    granted = frozenset({"chat:write", "commands", "im:write", "im:history", "users:read", "channels:read"})
    async with SlackStandIn(SlackSettings(scopes=granted)).serve() as slack:
        found = await findings(monkeypatch, slack_settings(slack))
    assert found["Slack scopes"].level is Level.FAILED
    assert "channels:history (to read what people write" in found["Slack scopes"].sentence
    assert "chat:write" not in found["Slack scopes"].sentence


@pytest.mark.parametrize(("secret", "level"), [("0123456789abcdef" * 2, Level.OK), ("my-password", Level.WARNING)])
async def test_a_signing_secret_has_a_shape(monkeypatch: pytest.MonkeyPatch, secret: str, level: Level) -> None:
    async with SlackStandIn().serve() as slack:
        settings = {"SLACK_BOT_TOKEN": slack.bot_token, "SLACK_API_URL": slack.api_url}
        found = await findings(monkeypatch, settings | {"SLACK_SIGNING_SECRET": secret})
    assert found["Slack signing secret"].level is level
    assert found["Slack app token"].level is Level.OFF


async def test_a_webhook_of_another_deployment_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async with TelegramStandIn().serve() as telegram:
        async with httpx2.AsyncClient() as other:
            method = f"{telegram.api_url}/bot{telegram.bot_token}/setWebhook"
            set_ = await other.post(method, json={"url": "https://elsewhere.example/secret-path"})
        assert set_.json()["ok"]
        found = await findings(
            monkeypatch, {"TELEGRAM_BOT_TOKEN": telegram.bot_token, "TELEGRAM_API_URL": telegram.api_url}
        )
    assert found["Telegram webhook"].level is Level.FAILED
    assert "https://elsewhere.example" in found["Telegram webhook"].sentence
    assert "secret-path" not in found["Telegram webhook"].sentence


async def test_chats_that_cannot_be_reached_are_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = "http://127.0.0.1:1"
    found = await findings(
        monkeypatch,
        {
            "SLACK_BOT_TOKEN": "xoxb-1",
            "SLACK_APP_TOKEN": "xapp-1",
            "SLACK_API_URL": nowhere,
            "TELEGRAM_BOT_TOKEN": "1:abcdefghijklmnopqrstuvwxyz0123456789",
            "TELEGRAM_API_URL": nowhere,
        },
    )
    for name in ("Slack token", "Slack app token", "Telegram token", "Telegram webhook"):
        assert found[name].level is Level.FAILED
        assert "cannot be reached" in found[name].sentence
    assert found["clock"].level is Level.OFF


async def test_a_database_that_is_empty_is_a_warning_and_one_that_is_none_a_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert (await findings(monkeypatch, {}))["database"].level is Level.WARNING
    (tmp_path / "notes.txt").write_text("this is no database, only a longer text that looks like none")
    found = await findings(monkeypatch, {"SAYSO_DATABASE_URL": f"sqlite:///{tmp_path / 'notes.txt'}"})
    assert found["database"].level is Level.FAILED
    assert "SAYSO_DATABASE_URL" in found["database"].sentence


async def test_a_malformed_setting_is_the_only_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    found = await findings(monkeypatch, {"SAYSO_PORT": "none"})
    assert [(one.name, one.level) for one in found.values()] == [("settings", Level.FAILED)]
    assert "SAYSO_PORT" in found["settings"].sentence


async def test_short_keys_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await findings(monkeypatch, {"SAYSO_API_KEY": "12345678"}))["keys"].level is Level.WARNING


PUBLIC = "https://sayso.example.com"


@pytest.mark.parametrize(
    ("answer", "level", "words"),
    [
        ({"body": "ok\n"}, Level.OK, "this service answers"),
        ({"body": "<html>hello</html>"}, Level.FAILED, "something else than sayso"),
        ({"status": 302, "headers": {"Location": "https://login.example"}}, Level.FAILED, "something else"),
        ({"body": requests.ConnectionError()}, Level.FAILED, "nothing answers"),
    ],
)
async def test_the_public_address_must_lead_to_this_service(
    monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any], level: Level, words: str
) -> None:
    with responses.RequestsMock() as mock:
        mock.get(f"{PUBLIC}/healthz", **answer)
        found = await findings(monkeypatch, {"SAYSO_PUBLIC_URL": PUBLIC})
    assert found["public address"].level is level
    assert words in found["public address"].sentence


async def test_an_address_without_https_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    found = await findings(monkeypatch, {"SAYSO_PUBLIC_URL": "http://127.0.0.1:8080"})
    assert found["public address"].level is Level.WARNING


@pytest.mark.parametrize(
    ("off_by", "level"),
    [(timedelta(seconds=30), Level.OK), (timedelta(minutes=7), Level.FAILED), (-timedelta(minutes=7), Level.FAILED)],
)
async def test_the_clock_is_compared_with_what_others_say(
    monkeypatch: pytest.MonkeyPatch, off_by: timedelta, level: Level
) -> None:
    with responses.RequestsMock() as mock:
        said = datetime.now(UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
        mock.get(f"{PUBLIC}/healthz", body="ok\n", headers={"Date": said})
        found = await findings(monkeypatch, {"SAYSO_PUBLIC_URL": PUBLIC}, off_by=off_by)
    assert found["clock"].level is level
    assert "the public address" in found["clock"].sentence
