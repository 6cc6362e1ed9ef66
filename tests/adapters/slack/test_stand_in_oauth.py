"""The stand-in's OAuth: installing again, tokens that end, organisations, and taking back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.slack import SlackStandIn
from tests.adapters.slack.apps import acme, client_of, error_of

# slack_sdk 3.48 sends client credentials by a way that aiohttp 3.14 deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
ROTATES = {"token_rotation": True, "token_seconds": 600}


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with acme(**ROTATES) as stand_in:
        stand_in.workspace.add_team("Other", "TOTHER")
        yield stand_in


async def access(slack: SlackStandIn, **more: Any) -> dict[str, Any]:
    """Ask for tokens as the app."""
    settings = slack.settings
    anyone = AsyncWebClient(base_url=slack.api_url, retry_handlers=[])
    answer = await anyone.oauth_v2_access(client_id=settings.client_id, client_secret=settings.client_secret, **more)
    assert isinstance(answer.data, dict)
    return answer.data


async def test_a_token_that_ends_is_replaced_once_and_lives_on_until_its_end(slack: SlackStandIn) -> None:
    first = await access(slack, code=slack.workspace.authorize("TOTHER"))
    assert first["access_token"].startswith("xoxe.xoxb-1-")
    assert (first["token_type"], first["expires_in"]) == ("bot", 600)
    assert first["refresh_token"].startswith("xoxe-1-")
    slack.platform.clock.advance(300)
    renew = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    second = await access(slack, **renew)
    assert second["expires_in"] == 600
    assert await error_of(access(slack, **renew)) == "invalid_refresh_token"
    for token in (first, second):
        assert (await client_of(slack, token["access_token"]).auth_test())["user_id"] == first["bot_user_id"]
    slack.platform.clock.advance(300)
    assert await error_of(client_of(slack, first["access_token"]).auth_test()) == "token_expired"
    assert (await client_of(slack, second["access_token"]).auth_test())["ok"]
    assert await error_of(access(slack, grant_type="password")) == "invalid_grant_type"


async def test_installing_again_keeps_the_bots_account(slack: SlackStandIn) -> None:
    first = await access(slack, code=slack.workspace.authorize("TOTHER"))
    slack.workspace.uninstall("TOTHER")
    assert await error_of(client_of(slack, first["access_token"]).auth_test()) == "account_inactive"
    dead = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    assert await error_of(access(slack, **dead)) == "invalid_refresh_token"
    again = await access(slack, code=slack.workspace.authorize("TOTHER"))
    assert again["bot_user_id"] == first["bot_user_id"]
    assert again["access_token"] != first["access_token"]


async def test_without_rotation_a_second_installer_gets_the_same_token() -> None:
    async with acme() as slack:
        first = await access(slack, code=slack.workspace.authorize("T0ACME"))
        assert first["access_token"] == slack.bot_token
        assert "refresh_token" not in first


async def test_a_code_is_good_for_the_redirect_it_was_given_for(slack: SlackStandIn) -> None:
    code = slack.workspace.authorize("TOTHER", "https://ask.example/back")
    assert await error_of(access(slack, code=code, redirect_uri="https://evil.example")) == "bad_redirect_uri"


async def test_a_token_is_revoked_and_an_app_removed_by_the_token_itself(slack: SlackStandIn) -> None:
    for end, ending in (("auth.revoke", "token_revoked"), ("apps.uninstall", "account_inactive")):
        token = (await access(slack, code=slack.workspace.authorize("TOTHER")))["access_token"]
        client, settings = client_of(slack, token), slack.settings
        if end == "auth.revoke":
            assert (await client.auth_revoke(test=True))["revoked"] is False
            assert (await client.auth_revoke())["revoked"] is True
        else:
            wrong = client.apps_uninstall(client_id=settings.client_id, client_secret="wrong")
            assert await error_of(wrong) == "bad_client_secret"
            await client.apps_uninstall(client_id=settings.client_id, client_secret=settings.client_secret)
        assert await error_of(client.auth_test()) == ending


async def test_an_organisations_token_is_for_all_its_workspaces_and_no_other(slack: SlackStandIn) -> None:
    slack.workspace.add_organisation("Org", "E0ORG")
    slack.workspace.add_team("One", "TONE", enterprise_id="E0ORG")
    slack.workspace.add_user("ann", user_id="UANN", team_id="TONE", is_stranger=False)
    given = await access(slack, code=slack.workspace.authorize("E0ORG"))
    assert (given["team"], given["is_enterprise_install"]) == (None, True)
    assert given["enterprise"] == {"id": "E0ORG", "name": "Org"}
    client = client_of(slack, given["access_token"])
    said = await client.auth_test()
    assert (said["team_id"], said["enterprise_id"], said["is_enterprise_install"]) == ("E0ORG", "E0ORG", True)
    ann = (await client.users_info(user="UANN"))["user"]
    assert ann["enterprise_user"]["enterprise_id"] == "E0ORG"
    assert (await client.chat_postMessage(channel="UANN", text="Hello"))["channel"].startswith("D")
    assert await error_of(client.chat_postMessage(channel="CGEN", text="x")) == "channel_not_found"
    assert await error_of(client.users_info(user="UANA")) == "user_not_visible"
