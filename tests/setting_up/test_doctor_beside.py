"""What the doctor learns from a service that runs: wrong secrets, other programs on the same app or bot, troubles."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx2
import pytest

from adapters.slack import sockets
from bot.app import App, build
from bot.config import DATA, load
from bot.doctor.examining import Level
from bot.keyfile import NAME as KEY_NAME
from bot.noticing import Noticing
from bot.sandbox.serving import serving
from bot.socket_slots import SocketSlots
from tests.flows.rig import eventually, free_port
from tests.setting_up.doctoring import Doctor, slack_settings, slack_with, telegram_settings, telegram_with
from tests.setting_up.test_doctor_slack import consumer
from tests.setting_up.test_doctor_telegram import fetcher


@asynccontextmanager
async def service(monkeypatch: pytest.MonkeyPatch, settings: Mapping[str, str]) -> AsyncIterator[App]:
    """The service with these settings, as it is served; the doctor finds it by the same ones."""
    for name, value in {**settings, "SAYSO_PORT": str(free_port()), "SAYSO_SECRET_KEY": "s" * 32}.items():
        monkeypatch.setenv(name, value)
    app = build(load())
    async with app.running() as web, serving(web, "127.0.0.1", app.settings.sayso_port):
        yield app


async def test_a_service_that_is_well_has_the_app_and_the_bot_for_itself(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with slack_with().serve() as slack, telegram_with().serve() as telegram:
        settings = {**slack_settings(slack), **telegram_settings(telegram)}
        async with service(monkeypatch, settings) as app:
            await app.chats.all_connected()
            await slack.platform.sockets.wait_for(2)
            await telegram.until(lambda: telegram.polled)
            await eventually(lambda: _known(app, 2))
            calls = len(telegram.journal.calls)
            found = await doctor(settings)
            asked = [call.method for call in list(telegram.journal.calls)[calls:]]
    assert {name: found[name].level.value for name in ("service", "Slack sockets", "Telegram updates")} == {
        "service": "ok",
        "Slack sockets": "ok",
        "Telegram updates": "ok",
    }
    assert "all 2 connections" in found["Slack sockets"].found
    # The one that fetches was not interrupted, and no press could have gone astray.
    assert "getUpdates" not in asked
    assert "s" * 32 not in str(found)


async def _known(app: App, connections: int) -> bool:
    return app.noticing.connections >= connections


async def test_a_service_sees_who_else_is_on_its_app(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    async with slack_with().serve() as slack, consumer(slack):
        settings = slack_settings(slack)
        async with service(monkeypatch, settings) as app:
            await eventually(lambda: _known(app, 3))
            found = await doctor(settings)
    assert found["Slack sockets"].level is Level.FAILED
    assert "another connection to this app is open beside the 2" in found["Slack sockets"].found


async def test_other_processes_of_this_deployment_are_no_strangers(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SLOT_GAP", 0.02)
    async with slack_with().serve() as slack, consumer(slack):
        settings = {**slack_settings(slack), "SLACK_SOCKETS": "3"}
        async with service(monkeypatch, settings) as app:
            await eventually(lambda: _known(app, 3))
            elsewhere = SocketSlots(app.context, "elsewhere", 3, Noticing(app.clock))
            assert await elsewhere.hold(2) == 1
            await slack.platform.sockets.refresh()
            await eventually(lambda: _without_strangers(app))
            found = await doctor(settings)
    assert found["Slack sockets"].level is Level.OK
    assert "2 connections of the service here and 1 of its other processes" in found["Slack sockets"].found


async def _without_strangers(app: App) -> bool:
    return app.noticing.others == 1 and min(app.noticing.strangers) == 0


async def test_a_service_sees_who_else_fetches_its_bot_s_updates(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with telegram_with().serve() as telegram:
        settings = telegram_settings(telegram)
        async with service(monkeypatch, settings) as app:
            await telegram.until(lambda: telegram.polled)
            async with fetcher(telegram):
                await eventually(lambda: _interrupted(app))
            found = await doctor(settings)
    assert found["Telegram updates"].level is Level.FAILED
    assert "somebody else fetched" in found["Telegram updates"].found


async def _interrupted(app: App) -> bool:
    return app.noticing.conflict_at is not None


@pytest.mark.parametrize(("is_right", "level"), [(True, Level.OK), (False, Level.FAILED)])
async def test_a_wrong_signing_secret_shows_when_slack_sends(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, is_right: bool, level: Level
) -> None:
    async with slack_with().serve() as slack:
        slack.workspace.add_user("ana", "Ana", user_id="U0ANA")
        given = slack_settings(slack)
        del given["SLACK_APP_TOKEN"]
        given["SLACK_SIGNING_SECRET"] = slack.signing_secret if is_right else "0" * 32
        async with service(monkeypatch, given) as app:
            await app.chats.all_connected()
            slack.request_url = f"http://127.0.0.1:{app.settings.sayso_port}/slack/events"
            seen = await slack.person("U0ANA").command("/sayso")
            assert seen.status == (200 if is_right else 401)
            found = await doctor(given)
    assert found["Slack signing secret"].level is level
    assert ("signed with it" if is_right else "signed with another secret") in found["Slack signing secret"].found


async def test_a_service_that_lost_a_chat_says_so(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    async with slack_with().serve() as slack:
        slack.workspace.revoke()
        settings = slack_settings(slack)
        async with service(monkeypatch, settings) as app:
            await eventually(lambda: asyncio.sleep(0, bool(app.chats.problems)))
            found = await doctor(settings)
    assert found["service"].level is Level.FAILED
    assert "1 of Slack" in found["service"].found


async def test_somebody_else_at_our_port_is_not_us(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    async with service(monkeypatch, {}):
        for name, value in (("SAYSO_SECRET_KEY", "t" * 32), ("SAYSO_SECRET_KEY", "")):
            monkeypatch.setenv(name, value)
            found = await doctor({})
            assert found["service"].level is Level.WARNING
            assert "another sayso" in found["service"].found
    assert not (DATA / KEY_NAME).exists()  # looking makes no key


async def test_only_a_nonce_is_answered_with_a_proof(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    nonces = {"n" * 24: True, "": False, "short": False, "n" * 65: False, "n" * 20 + "\u00e9": False}
    proved: dict[str, bool] = {}
    async with service(monkeypatch, {}) as app, httpx2.AsyncClient() as client:
        for nonce in nonces:
            answer = await client.get(f"{app.settings.local_url}/healthz", params={"nonce": nonce})
            assert (answer.status_code, answer.text) == (200, "ok\n")
            proved[nonce] = "x-sayso-proof" in answer.headers
        found = await doctor({})
    assert proved == nonces
    assert found["service"].level is Level.OK
