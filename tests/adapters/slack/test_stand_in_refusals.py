"""What the stand-in refuses, with the error Slack names for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientSession
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks.slack import limits
from bot.sandbox.slack import DEFAULT_SCOPES, SlackStandIn
from tests.adapters.slack.apps import button, client_of, error_of, modal, plain, row, serving


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with serving() as stand_in:
        workspace = stand_in.workspace
        workspace.add_user("ana", user_id="UANA")
        workspace.add_channel("general", ["UANA"], channel_id="CGEN")
        workspace.add_channel("elsewhere", ["UANA"], channel_id="CELSE", with_app=False)
        workspace.add_channel("secret", ["UANA"], channel_id="CSEC", with_app=False, private=True)
        workspace.add_channel("old", ["UANA"], channel_id="COLD")
        workspace.archive("COLD")
        yield stand_in


@pytest.fixture
def client(slack: SlackStandIn) -> AsyncWebClient:
    return client_of(slack)


SECTION = {"type": "section", "text": plain("x" * 3_000)}
REFUSALS: list[tuple[str, str, dict[str, Any], str]] = [
    ("no such channel", "chat.postMessage", {"channel": "CNOPE", "text": "x"}, "channel_not_found"),
    ("a private channel without the app", "chat.postMessage", {"channel": "CSEC", "text": "x"}, "channel_not_found"),
    ("a public channel without the app", "chat.postMessage", {"channel": "CELSE", "text": "x"}, "not_in_channel"),
    ("an archived channel", "chat.postMessage", {"channel": "COLD", "text": "x"}, "is_archived"),
    ("a person nobody knows", "chat.postMessage", {"channel": "UNOBODY", "text": "x"}, "channel_not_found"),
    ("the app itself", "chat.postMessage", {"channel": "U0SAYSO", "text": "x"}, "channel_not_found"),
    ("nothing to say", "chat.postMessage", {"channel": "CGEN"}, "no_text"),
    ("no channel", "chat.postMessage", {"text": "x"}, "invalid_arguments"),
    (
        "blocks in a string in JSON",
        "chat.postMessage",
        {"channel": "CGEN", "text": "x", "blocks": '[{"type": "divider"}]'},
        "invalid_blocks_format",
    ),
    (
        "more than the whole message may hold",
        "chat.postMessage",
        {"channel": "CGEN", "text": "x", "blocks": [SECTION] * 5},
        "msg_blocks_too_long",
    ),
    (
        "another name without the scope for it",
        "chat.postMessage",
        {"channel": "CGEN", "text": "x", "username": "Boss"},
        "missing_scope",
    ),
    (
        "an ephemeral message for somebody not there",
        "chat.postEphemeral",
        {"channel": "CGEN", "user": "UNOBODY", "text": "x"},
        "user_not_in_channel",
    ),
    ("no such message", "chat.update", {"channel": "CGEN", "ts": "1.000001", "text": "x"}, "message_not_found"),
    ("an account as a channel", "chat.update", {"channel": "UANA", "ts": "1.000001", "text": "x"}, "channel_not_found"),
    ("nobody", "conversations.open", {"users": ""}, "users_list_not_supplied"),
    ("an unknown account", "conversations.open", {"users": "UNOBODY"}, "user_not_found"),
    ("the app's own account", "conversations.open", {"users": "U0SAYSO"}, "cannot_dm_bot"),
    ("another app's account", "conversations.open", {"users": "UOTHERBOT"}, "cannot_dm_bot"),
    ("another app's account", "chat.postMessage", {"channel": "UOTHERBOT", "text": "x"}, "cannot_dm_bot"),
    ("a group without the scope", "conversations.open", {"users": "UANA,UBEN"}, "missing_scope"),
    ("a channel that is not read", "conversations.history", {"channel": "CELSE"}, "not_in_channel"),
    ("a bad cursor", "conversations.members", {"channel": "CGEN", "cursor": "bm9uc2Vuc2U="}, "invalid_cursor"),
    ("an unknown kind", "conversations.list", {"types": "forum"}, "invalid_types"),
    ("a thread that is not there", "conversations.replies", {"channel": "CGEN", "ts": "1.000001"}, "thread_not_found"),
    ("an unknown account", "users.info", {"user": "UNOBODY"}, "user_not_found"),
    ("a trigger nobody made", "views.open", {"trigger_id": "1.2.3", "view": modal()}, "invalid_trigger_id"),
    ("no view", "views.open", {"trigger_id": "1.2.3"}, "invalid_arguments"),
    ("a view that is not open", "views.update", {"view_id": "VNOPE", "view": modal()}, "not_found"),
    ("a modal as Home", "views.publish", {"user_id": "UANA", "view": modal()}, "invalid_arguments"),
    ("a method nobody has", "chat.whisper", {"channel": "CGEN"}, "unknown_method"),
]


@pytest.mark.parametrize(("why", "method", "arguments", "error"), REFUSALS, ids=[f"{r[1]}: {r[0]}" for r in REFUSALS])
async def test_a_call_is_refused(
    slack: SlackStandIn, client: AsyncWebClient, why: str, method: str, arguments: dict[str, Any], error: str
) -> None:
    slack.workspace.add_user("ben", user_id="UBEN")
    slack.workspace.add_user("otherbot", user_id="UOTHERBOT", is_bot=True)
    assert await error_of(client.api_call(method, json=arguments)) == error, why


async def test_somebody_elses_message_is_neither_edited_nor_deleted(
    slack: SlackStandIn, client: AsyncWebClient
) -> None:
    seen = await slack.person("UANA").write("mine", channel="CGEN")
    assert seen.ts
    assert await error_of(client.chat_update(channel="CGEN", ts=seen.ts, text="x")) == "cant_update_message"
    assert await error_of(client.chat_delete(channel="CGEN", ts=seen.ts)) == "cant_delete_message"


async def test_one_character_too_many_is_named_with_its_pointer(client: AsyncWebClient) -> None:
    blocks = [row(button("Yes")), {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3_001}}]
    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel="CGEN", text="x", blocks=blocks)
    answer = refused.value.response
    assert answer["error"] == "invalid_blocks"
    assert answer["errors"] == ["must be less than 3001 characters [json-pointer:/blocks/1/text/text]"]
    assert answer["response_metadata"]["messages"] == [
        "[ERROR] must be less than 3001 characters [json-pointer:/blocks/1/text/text]"
    ]


async def test_the_text_of_an_edit_is_limited_where_that_of_a_post_is_not(client: AsyncWebClient) -> None:
    ts = (await client.chat_postMessage(channel="CGEN", text="x" * 5_000))["ts"]
    most = limits.MESSAGE_UPDATE_TEXT.number
    assert (await client.chat_update(channel="CGEN", ts=ts, text="x" * most))["ok"]
    assert await error_of(client.chat_update(channel="CGEN", ts=ts, text="x" * (most + 1))) == "msg_too_long"


async def test_a_button_to_this_machine_is_refused(client: AsyncWebClient) -> None:
    local = row(button("Open", url="http://127.0.0.1:8080/review/1"))
    assert await error_of(client.chat_postMessage(channel="CGEN", text="x", blocks=[local])) == "invalid_blocks"
    public = row(button("Open", url="https://ask.example.com/review/1"))
    assert (await client.chat_postMessage(channel="CGEN", text="x", blocks=[public]))["ok"]


@pytest.mark.parametrize(
    ("token", "method", "error"),
    [
        ("", "auth.test", "not_authed"),
        ("xoxb-made-up", "auth.test", "invalid_auth"),
        ("xoxb-made-up", "chat.postMessage", "invalid_auth"),
        ("app", "chat.postMessage", "not_allowed_token_type"),
        ("bot", "apps.connections.open", "not_allowed_token_type"),
    ],
)
async def test_a_token_opens_only_what_it_is_for(slack: SlackStandIn, token: str, method: str, error: str) -> None:
    given = {"app": slack.app_token, "bot": slack.bot_token}.get(token, token)
    client = AsyncWebClient(token=given, base_url=slack.api_url, retry_handlers=[])
    assert await error_of(client.api_call(method, json={"channel": "CGEN", "text": "x"})) == error


SCOPED = [
    ("chat:write", "chat.postMessage", {"channel": "CGEN", "text": "x"}),
    ("chat:write", "chat.update", {"channel": "CGEN", "ts": "1.1", "text": "x"}),
    ("channels:history", "conversations.history", {"channel": "CGEN"}),
    ("channels:read", "conversations.info", {"channel": "CGEN"}),
    ("channels:read", "conversations.members", {"channel": "CGEN"}),
    ("im:write", "conversations.open", {"users": "UANA"}),
    ("users:read", "users.info", {"user": "UANA"}),
]


@pytest.mark.parametrize(("scope", "method", "arguments"), SCOPED, ids=[f"{s[1]} {s[0]}" for s in SCOPED])
async def test_a_missing_scope_is_named_with_what_was_granted(
    slack: SlackStandIn, client: AsyncWebClient, scope: str, method: str, arguments: dict[str, Any]
) -> None:
    slack.workspace.grant(*(DEFAULT_SCOPES - {scope}))
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, json=arguments)
    answer = refused.value.response
    assert answer["error"] == "missing_scope"
    assert scope in answer["needed"].split(",")
    assert set(answer["provided"].split(",")) == DEFAULT_SCOPES - {scope}


async def test_a_public_channel_takes_posts_without_membership_by_scope(
    slack: SlackStandIn, client: AsyncWebClient
) -> None:
    slack.workspace.grant(*DEFAULT_SCOPES, "chat:write.public")
    assert (await client.chat_postMessage(channel="CELSE", text="x"))["ok"]


async def test_an_uninstalled_app_is_told_that_its_account_is_inactive(
    slack: SlackStandIn, client: AsyncWebClient
) -> None:
    slack.workspace.uninstall()
    assert await error_of(client.auth_test()) == "account_inactive"


async def test_home_and_messages_can_be_turned_off() -> None:
    async with serving(home_enabled=False, messages_enabled=False) as slack:
        slack.workspace.add_user("ana", user_id="UANA")
        client = client_of(slack)
        home = {"type": "home", "blocks": [{"type": "divider"}]}
        assert await error_of(client.views_publish(user_id="UANA", view=home)) == "not_enabled"
        assert await error_of(client.chat_postMessage(channel="UANA", text="x")) == "messages_tab_disabled"


async def test_forms_carry_structured_arguments_as_text_and_tokens_as_a_parameter(slack: SlackStandIn) -> None:
    form = {"token": slack.bot_token, "channel": "CGEN", "text": "x", "blocks": '[{"type": "divider"}]'}
    async with ClientSession() as session, session.post(f"{slack.api_url}chat.postMessage", data=form) as response:
        assert (await response.json())["message"]["blocks"][0]["type"] == "divider"
    (call,) = slack.platform.journal.of("chat.postMessage")
    assert "token" not in call.args
    assert slack.bot_token not in repr(call)


async def test_bodies_that_are_no_json_object_are_refused(slack: SlackStandIn) -> None:
    headers = {"Authorization": f"Bearer {slack.bot_token}", "Content-Type": "application/json"}
    async with ClientSession(headers=headers) as session:
        for body, error in (("{", "invalid_json"), ("[]", "json_not_object")):
            async with session.post(f"{slack.api_url}auth.test", data=body) as response:
                assert (await response.json())["error"] == error


# slack_sdk 3.48 sends client credentials by a way that aiohttp 3.14 deprecates.
BASIC = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")


@BASIC
async def test_a_workspace_is_installed_by_a_code_that_works_once(slack: SlackStandIn) -> None:
    team = slack.workspace.add_team("Other", "TOTHER")
    secret = slack.settings.client_secret
    anyone = AsyncWebClient(base_url=slack.api_url)

    async def exchange(code: str, secret: str = secret) -> Any:
        return await anyone.oauth_v2_access(
            client_id=slack.settings.client_id, client_secret=secret, code=code, redirect_uri=back
        )

    back = "https://ask.example/back"
    query = {"client_id": slack.settings.client_id, "redirect_uri": back, "state": "s1", "scope": "chat:write"}
    async with ClientSession() as session:
        url = f"{slack.url}/oauth/v2/authorize"
        async with session.get(url, params={**query, "team": team.id}, allow_redirects=False) as response:
            location = response.headers["Location"]
        async with session.get(url, params={"client_id": "x"}, allow_redirects=False) as response:
            assert response.status == 400
    assert location.startswith("https://ask.example/back?code=")
    assert location.endswith("&state=s1")
    code = location.split("code=")[1].split("&")[0]
    assert await error_of(exchange(code, "wrong")) == "bad_client_secret"
    answer = await exchange(code)
    assert answer["team"]["id"] == "TOTHER"
    assert (await client_of(slack, answer["access_token"]).auth_test())["team_id"] == "TOTHER"
    assert await error_of(exchange(code)) == "invalid_code"


@BASIC
async def test_the_other_workspaces_channels_do_not_exist_for_an_installation(slack: SlackStandIn) -> None:
    slack.workspace.add_team("Other", "TOTHER")
    anyone = AsyncWebClient(base_url=slack.api_url)
    answer = await anyone.oauth_v2_access(
        client_id=slack.settings.client_id,
        client_secret=slack.settings.client_secret,
        code=slack.workspace.authorize("TOTHER"),
    )
    other = client_of(slack, answer["access_token"])
    assert await error_of(other.chat_postMessage(channel="CGEN", text="x")) == "channel_not_found"
    assert await error_of(other.users_info(user="UANA")) == "user_not_visible"
