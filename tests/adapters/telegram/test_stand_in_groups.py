"""What a bot hears in groups: privacy mode, anonymous administrators, channels, topics, migration."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup

from bot.sandbox.telegram import TelegramStandIn
from bot.sandbox.telegram.messages import Guise
from bot.sandbox.telegram.people import Status
from bot.sandbox.telegram.places import GroupKind
from tests.adapters.telegram.bots import bot_of, serving

YES = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]])


@pytest.fixture
async def stand_in() -> AsyncIterator[TelegramStandIn]:
    async with serving() as found:
        found.scene.create_user("Ana", user_id=42, username="ana")
        found.scene.create_user("Ben", user_id=43)
        yield found


@pytest.fixture
async def bot(stand_in: TelegramStandIn) -> AsyncIterator[Bot]:
    async with bot_of(stand_in) as found:
        yield found


async def texts(bot: Bot, offset: int | None = None) -> list[str | None]:
    return [u.effective_message.text for u in await bot.get_updates(offset) if u.effective_message]


async def test_privacy_mode_lets_commands_and_replies_through_and_nothing_else(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    group = stand_in.scene.create_group("Ops", [42, 43])
    card = await bot.send_message(group.id, "Deploy?")
    await bot.get_updates()
    stand_in.human.write(42, group.id, "chatter")
    stand_in.human.write(42, group.id, "hello @sayso_demo_bot")
    stand_in.human.write(42, group.id, "/inbox")
    stand_in.human.write(42, group.id, "/inbox@other_bot")
    stand_in.human.write(42, group.id, f"/inbox@{stand_in.bot_username}")
    stand_in.human.write(43, group.id, "because", reply_to=card.message_id)
    assert (await texts(bot))[-3:] == ["/inbox", f"/inbox@{stand_in.bot_username}", "because"]
    stand_in.scene.set_status(group.id, stand_in.bot_id, Status.ADMINISTRATOR, by=42)
    stand_in.human.write(42, group.id, "chatter seen by an administrator")
    assert (await texts(bot))[-1] == "chatter seen by an administrator"


async def test_without_privacy_mode_everything_arrives_but_other_bots_never_do() -> None:
    async with serving(privacy=False) as stand_in, bot_of(stand_in) as bot:
        stand_in.scene.create_user("Ana", user_id=42)
        stand_in.scene.create_user("Robot", user_id=50, is_bot=True)
        group = stand_in.scene.create_group("Ops", [42, 50])
        stand_in.human.write(50, group.id, "beep")
        stand_in.human.write(42, group.id, "chatter")
        assert (await texts(bot))[-1] == "chatter"
        assert "beep" not in await texts(bot)


async def test_an_anonymous_admin_writes_as_the_group_and_presses_as_themselves(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    group = stand_in.scene.create_group("Ops", [42])
    card = await bot.send_message(group.id, "Deploy?", reply_markup=YES)
    stand_in.human.write(42, group.id, "yes", reply_to=card.message_id, guise=Guise.ANONYMOUS_ADMIN)
    await stand_in.human.press(42, group.id, "Yes", wait=0)
    written, pressed = (await bot.get_updates())[-2:]
    assert written.message is not None
    assert written.message.from_user is not None
    assert (written.message.from_user.id, written.message.from_user.is_bot) == (1087968824, True)
    assert written.message.sender_chat is not None
    assert written.message.sender_chat.id == group.id
    assert pressed.callback_query is not None
    assert pressed.callback_query.from_user.id == 42


async def test_a_channel_speaks_in_a_group_and_posts_in_its_own(stand_in: TelegramStandIn, bot: Bot) -> None:
    news = stand_in.scene.create_group("News", [42], kind=GroupKind.CHANNEL, bot=Status.ADMINISTRATOR)
    group = stand_in.scene.create_group("Ops", [42], bot=Status.ADMINISTRATOR)
    stand_in.human.write(42, news.id, "post")
    stand_in.human.write(42, group.id, "as channel", guise=Guise.CHANNEL, channel=news.id)
    post, spoken = (await bot.get_updates())[-2:]
    assert post.channel_post is not None
    assert (post.channel_post.text, post.channel_post.from_user) == ("post", None)
    assert spoken.message is not None
    assert spoken.message.from_user is not None
    assert spoken.message.from_user.id == 136817688


async def test_a_bot_that_presses_is_marked_as_one(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.scene.create_user("Robot", user_id=50, is_bot=True)
    group = stand_in.scene.create_group("Ops", [42, 50])
    await bot.send_message(group.id, "Deploy?", reply_markup=YES)
    await stand_in.human.press(50, group.id, "Yes", wait=0)
    query = (await bot.get_updates())[-1].callback_query
    assert query is not None
    assert query.from_user.is_bot


async def test_migration_leaves_a_service_message_in_both_groups(stand_in: TelegramStandIn, bot: Bot) -> None:
    old = stand_in.scene.create_group("Ops", [42], kind=GroupKind.GROUP)
    new = stand_in.scene.migrate(old.id)
    away, here = [update.message for update in (await bot.get_updates())[-2:]]
    assert away is not None
    assert here is not None
    assert (away.chat.id, away.migrate_to_chat_id) == (old.id, new.id)
    assert (here.chat.id, here.migrate_from_chat_id) == (new.id, old.id)


async def test_in_a_topic_whatever_replies_to_nothing_replies_to_its_opening(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    forum = stand_in.scene.create_group("Forum", [42], is_forum=True, bot=Status.ADMINISTRATOR)
    topic = stand_in.scene.create_topic(forum.id, "Releases", by=42)
    stand_in.human.write(42, forum.id, "hello", topic=topic.id)
    message = (await bot.get_updates())[-1].message
    assert message is not None
    assert (message.message_thread_id, message.is_topic_message) == (topic.id, True)
    assert message.reply_to_message is not None
    assert message.reply_to_message.forum_topic_created is not None


async def test_a_reply_in_a_supergroup_has_a_thread_id_that_is_no_topic(stand_in: TelegramStandIn, bot: Bot) -> None:
    group = stand_in.scene.create_group("Ops", [42])
    card = await bot.send_message(group.id, "Why?")
    stand_in.human.write(42, group.id, "because", reply_to=card.message_id)
    message = (await bot.get_updates())[-1].message
    assert message is not None
    assert (message.message_thread_id, message.is_topic_message) == (card.message_id, None)
