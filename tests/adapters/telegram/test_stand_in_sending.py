"""The stand-in answers a real python-telegram-bot as the Bot API does: messages, edits, and its refusals."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from telegram import (
    Bot,
    BotCommand,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    Message,
    ReplyParameters,
    WebAppInfo,
)
from telegram.error import BadRequest, EndPointNotFound, InvalidToken

from bot.sandbox.telegram import TelegramStandIn
from tests.adapters.telegram.bots import bot_of, serving

YES_NO = InlineKeyboardMarkup(
    [[InlineKeyboardButton("Yes", callback_data="y"), InlineKeyboardButton("No", callback_data="n")]]
)


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


async def test_get_me_names_the_bot(stand_in: TelegramStandIn, bot: Bot) -> None:
    me = await bot.get_me()
    assert (me.id, me.username, me.is_bot) == (stand_in.bot_id, stand_in.bot_username, True)
    assert me.can_read_all_group_messages is False


async def test_html_arrives_as_text_and_entities(stand_in: TelegramStandIn, bot: Bot) -> None:
    html = '<b>Deploy</b> 4.2 &amp; <i>check</i> <a href="https://example.org/x">log</a>\n<blockquote>why</blockquote>'
    message = await bot.send_message(42, html, parse_mode="HTML", reply_markup=YES_NO)
    assert message.text == "Deploy 4.2 & check log\nwhy"
    assert message.text_html == html
    assert message.reply_markup == YES_NO
    assert message.from_user is not None
    assert message.from_user.id == stand_in.bot_id
    assert stand_in.world.history(42)[-1].buttons == ["Yes", "No"]


async def test_telegram_finds_commands_and_mentions_itself_but_not_in_code(bot: Bot) -> None:
    message = await bot.send_message(
        42, "ask @ana or /help see https://example.org/a <code>@ana</code>", parse_mode="HTML"
    )
    assert [entity.type for entity in message.entities] == ["mention", "bot_command", "url", "code"]


async def test_editing_without_a_keyboard_removes_it_and_keeps_the_history(stand_in: TelegramStandIn, bot: Bot) -> None:
    sent = await bot.send_message(42, "Deploy?", reply_markup=YES_NO)
    edited = await bot.edit_message_text("Deployed", 42, sent.message_id)
    assert isinstance(edited, Message)
    assert (edited.text, edited.reply_markup) == ("Deployed", None)
    kept = stand_in.world.message(42, sent.message_id)
    assert kept is not None
    assert [version.content.text for version in kept.history] == ["Deploy?"]


async def test_a_keyboard_can_be_replaced_alone(bot: Bot) -> None:
    sent = await bot.send_message(42, "Deploy?", reply_markup=YES_NO)
    gone = await bot.edit_message_reply_markup(42, sent.message_id)
    assert isinstance(gone, Message)
    assert (gone.text, gone.reply_markup) == ("Deploy?", None)


async def test_a_deleted_message_is_gone_for_edits_and_for_a_second_deletion(bot: Bot) -> None:
    sent = await bot.send_message(42, "Deploy?")
    assert await bot.delete_message(42, sent.message_id)
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await bot.edit_message_text("x", 42, sent.message_id)
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await bot.delete_message(42, sent.message_id)


async def test_a_message_older_than_two_days_cannot_be_deleted_but_can_be_edited(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    sent = await bot.send_message(42, "Deploy?")
    stand_in.clock.advance(172_801)
    with pytest.raises(BadRequest, match="Message can't be deleted"):
        await bot.delete_message(42, sent.message_id)
    assert await bot.edit_message_text("Deployed", 42, sent.message_id)


async def test_at_most_a_hundred_messages_are_deleted_at_once_and_all_of_them_or_none(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    for ids in ([], list(range(1, 102))):
        with pytest.raises(BadRequest):
            await bot.delete_messages(42, ids)
    old = await bot.send_message(42, "Deploy?")
    stand_in.clock.advance(172_801)
    new = await bot.send_message(42, "Deploy?")
    with pytest.raises(BadRequest, match="Message can't be deleted"):
        await bot.delete_messages(42, [old.message_id, new.message_id])
    assert await bot.delete_messages(42, [new.message_id, new.message_id + 1])
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await bot.delete_message(42, new.message_id)


async def test_a_message_with_a_reply_prompt_can_never_be_edited(bot: Bot) -> None:
    sent = await bot.send_message(42, "Why?", reply_markup=ForceReply(input_field_placeholder="Reason"))
    with pytest.raises(BadRequest, match="Message can't be edited"):
        await bot.edit_message_text("x", 42, sent.message_id)


async def test_a_reply_names_what_it_replies_to_and_a_missing_one_is_refused_unless_allowed(bot: Bot) -> None:
    first = await bot.send_message(42, "one")
    reply = await bot.send_message(42, "two", reply_parameters=ReplyParameters(first.message_id, quote="ne"))
    assert reply.reply_to_message is not None
    assert reply.reply_to_message.message_id == first.message_id
    assert reply.quote is not None
    assert (reply.quote.text, reply.quote.position) == ("ne", 1)
    with pytest.raises(BadRequest, match="Message to be replied not found"):
        await bot.send_message(42, "x", reply_parameters=ReplyParameters(999))
    alone = await bot.send_message(42, "x", reply_parameters=ReplyParameters(999, allow_sending_without_reply=True))
    assert alone.reply_to_message is None


async def test_another_persons_message_and_unknown_ids_cannot_be_edited(stand_in: TelegramStandIn, bot: Bot) -> None:
    theirs = stand_in.human.write(42, 42, "hello")
    with pytest.raises(BadRequest, match="Message can't be edited"):
        await bot.edit_message_text("x", 42, theirs.id)
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await bot.edit_message_text("x", 42, 10_000)


REFUSED: list[tuple[Callable[[Bot], Any], str]] = [
    (lambda bot: bot.send_message(42, "a" * 4097), "Message is too long"),
    (lambda bot: bot.send_message(42, ""), "Message text is empty"),
    (lambda bot: bot.send_message(42, "<br>", parse_mode="HTML"), 'unsupported start tag "br" at byte offset 0'),
    (lambda bot: bot.send_message(42, "x", parse_mode="MarkdownV2"), "Unsupported parse_mode"),
    (lambda bot: bot.send_message(9_999, "x"), "Chat not found"),
    (lambda bot: bot.send_message("@nowhere", "x"), "Chat not found"),
    (lambda bot: bot.send_message(42, "x", message_thread_id=5), "Message thread not found"),
    (
        lambda bot: bot.send_message(
            42, "x", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("a", callback_data="x" * 65)]])
        ),
        "Button_data_invalid",
    ),
    (
        lambda bot: bot.send_message(
            42, "x", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("a", callback_data="x")] * 9])
        ),
        "Reply markup is too long",
    ),
    (
        lambda bot: bot.send_message(
            42, "x", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("a", url="http://localhost:1/")]])
        ),
        "is invalid: Wrong HTTP URL",
    ),
    (lambda bot: bot.send_chat_action(42, "dancing"), "Wrong parameter action in request"),
    (lambda bot: bot.get_chat_administrators(42), "There are no administrators in the private chat"),
    (lambda bot: bot.set_my_commands([BotCommand("Upper", "x")]), "Bot_command_invalid"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
async def test_it_refuses_in_the_servers_words(bot: Bot, call: Callable[[Bot], Any], words: str) -> None:
    with pytest.raises(BadRequest) as refused:
        await call(bot)
    assert words.lower() in str(refused.value).lower()


async def test_an_edit_that_changes_nothing_is_refused(bot: Bot) -> None:
    sent = await bot.send_message(42, "<b>a</b>", parse_mode="HTML", reply_markup=YES_NO)
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_text("<b>a</b>", 42, sent.message_id, parse_mode="HTML", reply_markup=YES_NO)
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_reply_markup(42, sent.message_id, reply_markup=YES_NO)


async def test_a_mini_app_button_is_refused_outside_private_chats(stand_in: TelegramStandIn, bot: Bot) -> None:
    app = InlineKeyboardMarkup([[InlineKeyboardButton("Open", web_app=WebAppInfo("https://example.org/"))]])
    group = stand_in.scene.create_group("Ops", [42])
    await bot.send_message(42, "x", reply_markup=app)
    with pytest.raises(BadRequest, match="Button_type_invalid"):
        await bot.send_message(group.id, "x", reply_markup=app)


async def test_commands_are_kept_by_language(bot: Bot) -> None:
    await bot.set_my_commands([BotCommand("inbox", "Open cards")])
    await bot.set_my_commands([BotCommand("inbox", "Abiertas")], language_code="es")
    assert [command.description for command in await bot.get_my_commands()] == ["Open cards"]
    assert [command.description for command in await bot.get_my_commands(language_code="es")] == ["Abiertas"]


async def test_a_wrong_token_and_an_unknown_method_are_told_apart(stand_in: TelegramStandIn, bot: Bot) -> None:
    with pytest.raises(InvalidToken):
        async with bot_of(stand_in, f"{stand_in.bot_id}:wrong"):
            pytest.fail("a wrong token was let in")
    with pytest.raises(EndPointNotFound):
        await bot.do_api_request("sendRichMessage", {"chat_id": 42})
    with pytest.raises(InvalidToken, match="method not found"):
        await bot.send_dice(42)


async def test_the_token_is_in_no_journal(stand_in: TelegramStandIn, bot: Bot) -> None:
    await bot.send_message(42, "Deploy?")
    assert [call.method for call in stand_in.journal.calls] == ["getMe", "sendMessage"]
    assert not stand_in.journal.contains(stand_in.settings.bot_secret)
    assert stand_in.settings.bot_secret not in repr(stand_in.settings)
