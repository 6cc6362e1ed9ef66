"""What people do reaches a real python-telegram-bot by long polling, once, in order, until it is too old."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from telegram import Bot, ChatMemberUpdated, InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.error import BadRequest, Conflict
from telegram.ext import CallbackQueryHandler, CommandHandler, ContextTypes, Updater

from bot.sandbox.telegram import TelegramStandIn
from tests.adapters.telegram.bots import application_of, bot_of, serving

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


async def test_start_carries_its_payload_as_a_command(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.human.start(42, "link-abc_123")
    (update,) = await bot.get_updates()
    assert update.message is not None
    assert update.message.text == "/start link-abc_123"
    assert [entity.type for entity in update.message.entities] == ["bot_command"]
    assert update.message.chat.type == "private"
    assert update.message.from_user is not None
    assert update.message.from_user.language_code == "en"


async def test_updates_are_numbered_in_order_and_stay_until_the_next_offset_confirms_them(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    stand_in.human.start(42)
    for text in ("one", "two"):
        stand_in.human.write(42, 42, text)
    first = await bot.get_updates()
    assert await bot.get_updates() == first
    numbers = [update.update_id for update in first]
    assert numbers == list(range(numbers[0], numbers[0] + 3))
    assert await texts(bot, numbers[1]) == ["one", "two"]
    assert await texts(bot, numbers[2] + 1) == []
    assert await texts(bot) == []


async def test_a_negative_offset_forgets_all_but_the_last(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.human.start(42)
    for text in ("one", "two"):
        stand_in.human.write(42, 42, text)
    assert await texts(bot, -1) == ["two"]
    assert await texts(bot) == ["two"]


async def test_a_waiting_poll_returns_as_soon_as_something_happens(stand_in: TelegramStandIn, bot: Bot) -> None:
    waiting = asyncio.create_task(bot.get_updates(timeout=50))
    await stand_in.until(lambda: stand_in.polled)
    stand_in.human.start(42)
    (update,) = await asyncio.wait_for(waiting, 2)
    assert update.message is not None


async def test_a_second_poller_ends_the_first_with_a_conflict(stand_in: TelegramStandIn, bot: Bot) -> None:
    first = asyncio.create_task(bot.get_updates(timeout=50))
    await stand_in.until(lambda: stand_in.polled)
    async with bot_of(stand_in) as other:
        second = asyncio.create_task(other.get_updates(timeout=50))
        with pytest.raises(Conflict, match="terminated by other getUpdates request"):
            await asyncio.wait_for(first, 2)
        stand_in.human.start(42)
        assert len(await asyncio.wait_for(second, 2)) == 1


async def test_no_polling_while_a_webhook_is_set_and_setting_one_ends_a_poll(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    waiting = asyncio.create_task(bot.get_updates(timeout=50))
    await stand_in.until(lambda: stand_in.polled)
    await bot.set_webhook("http://127.0.0.1:9/hook")
    with pytest.raises(Conflict, match="terminated by setWebhook request"):
        await asyncio.wait_for(waiting, 2)
    with pytest.raises(Conflict, match="can't use getUpdates method while webhook is active"):
        await bot.get_updates()
    await bot.delete_webhook()
    assert await bot.get_updates() == ()


async def test_kinds_that_are_not_allowed_are_lost_and_the_choice_outlives_the_call(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    stand_in.human.start(42)
    sent = await bot.send_message(42, "Deploy?", reply_markup=YES)
    await bot.get_updates(allowed_updates=["message"])
    await stand_in.human.press(42, 42, "Yes", wait=0)
    stand_in.human.write(42, 42, "hello")
    assert await texts(bot) == ["/start", "hello"]
    await bot.get_updates(allowed_updates=[])
    await stand_in.human.press(42, 42, "Yes", message_id=sent.message_id, wait=0)
    assert [update.callback_query is not None for update in await bot.get_updates()] == [False, False, True]


async def test_a_tap_is_kept_for_150_seconds_and_a_message_for_a_day(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.human.start(42)
    await bot.send_message(42, "Deploy?", reply_markup=YES)
    await stand_in.human.press(42, 42, "Yes", wait=0)
    stand_in.clock.advance(149)
    assert len(await bot.get_updates()) == 2
    stand_in.clock.advance(2)
    assert await texts(bot) == ["/start"]
    stand_in.clock.advance(86_400)
    assert await bot.get_updates() == ()


async def test_a_tap_is_answered_once_in_time_and_shown_to_whoever_pressed(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.human.start(42)
    await bot.send_message(42, "Deploy?", reply_markup=YES)
    pressing = asyncio.create_task(stand_in.human.press(42, 42, "Yes"))
    _, update = await _two(bot)
    assert update.callback_query is not None
    assert (update.callback_query.data, update.callback_query.from_user.id) == ("y", 42)
    assert await update.callback_query.answer("Saved", show_alert=True)
    tap = await pressing
    assert tap.answer is not None
    assert (tap.answer.text, tap.answer.show_alert) == ("Saved", True)
    assert 0 <= tap.answer.after < 5
    with pytest.raises(BadRequest, match="Query is too old and response timeout expired or query id is invalid"):
        await update.callback_query.answer("again")
    late = await stand_in.human.press(42, 42, "Yes", wait=0)
    stand_in.clock.advance(16)
    with pytest.raises(BadRequest, match="Query is too old"):
        await bot.answer_callback_query(late.id)
    with pytest.raises(BadRequest, match="Query is too old"):
        await bot.answer_callback_query("12345")


async def _two(bot: Bot) -> tuple[Update, ...]:
    while len(found := await bot.get_updates(timeout=1)) < 2:
        continue
    return found


async def test_a_tap_on_a_deleted_message_names_it_without_content(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.human.start(42)
    sent = await bot.send_message(42, "Deploy?", reply_markup=YES)
    await bot.delete_message(42, sent.message_id)
    await stand_in.human.press(42, 42, "Yes", message_id=sent.message_id, version=0, wait=0)
    query = (await bot.get_updates())[-1].callback_query
    assert query is not None
    assert query.message is not None
    assert query.message.is_accessible is False
    assert query.message.message_id == sent.message_id


async def test_an_edited_message_arrives_as_an_edit(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.human.start(42)
    message = stand_in.human.write(42, 42, "typo")
    stand_in.human.edit(42, 42, message.id, "fixed")
    update = (await bot.get_updates())[-1]
    assert update.edited_message is not None
    assert (update.edited_message.text, update.edited_message.message_id) == ("fixed", message.id)
    assert update.edited_message.edit_date is not None


async def test_blocking_and_unblocking_are_told(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.human.start(42)
    stand_in.human.block(42)
    stand_in.human.start(42)
    changes = [update.my_chat_member for update in await bot.get_updates() if update.my_chat_member]
    assert [_statuses(change) for change in changes] == [("member", "kicked"), ("kicked", "member")]
    assert changes[0].chat.id == 42


def _statuses(change: ChatMemberUpdated) -> tuple[str, str]:
    return change.old_chat_member.status, change.new_chat_member.status


async def test_200_people_pressing_at_once_are_all_heard_and_all_answered(stand_in: TelegramStandIn) -> None:
    crowd = [stand_in.scene.create_user(f"P{n}").id for n in range(200)]
    group = stand_in.scene.create_group("Crowd", crowd)
    application = application_of(stand_in)

    async def answer(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.callback_query is not None
        await update.callback_query.answer(f"thanks {update.callback_query.from_user.id}")

    application.add_handler(CallbackQueryHandler(answer))
    async with application, bot_of(stand_in) as poller:
        await application.bot.send_message(group.id, "Deploy?", reply_markup=YES)
        await application.start()
        updater = Updater(poller, application.update_queue)
        async with updater:
            await updater.start_polling(timeout=5)
            taps = await asyncio.gather(*(stand_in.human.press(who, group.id, "Yes", wait=20) for who in crowd))
            await updater.stop()
        await application.stop()
    assert [tap.text for tap in taps] == [f"thanks {who}" for who in crowd]


async def test_an_application_with_its_own_updater_hears_commands(stand_in: TelegramStandIn) -> None:
    application = application_of(stand_in)
    heard = asyncio.Event()

    async def greet(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert context.args == ["code"]
        assert update.message is not None
        await update.message.reply_text("Hello")
        heard.set()

    application.add_handler(CommandHandler("start", greet))
    async with application, bot_of(stand_in) as poller, Updater(poller, application.update_queue) as updater:
        await application.start()
        await updater.start_polling(timeout=5)
        stand_in.human.start(42, "code")
        await asyncio.wait_for(heard.wait(), 5)
        await updater.stop()
        await application.stop()
    assert stand_in.world.history(42)[-1].text == "Hello"


async def test_repeated_polls_are_slowed_when_pace_is_kept() -> None:
    async with serving(pace=True) as stand_in, bot_of(stand_in) as bot:
        stand_in.scene.create_user("Ana", user_id=42)
        stand_in.human.start(42)
        stand_in.human.write(42, 42, "two")
        assert len(await bot.get_updates()) == 2
        assert len(await bot.get_updates()) == 1
        stand_in.clock.advance(1)
        assert len(await bot.get_updates()) == 2
