"""Each thing that goes wrong with a Slack app, set up on the stand-in, and the line that says so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.doctor.examining import Level
from bot.sandbox.slack.faults import FaultKind
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.ports import Connection, Context
from core.store import Store
from tests.setting_up.doctoring import GRANTED, Doctor, slack_settings, slack_with
from tests.setting_up.stores import in_new_store

Arrange = Callable[[SlackStandIn, dict[str, str]], None]


def _revoked(slack: SlackStandIn, _: dict[str, str]) -> None:
    slack.workspace.revoke()


def _uninstalled(slack: SlackStandIn, _: dict[str, str]) -> None:
    slack.workspace.uninstall()


def _unknown(_: SlackStandIn, settings: dict[str, str]) -> None:
    settings["SLACK_BOT_TOKEN"] = "xoxb-nobody-knows-this-one"


def _scopeless(slack: SlackStandIn, _: dict[str, str]) -> None:
    slack.workspace.grant(*(GRANTED - {"channels:history"}))


def _generous(slack: SlackStandIn, _: dict[str, str]) -> None:
    slack.workspace.grant(*GRANTED, "files:write")


def _of_another_app(slack: SlackStandIn, settings: dict[str, str]) -> None:
    settings["SLACK_APP_TOKEN"] = slack.settings.other_app_token


def _socket_mode_off(slack: SlackStandIn, _: dict[str, str]) -> None:
    slack.platform.sockets.enabled = False


def _interactivity_off(slack: SlackStandIn, settings: dict[str, str]) -> None:
    slack.platform.interactivity = False
    settings["SLACK_CONFIG_TOKEN"] = slack.settings.config_token


def _settings_of_http(slack: SlackStandIn, settings: dict[str, str]) -> None:
    slack.request_url = "https://elsewhere.example/slack/events"
    settings["SLACK_CONFIG_TOKEN"] = slack.settings.config_token


def _late_config_token(slack: SlackStandIn, settings: dict[str, str]) -> None:
    settings["SLACK_CONFIG_TOKEN"] = slack.settings.ended_config_token


def _asked_too_often(slack: SlackStandIn, _: dict[str, str]) -> None:
    slack.fail(FaultKind.RATE_LIMITED, "apps.connections.open")


def _over_http(slack: SlackStandIn, settings: dict[str, str]) -> None:
    del settings["SLACK_APP_TOKEN"]
    settings["SLACK_SIGNING_SECRET"] = slack.signing_secret


def _odd_secret(slack: SlackStandIn, settings: dict[str, str]) -> None:
    _over_http(slack, settings)
    settings["SLACK_SIGNING_SECRET"] = "my-password"


def _client_id_for_secret(slack: SlackStandIn, settings: dict[str, str]) -> None:
    _over_http(slack, settings)
    settings["SLACK_SIGNING_SECRET"] = slack.settings.client_id


def _socket_for_http(slack: SlackStandIn, settings: dict[str, str]) -> None:
    _over_http(slack, settings)
    settings["SLACK_CONFIG_TOKEN"] = slack.settings.config_token


@pytest.mark.parametrize(
    ("arrange", "check", "level", "words"),
    [
        # what is wrong, the line that says so, how bad it is, and what the line says
        pytest.param(_revoked, "Slack token", Level.FAILED, "revoked (token_revoked)", id="revoked token"),
        pytest.param(_uninstalled, "Slack token", Level.FAILED, "was removed", id="app removed"),
        pytest.param(_unknown, "Slack token", Level.FAILED, "does not know", id="unknown token"),
        pytest.param(_scopeless, "Slack scopes", Level.FAILED, "channels:history (to read", id="scope missing"),
        pytest.param(_generous, "Slack scopes", Level.WARNING, "more than are used: files:write", id="scope surplus"),
        pytest.param(_of_another_app, "Slack app token", Level.FAILED, "A0OTHER", id="tokens of two apps"),
        pytest.param(_socket_mode_off, "Slack sockets", Level.FAILED, "Socket Mode is off", id="Socket Mode off"),
        pytest.param(
            _interactivity_off, "Slack app settings", Level.FAILED, "Interactivity is off", id="interactivity off"
        ),
        pytest.param(
            _settings_of_http, "Slack app settings", Level.FAILED, "Socket Mode is off", id="app set up for HTTP"
        ),
        pytest.param(
            _socket_for_http, "Slack app settings", Level.FAILED, "Socket Mode is on", id="app set up for sockets"
        ),
        pytest.param(
            _late_config_token, "Slack app settings", Level.WARNING, "has ended", id="configuration token too old"
        ),
        pytest.param(_asked_too_often, "Slack app token", Level.WARNING, "asked to wait", id="asked too often"),
        pytest.param(_over_http, "Slack signing secret", Level.OK, "has the shape", id="secret with the right shape"),
        pytest.param(_odd_secret, "Slack signing secret", Level.FAILED, "does not look like", id="secret of no shape"),
        pytest.param(
            _client_id_for_secret,
            "Slack signing secret",
            Level.FAILED,
            "this is a client id",
            id="client id",
        ),
    ],
)
async def test_what_is_wrong_with_the_app_is_said(
    doctor: Doctor, arrange: Arrange, check: str, level: Level, words: str
) -> None:
    async with slack_with().serve() as slack:
        settings = slack_settings(slack)
        arrange(slack, settings)
        found = await doctor(settings)
    assert (found[check].level, words in found[check].found) == (level, True), found[check]


async def test_an_app_token_without_its_scope_names_it(doctor: Doctor) -> None:
    async with slack_with(app_scopes=frozenset({"authorizations:read"})).serve() as slack:
        found = await doctor(slack_settings(slack))
    assert found["Slack app token"].level is Level.FAILED
    assert "connections:write" in found["Slack app token"].found
    assert found["Slack sockets"].level is Level.OFF


async def test_the_app_s_own_settings_are_those_of_the_manifest(doctor: Doctor) -> None:
    async with slack_with().serve() as slack:
        found = await doctor({**slack_settings(slack), "SLACK_CONFIG_TOKEN": slack.settings.config_token})
    assert found["Slack app settings"].level is Level.OK


async def test_events_nobody_hears_and_a_command_that_is_not_there_are_told(doctor: Doctor) -> None:
    odd: dict[str, Any] = {
        "bot_events": frozenset({"app_home_opened"}),
        "commands": ("/other",),
        "messages_enabled": False,
    }
    async with slack_with(**odd).serve() as slack:
        found = await doctor({**slack_settings(slack), "SLACK_CONFIG_TOKEN": slack.settings.config_token})
    said = found["Slack app settings"].found
    for words in ("does not hear app_uninstalled", "no command /sayso", "nobody can write to the app"):
        assert words in said


async def test_another_program_on_the_same_app_is_a_failure(doctor: Doctor) -> None:
    async with slack_with().serve() as slack, consumer(slack):
        found = await doctor(slack_settings(slack))
        assert found["Slack sockets"].level is Level.FAILED
        assert "another connection to this app is open" in found["Slack sockets"].found
        await slack.platform.sockets.wait_for(1)
    assert "one deployment, one app" in found["Slack sockets"].todo


@asynccontextmanager
async def consumer(slack: SlackStandIn) -> AsyncIterator[None]:
    """Somebody else's program, connected by Socket Mode with the same app token."""
    client = AsyncWebClient(base_url=slack.api_url)
    opened = await client.apps_connections_open(app_token=slack.app_token)
    async with aiohttp.ClientSession() as session, session.ws_connect(str(opened["url"])) as socket:
        assert (await socket.receive_json())["type"] == "hello"
        yield


