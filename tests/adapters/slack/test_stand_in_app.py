"""The app's own settings on the stand-in: shown to whom Slack shows them, and what it does when one is off."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import pytest
from aiohttp import ClientSession

from bot.sandbox.slack import SlackStandIn
from tests.adapters.slack.apps import button, client_of, error_of, row, serving
from tests.adapters.slack.test_stand_in_socket import open_socket


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with serving(ack_seconds=30) as stand_in:
        stand_in.workspace.add_user("ana", user_id="UANA")
        stand_in.workspace.add_channel("general", ["UANA"], channel_id="CGEN")
        yield stand_in


async def test_only_a_configuration_token_is_shown_the_manifest(slack: SlackStandIn) -> None:
    app = slack.settings.app_id
    shown = (await client_of(slack, slack.settings.config_token).apps_manifest_export(app_id=app))["manifest"]
    assert shown["settings"]["socket_mode_enabled"]
    assert shown["settings"]["interactivity"] == {"is_enabled": True}
    slack.request_url = "https://sayso.example/slack/events"
    slack.platform.interactivity = False
    shown = (await client_of(slack, slack.settings.config_token).apps_manifest_export(app_id=app))["manifest"]
    assert not shown["settings"]["socket_mode_enabled"]
    assert shown["settings"]["interactivity"] == {"is_enabled": False}
    assert shown["settings"]["event_subscriptions"]["request_url"] == slack.request_url
    for token, error in ((slack.bot_token, "not_allowed_token_type"), ("xoxe.xoxp-old", "invalid_auth")):
        assert await error_of(client_of(slack, token).apps_manifest_export(app_id=app)) == error
    other = client_of(slack, slack.settings.config_token).apps_manifest_export(app_id="A0NONE")
    assert await error_of(other) == "app_not_found"


async def test_a_configuration_token_is_for_nothing_else(slack: SlackStandIn) -> None:
    client = client_of(slack, slack.settings.config_token)
    assert await error_of(client.chat_postMessage(channel="CGEN", text="hello")) == "not_allowed_token_type"
    assert await error_of(client.apps_connections_open(app_token=client.token or "")) == "not_allowed_token_type"


async def test_an_app_level_token_needs_its_scope_and_knows_its_app() -> None:
    async with serving(app_scopes=frozenset({"authorizations:read"})) as slack:
        client = client_of(slack, slack.app_token)
        assert await error_of(client.apps_connections_open(app_token=slack.app_token)) == "missing_scope"
        assert (await client.auth_test())["app_id"] == slack.settings.app_id
        assert (await client_of(slack, slack.settings.other_app_token).auth_test())["app_id"] == "A0OTHER"


async def test_socket_mode_that_is_turned_off_lets_nobody_in_and_everybody_go(slack: SlackStandIn) -> None:
    async with ClientSession() as session:
        socket = await open_socket(slack, session)
        await slack.platform.sockets.enable(enabled=False)
        assert (await socket.receive_json())["reason"] == "link_disabled"
        answer = await client_of(slack, slack.app_token).apps_connections_open(app_token=slack.app_token)
        async with session.ws_connect(answer["url"]) as late:
            assert (await late.receive_json())["reason"] == "link_disabled"
    assert slack.platform.sockets.count == 0


async def test_without_interactivity_a_press_is_shown_as_an_error_and_sent_nowhere(slack: SlackStandIn) -> None:
    posted = await client_of(slack).chat_postMessage(channel="CGEN", text="Now?", blocks=[row(button("Yes"))])
    slack.platform.interactivity = False
    seen = await slack.person("UANA").press("Yes", ts=str(posted["ts"]), channel="CGEN")
    assert "not configured" in (seen.trouble or "")
    assert not slack.platform.journal.deliveries


async def test_a_revoked_token_says_that_it_was_revoked(slack: SlackStandIn) -> None:
    slack.workspace.revoke()
    assert await error_of(client_of(slack).auth_test()) == "token_revoked"


async def test_every_answer_says_what_time_it_is(slack: SlackStandIn) -> None:
    answer = await client_of(slack).auth_test()
    said = parsedate_to_datetime(answer.headers["Date"])
    assert abs((said - datetime.now(UTC)).total_seconds()) < 10
