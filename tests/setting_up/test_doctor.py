"""What the doctor says when all is well, when nothing can be reached, and how it says it."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
import requests
import responses

from bot.cli import main
from bot.config import load
from bot.doctor.examining import Finding, Level
from bot.doctor.showing import line, paragraph, summary
from bot.web.proof import HEADER, prove
from tests.setting_up.doctoring import Doctor, slack_settings, slack_with, telegram_settings, telegram_with


def status_of(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


async def test_everything_that_is_well_is_said_to_be(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAYSO_API_KEY", "k" * 40)
    await asyncio.to_thread(status_of, "migrate")
    async with slack_with().serve() as slack, telegram_with().serve() as telegram:
        found = await doctor({**slack_settings(slack), **telegram_settings(telegram)})
        assert {name: one.level.value for name, one in found.items()} == {
            "settings": "ok",
            "settings file": "off",
            "data directory": "ok",
            "disk": "ok",
            "database": "ok",
            "keys": "ok",
            "deliveries": "ok",
            "service": "off",
            "Slack token": "ok",
            "Slack workspace": "ok",
            "Slack scopes": "ok",
            "Slack app token": "ok",
            "Slack sockets": "ok",
            "Slack signing secret": "off",
            "Slack interactivity": "warning",
            "Slack app settings": "off",
            "Telegram token": "ok",
            "Telegram webhook": "ok",
            "Telegram updates": "ok",
            "Telegram groups": "ok",
            "Telegram login": "off",
            "Telegram bots": "off",
            "accounts": "off",
            "public address": "warning",
            "clock": "ok",
        }
        assert slack.team_id in found["Slack token"].found
        assert f"@{telegram.bot_username}" in found["Telegram token"].found
        assert "Slack and Telegram" in found["clock"].found
        capsys.readouterr()
        assert await asyncio.to_thread(status_of, "doctor", "--json") == 0
        told = json.loads(capsys.readouterr().out)
        assert [one["check"] for one in told] == list(found)
        assert all(set(one) == {"check", "means", "level", "found", "todo"} and one["means"] for one in told)
        asked = {call.method for call in telegram.journal.calls}
        assert asked == {"getMe", "getWebhookInfo", "getUpdates"}
        assert not [call for call in telegram.journal.calls if "offset" in call.args]


async def test_a_chat_that_is_off_is_one_line(doctor: Doctor) -> None:
    found = await doctor({})
    assert [name for name in found if name.startswith(("Slack", "Telegram"))] == ["Slack token", "Telegram token"]
    assert found["clock"].level is Level.OFF


async def test_chats_that_cannot_be_reached_are_failures_with_what_to_do(doctor: Doctor) -> None:
    nowhere = "http://127.0.0.1:1"
    found = await doctor(
        {
            "SLACK_BOT_TOKEN": "xoxb-1",
            "SLACK_APP_TOKEN": "xapp-1",
            "SLACK_API_URL": nowhere,
            "TELEGRAM_BOT_TOKEN": "12345:abcdefghijklmnopqrstuvwxyz0123456789",
            "TELEGRAM_API_URL": nowhere,
        }
    )
    for name in ("Slack token", "Slack app token", "Telegram token"):
        assert found[name].level is Level.FAILED
        assert "cannot be reached" in found[name].found
        assert "reaches the internet" in found[name].todo
    assert await asyncio.to_thread(status_of, "doctor") == 1


async def test_a_malformed_setting_is_the_only_finding(doctor: Doctor) -> None:
    found = await doctor({"SAYSO_PORT": "none"})
    assert [(one.name, one.level) for one in found.values()] == [("settings", Level.FAILED)]
    assert "SAYSO_PORT" in found["settings"].found


PUBLIC = "https://sayso.example.com"
KEY = {"SAYSO_SECRET_KEY": "s" * 32}


def _ours(request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
    nonce = str(request.url).partition("nonce=")[2]
    return 200, {HEADER: prove(load(KEY_FIELDS).key("health"), nonce)}, "ok\n"


def _another(_: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
    return 200, {HEADER: "0" * 64}, "ok\n"


KEY_FIELDS = {"sayso_secret_key": KEY["SAYSO_SECRET_KEY"]}


@pytest.mark.parametrize(
    ("answer", "level", "words"),
    [
        pytest.param({"callback": _ours}, Level.OK, "leads to this service", id="ours"),
        pytest.param({"callback": _another}, Level.FAILED, "another sayso answers", id="somebody else's sayso"),
        pytest.param({"body": "ok\n"}, Level.FAILED, "another sayso answers", id="an older one without a proof"),
        pytest.param({"body": "<html>hello</html>"}, Level.FAILED, "something else than sayso", id="a web page"),
        pytest.param(
            {"status": 302, "headers": {"Location": "https://login.example"}}, Level.FAILED, "on to", id="a login"
        ),
        pytest.param({"status": 502, "body": "bad"}, Level.FAILED, "HTTP 502", id="a proxy with nothing behind it"),
        pytest.param({"body": requests.ConnectionError()}, Level.FAILED, "nothing answers", id="nothing"),
        pytest.param({"body": requests.exceptions.SSLError()}, Level.FAILED, "certificate", id="a bad certificate"),
    ],
)
async def test_the_public_address_must_lead_to_this_deployment(
    doctor: Doctor, answer: dict[str, Any], level: Level, words: str
) -> None:
    with responses.RequestsMock() as mock:
        if "callback" in answer:
            mock.add_callback("GET", f"{PUBLIC}/healthz", **answer)
        else:
            mock.get(f"{PUBLIC}/healthz", **answer)
        mock.get("http://127.0.0.1:1/healthz", body=requests.ConnectionError())
        found = await doctor({"SAYSO_PUBLIC_URL": PUBLIC, **KEY})
    assert found["public address"].level is level
    assert words in found["public address"].found


async def test_an_address_without_https_is_warned_of(doctor: Doctor) -> None:
    found = await doctor({"SAYSO_PUBLIC_URL": "http://127.0.0.1:8080"})
    assert found["public address"].level is Level.WARNING


@pytest.mark.parametrize(
    ("off_by", "level"),
    [(timedelta(seconds=30), Level.OK), (timedelta(minutes=7), Level.FAILED), (-timedelta(minutes=7), Level.FAILED)],
)
async def test_the_clock_is_compared_with_what_others_say(doctor: Doctor, off_by: timedelta, level: Level) -> None:
    async with slack_with().serve() as slack:
        found = await doctor(slack_settings(slack), off_by=off_by)
    assert found["clock"].level is level
    assert "Slack" in found["clock"].found


async def test_the_database_s_server_has_a_clock_too(doctor: Doctor, postgres_store_url: str) -> None:
    settings = {"SAYSO_DATABASE_URL": postgres_store_url}
    assert (await doctor(settings))["clock"].found == "it agrees with the database"
    late = await doctor(settings, off_by=timedelta(minutes=5))
    assert "off from the database" in late["clock"].found
    for seconds, words in ((10, "ahead of the database's"), (-10, "behind the database's")):
        apart = (await doctor(settings, off_by=timedelta(seconds=seconds)))["clock"]
        assert (apart.level, words in apart.found) == (Level.WARNING, True)  # too far for processes that share it


FAILED = Finding("Slack scopes", "It has them.", Level.FAILED, "missing " + "chat:write, " * 9, "Add them, then look.")
WELL = Finding("disk", "There is room.", Level.OK, "there is room")


def test_a_line_is_one_line_and_a_terminal_gets_what_fits_it() -> None:
    assert line(FAILED) == f"failed   Slack scopes: {FAILED.found}. Add them, then look."
    shown = paragraph(FAILED, 80, coloured=False).splitlines()
    assert all(len(one) <= 80 for one in shown)
    assert shown[0].startswith("failed   Slack scopes: missing")
    assert shown[-1].strip() == "→ Add them, then look."
    assert "\x1b[31mfailed" in paragraph(FAILED, 80, coloured=True)
    assert summary([WELL, FAILED]) == "1 failed."
    assert summary([WELL]) == "All is well."