async def test_a_token_of_another_workspace_than_before_is_warned_of(doctor: Doctor) -> None:
    async def enter(store: Store, context: Context) -> None:
        async with context.work() as work:
            known = Connection("con_1", WORKSPACE, Provider.SLACK, "T0BEFORE", "Before", "U1")
            await work.add_connection(known, context.clock.now())
            await work.commit()
        assert store is not None

    await in_new_store(enter)
    async with slack_with().serve() as slack:
        found = await doctor(slack_settings(slack))
    assert found["Slack workspace"].level is Level.WARNING
    assert "T0ACME" in found["Slack workspace"].found
    assert "T0BEFORE" in found["Slack workspace"].found


async def test_conversations_are_looked_at_one_by_one(doctor: Doctor) -> None:
    places = {
        "slack:C0IN": (Level.OK, "the app is in #in"),
        "slack:C0OUT": (Level.FAILED, "the app is not in #out"),
        "slack:C0OLD": (Level.FAILED, "#old is archived"),
        "slack:C0NONE": (Level.FAILED, "no such channel"),
        "slack:G0SECRET": (Level.FAILED, "no such channel"),
        "slack:U0ANA": (Level.OK, "Ana can be asked"),
        "slack:U0GONE": (Level.FAILED, "deactivated"),
        "slack:U0SAYSO": (Level.FAILED, "is a bot"),
        "slack:nonsense": (Level.FAILED, "not an address"),
        "review": (Level.FAILED, "names no conversation"),
        "telegram:42": (Level.FAILED, "Telegram is off"),
    }
    async with slack_with().serve() as slack:
        slack.workspace.add_user("ana", "Ana", user_id="U0ANA")
        slack.workspace.add_user("gone", "Gone", user_id="U0GONE", deleted=True)
        slack.workspace.add_channel("in", channel_id="C0IN")
        slack.workspace.add_channel("out", channel_id="C0OUT", with_app=False)
        slack.workspace.add_channel("secret", channel_id="G0SECRET", private=True, with_app=False)
        slack.workspace.add_channel("old", channel_id="C0OLD")
        slack.workspace.archive("C0OLD")
        found = await doctor(slack_settings(slack), list(places))
    assert {name: (found[name].level, words in found[name].found) for name, (_, words) in places.items()} == {
        name: (level, True) for name, (level, _) in places.items()
    }
    assert "/invite @sayso" in found["slack:C0OUT"].todo
