"""Where a real python-telegram-bot may write in the stand-in, and what it is told of chats and their
members.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from telegram import (
    Bot,
    LinkPreviewOptions,
)
from telegram.error import BadRequest, ChatMigrated, Forbidden

from bot.sandbox.telegram import TelegramStandIn
from bot.sandbox.telegram.people import Status
from bot.sandbox.telegram.places import GroupKind
from tests.adapters.telegram.bots import bot_of, serving


@pytest.fixture
async def stand_in() -> AsyncIterator[TelegramStandIn]:
    async with serving() as found:
        found.scene.create_user("Ana", user_id=42, username="ana")
        found.human.start(42)
        yield found


@pytest.fixture
async def bot(stand_in: TelegramStandIn) -> AsyncIterator[Bot]:
    async with bot_of(stand_in) as found:
        yield found


async def test_people_who_never_started_blocked_or_left_are_told_apart(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.scene.create_user("Met in a group", user_id=43)
    stand_in.scene.create_user("Never met", user_id=44, met=False)
    stand_in.scene.create_user("Robot", user_id=45, is_bot=True)
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await bot.send_message(43, "x")
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(44, "x")
    with pytest.raises(Forbidden, match="the bot can't send messages to the bot"):
        await bot.send_message(45, "x")
    stand_in.human.block(42)
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(42, "x")
    stand_in.human.unblock(42)
    await bot.send_message(42, "x")
    stand_in.scene.deactivate(42)
    with pytest.raises(Forbidden, match="user is deactivated"):
        await bot.send_message(42, "x")


@pytest.mark.parametrize("kind", list(GroupKind))
async def test_a_chat_the_bot_is_not_in_says_so(stand_in: TelegramStandIn, bot: Bot, kind: GroupKind) -> None:
    out = stand_in.scene.create_group("Out", [42], kind=kind, bot=Status.LEFT)
    with pytest.raises(Forbidden, match=f"bot is not a member of the {kind} chat"):
        await bot.send_message(out.id, "x")
    stand_in.scene.set_status(out.id, stand_in.bot_id, Status.KICKED, by=42)
    with pytest.raises(Forbidden, match=f"bot was kicked from the {kind} chat"):
        await bot.send_message(out.id, "x")


async def test_rights_decide_who_may_write(stand_in: TelegramStandIn, bot: Bot) -> None:
    muted = stand_in.scene.create_group("Muted", [42], bot=Status.RESTRICTED)
    with pytest.raises(BadRequest, match="Not enough rights to send text messages to the chat"):
        await bot.send_message(muted.id, "x")
    channel = stand_in.scene.create_group("News", [42], kind=GroupKind.CHANNEL)
    with pytest.raises(BadRequest, match="Need administrator rights in the channel chat"):
        await bot.send_message(channel.id, "x")
    stand_in.scene.set_status(channel.id, stand_in.bot_id, Status.ADMINISTRATOR, by=42)
    post = await bot.send_message(channel.id, "x", link_preview_options=LinkPreviewOptions(is_disabled=True))
    assert post.from_user is None
    assert post.sender_chat is not None
    assert post.sender_chat.id == channel.id


async def test_a_group_that_became_a_supergroup_names_its_new_id_to_whoever_writes(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    old = stand_in.scene.create_group("Ops", [42], kind=GroupKind.GROUP)
    sent = await bot.send_message(old.id, "Deploy?")
    new = stand_in.scene.migrate(old.id)
    with pytest.raises(ChatMigrated) as moved:
        await bot.send_message(old.id, "x")
    assert moved.value.new_chat_id == new.id
    # Only writing tells; and the old messages stay behind.
    with pytest.raises(BadRequest, match="Message can't be edited"):
        await bot.edit_message_text("x", old.id, sent.message_id)
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await bot.edit_message_text("x", new.id, sent.message_id)
    assert (await bot.send_message(new.id, "x")).chat.type == "supergroup"


async def test_topics_take_their_own_id_general_takes_none_and_closed_ones_refuse(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    forum = stand_in.scene.create_group("Forum", [42], is_forum=True)
    topic = stand_in.scene.create_topic(forum.id, "Releases", by=42)
    inside = await bot.send_message(forum.id, "x", message_thread_id=topic.id)
    assert (inside.message_thread_id, inside.is_topic_message) == (topic.id, True)
    general = await bot.send_message(forum.id, "x")
    assert (general.message_thread_id, general.is_topic_message) == (None, None)
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(forum.id, "x", message_thread_id=1)
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(forum.id, "x", message_thread_id=777)
    stand_in.scene.set_topic(forum.id, topic.id, closed=True)
    with pytest.raises(BadRequest, match="Topic_closed"):
        await bot.send_message(forum.id, "x", message_thread_id=topic.id)
    stand_in.scene.set_topic(forum.id, topic.id, deleted=True)
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(forum.id, "x", message_thread_id=topic.id)


async def test_members_and_administrators_can_be_looked_up(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.scene.create_user("Ben", user_id=43)
    stand_in.scene.create_user("Cleo", user_id=44)
    group = stand_in.scene.create_group("Ops", [42, 43])
    assert [(await bot.get_chat_member(group.id, user)).status for user in (42, 43, 44)] == [
        "creator",
        "member",
        "left",
    ]
    stand_in.scene.set_status(group.id, 43, Status.ADMINISTRATOR, by=42)
    assert [admin.user.id for admin in await bot.get_chat_administrators(group.id)] == [42, 43]
    stand_in.scene.set_status(group.id, 43, Status.RESTRICTED, by=42)
    stand_in.scene.set_status(group.id, 44, Status.KICKED, by=42)
    assert [(await bot.get_chat_member(group.id, user)).status for user in (43, 44)] == ["restricted", "kicked"]
    with pytest.raises(BadRequest, match="User not found"):
        await bot.get_chat_member(group.id, 9_999)
    secret = stand_in.scene.create_group("Hidden", [42], members_hidden=True)
    with pytest.raises(BadRequest, match="Member list is inaccessible"):
        await bot.get_chat_member(secret.id, 42)
    chat = await bot.get_chat(group.id)
    assert (chat.title, chat.type) == ("Ops", "supergroup")
