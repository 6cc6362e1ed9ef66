"""The limit table against an independent copy of its numbers; `check` one at and one over each of them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from telegram import constants as ptb

from blocks.telegram import limits
from blocks.telegram.check import ChatKind, check
from blocks.telegram.check_keyboard import keyboard_bytes

# Our number beside python-telegram-bot's own for the same thing.
SAME = [
    (limits.MESSAGE_TEXT, ptb.MessageLimit.MAX_TEXT_LENGTH),
    (limits.MESSAGE_ENTITIES, ptb.MessageLimit.MESSAGE_ENTITIES),
    (limits.CALLBACK_DATA, ptb.InlineKeyboardButtonLimit.MAX_CALLBACK_DATA),
    (limits.COPY_TEXT, ptb.InlineKeyboardButtonLimit.MAX_COPY_TEXT),
    (limits.ROW_BUTTONS, ptb.InlineKeyboardMarkupLimit.BUTTONS_PER_ROW),
    (limits.KEYBOARD_BUTTONS, ptb.InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER),
    (limits.TAP_TEXT, ptb.CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH),
    (limits.REPLY_PLACEHOLDER, ptb.ReplyLimit.MAX_INPUT_FIELD_PLACEHOLDER),
    (limits.START_PAYLOAD, ptb.MessageLimit.DEEP_LINK_LENGTH),
    (limits.TOPIC_NAME, ptb.ForumTopicLimit.MAX_NAME_LENGTH),
    (limits.DELETE_MESSAGES, ptb.BulkRequestLimit.MAX_LIMIT),
    (limits.COMMANDS, ptb.BotCommandLimit.MAX_COMMAND_NUMBER),
    (limits.COMMAND_NAME, ptb.BotCommandLimit.MAX_COMMAND),
    (limits.COMMAND_DESCRIPTION, ptb.BotCommandLimit.MAX_DESCRIPTION),
    (limits.UPDATES_BATCH, ptb.PollingLimit.MAX_LIMIT),
    (limits.WEBHOOK_SECRET, ptb.WebhookLimit.MAX_SECRET_TOKEN_LENGTH),
    (limits.WEBHOOK_CONNECTIONS, ptb.WebhookLimit.MAX_CONNECTIONS_LIMIT),
    (limits.PACE_OVERALL, ptb.FloodLimit.MESSAGES_PER_SECOND),
    (limits.PACE_CHAT, ptb.FloodLimit.MESSAGES_PER_SECOND_PER_CHAT),
    (limits.PACE_GROUP, ptb.FloodLimit.MESSAGES_PER_MINUTE_PER_GROUP),
]


@pytest.mark.parametrize(("ours", "theirs"), SAME, ids=lambda value: getattr(value, "name", ""))
def test_a_number_is_the_one_python_telegram_bot_knows(ours: limits.Limit, theirs: int) -> None:
    assert ours.number == theirs


def test_minimums_are_the_ones_python_telegram_bot_knows() -> None:
    assert limits.MESSAGE_TEXT.minimum == ptb.MessageLimit.MIN_TEXT_LENGTH
    assert limits.CALLBACK_DATA.minimum == ptb.InlineKeyboardButtonLimit.MIN_CALLBACK_DATA
    assert limits.REPLY_PLACEHOLDER.minimum == ptb.ReplyLimit.MIN_INPUT_FIELD_PLACEHOLDER
    assert limits.COMMAND_NAME.minimum == ptb.BotCommandLimit.MIN_COMMAND
    assert limits.TOPIC_NAME.minimum == ptb.ForumTopicLimit.MIN_NAME_LENGTH


def test_stand_in_accounts_and_ports_are_the_published_ones() -> None:
    assert int(ptb.ChatID.ANONYMOUS_ADMIN) == limits.ANONYMOUS_ADMIN_ID
    assert int(ptb.ChatID.FAKE_CHANNEL) == limits.CHANNEL_SENDER_ID
    assert int(ptb.ChatID.SERVICE_CHAT) == limits.SERVICE_SENDER_ID
    assert set(ptb.SUPPORTED_WEBHOOK_PORTS) == limits.WEBHOOK_PORTS


def test_every_row_has_its_own_name_and_says_where_it_comes_from() -> None:
    rows = [value for value in vars(limits).values() if isinstance(value, limits.Limit)]
    assert len(limits.LIMITS) == len(rows)
    assert all(row.where and row.source and row.minimum <= row.number for row in rows)


def message(text: str = "Deploy?", **more: object) -> dict[str, object]:
    return {"chat_id": 42, "text": text, "parse_mode": "HTML", **more}


def keyboard(*rows: list[dict[str, object]]) -> dict[str, object]:
    return {"inline_keyboard": list(rows)}


def button(**action: object) -> dict[str, object]:
    return {"text": "Yes", **(action or {"callback_data": "v1:a"})}


def heavy(total: int) -> dict[str, object]:
    """Build a keyboard of exactly `total` bytes."""
    rows = [[button(callback_data="x" * 64)] for _ in range(60)]
    spare = total - keyboard_bytes(keyboard(*rows, [button(callback_data="x")]))
    return keyboard(*rows, [{"text": "Yes" + "y" * spare, "callback_data": "x"}])


TOO_LONG_MARKUP = "Bad Request: reply markup is too long"
DATA_INVALID = "Bad Request: BUTTON_DATA_INVALID"
AT_AND_OVER = [
    ("sendMessage", message("a" * 4096), message("a" * 4097), "Bad Request: message is too long"),
    # Escapes count as what they stand for.
    ("sendMessage", message("&amp;" * 4096), message("&amp;" * 4097), "Bad Request: message is too long"),
    # An emoji outside the basic plane is two units.
    ("sendMessage", message("😀" * 2048), message("😀" * 2049), "Bad Request: message is too long"),
    # Four thousand CJK characters are 12,000 bytes and still one message.
    ("sendMessage", message("語" * 4096), message("語" * 4097), "Bad Request: message is too long"),
    # Tags weigh nothing in the text, but everything in its source.
    (
        "sendMessage",
        message("<b>a</b>" * 4096),
        message("<b>a</b>" * 4096 + "<b></b>"),
        "Bad Request: text is too long",
    ),
    ("editMessageText", message("a" * 4096), message("a" * 4097), "Bad Request: message is too long"),
    ("sendMessage", message("a"), message(""), "Bad Request: message text is empty"),
    ("sendMessage", message("a"), message(" \n "), "Bad Request: text must be non-empty"),
    (
        "sendMessage",
        message(reply_markup=keyboard([button(callback_data="é" * 32)])),
        message(reply_markup=keyboard([button(callback_data="é" * 32 + "x")])),
        DATA_INVALID,
    ),
    (
        "editMessageReplyMarkup",
        {"reply_markup": keyboard([button(callback_data="x" * 64)])},
        {"reply_markup": keyboard([button(callback_data="x" * 65)])},
        DATA_INVALID,
    ),
    (
        "sendMessage",
        message(reply_markup=keyboard([button()] * 8)),
        message(reply_markup=keyboard([button()] * 9)),
        TOO_LONG_MARKUP,
    ),
    (
        "sendMessage",
        message(reply_markup=keyboard(*[[button()] * 4] * 25)),
        message(reply_markup=keyboard(*[[button()] * 4] * 25, [button()])),
        TOO_LONG_MARKUP,
    ),
    (
        "sendMessage",
        message(reply_markup=heavy(10_000)),
        message(reply_markup=heavy(10_001)),
        TOO_LONG_MARKUP,
    ),
    (
        "sendMessage",
        message(reply_markup={"force_reply": True, "input_field_placeholder": "p" * 64}),
        message(reply_markup={"force_reply": True, "input_field_placeholder": "p" * 65}),
        "Bad Request: INPUT_FIELD_PLACEHOLDER_INVALID",
    ),
    (
        "sendMessage",
        message(reply_markup=keyboard([button(copy_text={"text": "c" * 256})])),
        message(reply_markup=keyboard([button(copy_text={"text": "c" * 257})])),
        "Bad Request: BUTTON_COPY_TEXT_INVALID",
    ),
    (
        "sendMessage",
        message(reply_parameters={"message_id": 1, "quote": "q" * 1024}),
        message(reply_parameters={"message_id": 1, "quote": "q" * 1025}),
        "Bad Request: message quote is too long",
    ),
    ("answerCallbackQuery", {"text": "t" * 200}, {"text": "t" * 201}, "Bad Request: MESSAGE_TOO_LONG"),
    (
        "setMyCommands",
        {"commands": [{"command": "c" * 32, "description": "d" * 256}] * 100},
        {"commands": [{"command": "c", "description": "d"}] * 101},
        "Bad Request: BOT_COMMANDS_TOO_MUCH",
    ),
    (
        "setMyCommands",
        {"commands": [{"command": "c" * 32, "description": "d"}]},
        {"commands": [{"command": "c" * 33, "description": "d"}]},
        "Bad Request: BOT_COMMAND_INVALID",
    ),
    (
        "setMyCommands",
        {"commands": [{"command": "c", "description": "d" * 256}]},
        {"commands": [{"command": "c", "description": "d" * 257}]},
        "Bad Request: command description length must not exceed 256",
    ),
    (
        "setWebhook",
        {"secret_token": "s" * 256},
        {"secret_token": "s" * 257},
        "Bad Request: secret token is too long",
    ),
]


@pytest.mark.parametrize(("method", "at", "over", "description"), AT_AND_OVER)
def test_the_limit_itself_passes_and_one_more_is_refused_in_the_servers_words(
    method: str, at: Mapping[str, object], over: Mapping[str, object], description: str
) -> None:
    assert check(method, at) is None
    refusal = check(method, over)
    assert refusal is not None
    assert (refusal.code, refusal.description) == (400, description)
    assert refusal.pointer


BUTTONS = [
    ({"text": "Yes"}, "Text buttons are unallowed in the inline keyboard"),
    ({"text": "Yes", "callback_data": ""}, "Text buttons are unallowed in the inline keyboard"),
    ({"text": "Yes", "callback_data": "a", "url": "https://e.org"}, "exactly one action is allowed"),
    ({"text": " ", "callback_data": "a"}, "inline keyboard button text must be non-empty"),
    ({"callback_data": "a"}, 'Can\'t find field "text"'),
    ({"text": "Yes", "callback_data": "a", "style": "pink"}, "invalid button style specified"),
    ("Yes", "InlineKeyboardButton must be an Object"),
    ({"text": "Open", "url": "http://localhost:8080/review"}, "Wrong HTTP URL"),
    ({"text": "Open", "url": "http://intranet/review"}, "Wrong HTTP URL"),
    ({"text": "Open", "url": "http://127.0.0.1:8080/review"}, "BUTTON_URL_INVALID"),
    ({"text": "Open", "url": "http://app.localhost/review"}, "BUTTON_URL_INVALID"),
    ({"text": "Open", "url": "http://[::1]/review"}, "BUTTON_URL_INVALID"),
    ({"text": "Open", "url": "http://[::ffff:127.0.0.1]/"}, "BUTTON_URL_INVALID"),
    ({"text": "Open", "url": "http://0.0.0.0/review"}, "BUTTON_URL_INVALID"),
    ({"text": "Open", "url": "ftp://example.org/x"}, "Unsupported URL protocol"),
    ({"text": "Open", "url": "javascript:alert(1)"}, "Wrong port number specified in the URL"),
    ({"text": "Open", "url": "https://exa mple.org/"}, "Disallowed character in URL host"),
    ({"text": "Open", "web_app": {"url": "http://example.org/"}}, "Only HTTPS links are allowed"),
]


@pytest.mark.parametrize(("wrong", "reason"), BUTTONS)
def test_a_button_the_platform_refuses_is_refused_with_a_pointer_to_it(wrong: object, reason: str) -> None:
    refusal = check("sendMessage", message(reply_markup={"inline_keyboard": [[button(), wrong]]}))
    assert refusal is not None
    assert reason in refusal.description
    assert refusal.pointer.startswith("/reply_markup/inline_keyboard/0/1")


@pytest.mark.parametrize(
    "action",
    [
        {"url": "https://example.org/review/int_1"},
        {"url": "http://example.org:8080/?a=b"},
        {"url": "tg://user?id=42"},
        {"url": "example.org"},
        {"url": "https://[2001:db8::1]/x"},
        {"callback_data": "x"},
        {"switch_inline_query_current_chat": ""},
        {"login_url": {"url": "https://example.org/login"}},
        {"disabled": {}},
        {"web_app": {"url": "https://example.org/app"}},
    ],
)
def test_a_button_with_one_good_action_passes_in_a_private_chat(action: dict[str, object]) -> None:
    assert check("sendMessage", message(reply_markup=keyboard([button(**action)]))) is None


@pytest.mark.parametrize("chat", ["group", "supergroup", "channel"])
def test_a_mini_app_button_exists_only_in_private_chats(chat: ChatKind) -> None:
    markup = keyboard([button(web_app={"url": "https://example.org/app"})])
    refusal = check("sendMessage", message(reply_markup=markup), chat)
    assert refusal is not None
    assert refusal.description == "Bad Request: BUTTON_TYPE_INVALID"


def test_an_edit_takes_only_inline_keyboards_and_none_at_all() -> None:
    refusal = check("editMessageText", message(reply_markup={"force_reply": True}))
    assert refusal is not None
    assert refusal.description == "Bad Request: inline keyboard expected"
    assert check("editMessageText", message(reply_markup={"inline_keyboard": []})) is None
    assert check("editMessageText", message()) is None
