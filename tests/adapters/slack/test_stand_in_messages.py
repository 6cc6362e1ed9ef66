"""Posting, editing, deleting and reading through the real slack_sdk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.slack import SlackStandIn
from tests.adapters.slack.apps import button, client_of, error_of, plain, row, serving


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with serving() as stand_in:
        stand_in.workspace.add_user("ana", user_id="UANA")
        stand_in.workspace.add_user("ben", user_id="UBEN")
        stand_in.workspace.add_channel("general", ["UANA", "UBEN"], channel_id="CGEN")
        yield stand_in


@pytest.fixture
def client(slack: SlackStandIn) -> AsyncWebClient:
    return client_of(slack)


async def test_auth_test_tells_the_workspace_and_the_scopes(slack: SlackStandIn, client: AsyncWebClient) -> None:
    answer = await client.auth_test()
    assert answer["team_id"] == slack.team_id
    assert answer["user_id"] == slack.settings.bot_user_id
    assert answer["bot_id"] == slack.settings.bot_id
    assert set(answer.headers["X-OAuth-Scopes"].split(",")) == slack.settings.scopes


async def test_a_post_is_stored_as_it_was_sent_with_slacks_additions(client: AsyncWebClient) -> None:
    answer = await client.chat_postMessage(
        channel="CGEN", text="Ship?", blocks=[{"type": "section", "text": plain("Ship?")}, row(button("Yes"))]
    )
    message = answer["message"]
    assert answer["channel"] == "CGEN"
    assert message["ts"] == answer["ts"]
    assert message["blocks"][0]["text"] == {"type": "plain_text", "text": "Ship?", "emoji": True}
    assert message["blocks"][0]["block_id"], "Slack makes up the ids that were left out"
    assert message["blocks"][1]["block_id"] == "row"


async def test_stamps_are_unique_and_ascending(client: AsyncWebClient) -> None:
    stamps = [(await client.chat_postMessage(channel="CGEN", text="x"))["ts"] for _ in range(5)]
    assert len(set(stamps)) == 5
    assert stamps == sorted(stamps)


async def test_a_post_to_a_person_opens_the_direct_conversation_and_names_it(client: AsyncWebClient) -> None:
    first = await client.chat_postMessage(channel="UANA", text="hello")
    again = await client.conversations_open(users="UANA")
    assert first["channel"].startswith("D")
    assert again["channel"]["id"] == first["channel"]
    assert again["already_open"] is True


async def test_a_post_to_a_deactivated_person_succeeds_silently(slack: SlackStandIn, client: AsyncWebClient) -> None:
    slack.workspace.change_user("UANA", deleted=True)
    assert (await client.chat_postMessage(channel="UANA", text="hello"))["ok"]
    assert await error_of(client.conversations_open(users="UANA")) == "user_disabled"
    assert (await client.users_info(user="UANA"))["user"]["deleted"] is True


async def test_text_over_forty_thousand_characters_is_cut_not_refused(client: AsyncWebClient) -> None:
    answer = await client.chat_postMessage(channel="CGEN", text="x" * 40_001)
    assert len(answer["message"]["text"]) == 40_000


async def test_an_update_with_text_alone_takes_the_blocks_away(slack: SlackStandIn, client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel="CGEN", text="Ship?", blocks=[row(button("Yes"))])
    changed = await client.chat_update(channel="CGEN", ts=posted["ts"], text="Shipped")
    assert "blocks" not in changed["message"]
    assert changed["message"]["edited"]["user"] == slack.settings.bot_user_id
    (kept,) = slack.platform.world.messages["CGEN"].values()
    assert [version.text for version in kept.history] == ["Ship?"]


async def test_an_update_with_blocks_alone_keeps_the_text_and_shows_no_edited_mark(client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel="CGEN", text="Ship?", blocks=[row(button("Yes"))])
    where = {"channel": "CGEN", "ts": posted["ts"]}
    changed = await client.api_call("chat.update", json={**where, "blocks": [{"type": "divider"}]})
    assert changed["message"]["text"] == "Ship?"
    assert "edited" not in changed["message"]
    cleared = await client.api_call("chat.update", json={**where, "blocks": []})
    assert "blocks" not in cleared["message"]


async def test_a_deleted_message_is_gone_and_says_so_the_second_time(client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel="CGEN", text="x")
    await client.chat_delete(channel="CGEN", ts=posted["ts"])
    assert await error_of(client.chat_delete(channel="CGEN", ts=posted["ts"])) == "message_not_found"
    assert (await client.conversations_history(channel="CGEN"))["messages"] == []


async def test_metadata_is_kept_by_edits_and_read_back_only_when_asked_for(client: AsyncWebClient) -> None:
    metadata = {"event_type": "asked", "event_payload": {"delivery_id": "d1"}}
    posted = await client.chat_postMessage(channel="CGEN", text="x", metadata=metadata)
    await client.chat_update(channel="CGEN", ts=posted["ts"], text="y")
    bare = await client.conversations_history(channel="CGEN")
    whole = await client.conversations_history(channel="CGEN", include_all_metadata=True)
    assert bare["messages"][0]["metadata"] == {"event_type": "asked"}
    assert whole["messages"][0]["metadata"] == metadata


async def test_history_is_newest_first_paged_and_bounded_by_stamps(client: AsyncWebClient) -> None:
    stamps = [(await client.chat_postMessage(channel="CGEN", text=str(n)))["ts"] for n in range(5)]
    texts: list[str] = []
    cursor: str | None = None
    while cursor != "":
        page = await client.conversations_history(channel="CGEN", limit=2, cursor=cursor)
        texts += [message["text"] for message in page["messages"]]
        cursor = (page.get("response_metadata") or {}).get("next_cursor", "")
    assert texts == ["4", "3", "2", "1", "0"]

    async def between(**bounds: Any) -> list[str]:
        page = await client.conversations_history(channel="CGEN", **bounds)
        return [message["text"] for message in page["messages"]]

    assert await between(oldest=stamps[1], latest=stamps[3]) == ["2"]
    assert await between(oldest=stamps[1], latest=stamps[3], inclusive=True) == ["3", "2", "1"]


async def test_a_thread_hangs_under_its_parent_and_stays_out_of_history(client: AsyncWebClient) -> None:
    parent = (await client.chat_postMessage(channel="CGEN", text="parent"))["ts"]
    reply = await client.chat_postMessage(channel="CGEN", text="reply", thread_ts=parent)
    assert reply["message"]["thread_ts"] == parent
    history = (await client.conversations_history(channel="CGEN"))["messages"]
    assert [(m["text"], m["reply_count"]) for m in history] == [("parent", 1)]
    thread = (await client.conversations_replies(channel="CGEN", ts=parent))["messages"]
    assert [m["text"] for m in thread] == ["parent", "reply"]


async def test_a_reply_cannot_be_replied_to_and_a_missing_parent_has_no_thread(client: AsyncWebClient) -> None:
    parent = (await client.chat_postMessage(channel="CGEN", text="parent"))["ts"]
    reply = (await client.chat_postMessage(channel="CGEN", text="reply", thread_ts=parent))["ts"]
    under_reply = client.chat_postMessage(channel="CGEN", text="x", thread_ts=reply)
    assert await error_of(under_reply) == "cannot_reply_to_message"
    nowhere = client.chat_postMessage(channel="CGEN", text="x", thread_ts="1712000000.000100")
    assert await error_of(nowhere) == "thread_not_found"


async def test_a_deleted_parent_with_replies_leaves_a_tombstone(client: AsyncWebClient) -> None:
    parent = (await client.chat_postMessage(channel="CGEN", text="parent"))["ts"]
    await client.chat_postMessage(channel="CGEN", text="reply", thread_ts=parent)
    await client.chat_delete(channel="CGEN", ts=parent)
    (left,) = (await client.conversations_history(channel="CGEN"))["messages"]
    assert left["subtype"] == "tombstone"


async def test_an_ephemeral_message_is_seen_by_one_member_and_not_kept(
    slack: SlackStandIn, client: AsyncWebClient
) -> None:
    answer = await client.chat_postEphemeral(channel="CGEN", user="UANA", text="only you")
    assert [message.text for message in slack.person("UANA").private()] == ["only you"]
    assert slack.person("UBEN").private() == []
    assert (await client.conversations_history(channel="CGEN"))["messages"] == []
    update = client.chat_update(channel="CGEN", ts=answer["message_ts"], text="changed")
    assert await error_of(update) == "message_not_found"


async def test_a_permalink_names_the_workspace_channel_and_message(client: AsyncWebClient) -> None:
    ts = (await client.chat_postMessage(channel="CGEN", text="x"))["ts"]
    answer = await client.chat_getPermalink(channel="CGEN", message_ts=ts)
    assert answer["permalink"] == f"https://acme.slack.com/archives/CGEN/p{ts.replace('.', '')}"


async def test_members_and_channels_come_in_pages(slack: SlackStandIn, client: AsyncWebClient) -> None:
    slack.workspace.add_channel("secret", ["UANA"], private=True, channel_id="CSEC")
    slack.workspace.add_channel("hidden", ["UANA"], private=True, with_app=False)
    first = await client.conversations_members(channel="CGEN", limit=2)
    rest = await client.conversations_members(channel="CGEN", cursor=first["response_metadata"]["next_cursor"])
    assert sorted(first["members"] + rest["members"]) == sorted(["UANA", "UBEN", slack.settings.bot_user_id])
    listed = await client.conversations_list(types="public_channel,private_channel")
    assert [channel["id"] for channel in listed["channels"]] == ["CGEN", "CSEC"]


async def test_channel_facts_tell_archived_private_and_shared(slack: SlackStandIn, client: AsyncWebClient) -> None:
    slack.workspace.add_team("Partner", "TPAR")
    slack.workspace.add_channel("both", ["UANA"], channel_id="CBOTH", shared_with=["TPAR"])
    slack.workspace.archive("CGEN")
    general = (await client.conversations_info(channel="CGEN"))["channel"]
    both = (await client.conversations_info(channel="CBOTH"))["channel"]
    assert (general["is_archived"], general["is_private"], general["is_ext_shared"]) == (True, False, False)
    assert (both["is_archived"], both["is_ext_shared"], both["is_member"]) == (False, True, True)


async def test_people_are_described_with_what_an_approver_check_needs(
    slack: SlackStandIn, client: AsyncWebClient
) -> None:
    slack.workspace.add_team("Partner", "TPAR")
    slack.workspace.add_user("gus", user_id="UGUS", is_ultra_restricted=True)
    slack.workspace.add_user("pat", user_id="UPAT", team_id="TPAR")
    assert await error_of(client.users_info(user="UPAT")) == "user_not_visible"
    slack.workspace.add_channel("both", ["UANA", "UPAT"], shared_with=["TPAR"])
    people = {one["id"]: one for one in (await client.users_list())["members"]}
    assert people["UGUS"]["is_ultra_restricted"] is True
    assert (people["UPAT"]["team_id"], people["UPAT"]["is_stranger"]) == ("TPAR", True)
    assert "is_stranger" not in people["UANA"]
    assert people[slack.settings.bot_user_id]["is_bot"] is True
    bot = await client.bots_info(bot=slack.settings.bot_id)
    assert bot["bot"]["user_id"] == slack.settings.bot_user_id


async def test_the_validator_judges_without_a_token_and_posts_nothing(slack: SlackStandIn) -> None:
    anyone = client_of(slack, token="")
    assert (await anyone.blocks_validate(blocks='[{"type": "divider"}]'))["ok"]
    refused = anyone.blocks_validate(message='{"blocks": [{"type": "section"}], "text": "x"}')
    assert await error_of(refused) == "invalid_message"
    assert await error_of(anyone.blocks_validate(view='{"type": "modal"}')) == "invalid_view"
    assert await error_of(anyone.blocks_validate()) == "invalid_arguments"
