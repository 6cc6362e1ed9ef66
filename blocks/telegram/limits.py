"""Every Telegram Bot API limit this project relies on, as one table.

Renderers size cards by it and the Telegram stand-in refuses by it, so a card that fits here is a card the
tests can post. Numbers are inclusive maxima (`minimum` is the inclusive minimum). Sources: `api` is the Bot
API reference, `server` is the published source of the Bot API server and of TDLib beneath it, `faq` is
Telegram's bot FAQ, `measured` was observed by others and is not documented; treat a measured number as the
most that may be relied on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Unit(StrEnum):
    """What a limit counts."""

    UTF16 = "UTF-16 units"
    CHARACTERS = "characters"
    BYTES = "bytes"
    ITEMS = "items"
    SECONDS = "seconds"
    PER_SECOND = "per second"
    PER_MINUTE = "per minute"


@dataclass(frozen=True, slots=True)
class Limit:
    """One row: a name, the largest allowed value, what is counted, where it applies and who says so."""

    name: str
    number: int
    unit: Unit
    where: str
    source: str
    minimum: int = 0


def utf16_length(text: str) -> int:
    """Return the UTF-16 units of `text`.

    Telegram's length limits are in code points by its own configuration and in UTF-16 units by many
    reports, and entity offsets are UTF-16 for certain. A text that fits in UTF-16 units fits under either
    reading.
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def size(text: str) -> int:
    """Return the UTF-8 bytes of `text`, the unit of the limits in bytes."""
    return len(text.encode("utf-8", "surrogatepass"))


TEXT, CHARS, BYTES, ITEMS, SECONDS = Unit.UTF16, Unit.CHARACTERS, Unit.BYTES, Unit.ITEMS, Unit.SECONDS

# Messages.
MESSAGE_TEXT: Final = Limit("message.text", 4_096, TEXT, "text without its HTML", "api sendMessage", 1)
MESSAGE_SOURCE: Final = Limit("message.source", 32_768, BYTES, "text with its HTML", "server")
MESSAGE_ENTITIES: Final = Limit(
    "message.entities",
    100,
    ITEMS,
    "code, links, mentions, quotes and dates; more are dropped silently",
    "server",
)
REPLY_QUOTE: Final = Limit("reply.quote", 1_024, TEXT, "quote of the message replied to", "api ReplyParameters")
REPLY_PLACEHOLDER: Final = Limit("reply.placeholder", 64, CHARS, "input_field_placeholder", "api ForceReply", 1)
TOPIC_NAME: Final = Limit("topic.name", 128, CHARS, "name of a forum topic", "api createForumTopic", 1)
DELETE_MESSAGES: Final = Limit("delete.messages", 100, ITEMS, "ids in one deleteMessages", "api", 1)
DELETE_AGE: Final = Limit("delete.age", 172_800, SECONDS, "age of a message that can be deleted", "api")

# Inline keyboards.
CALLBACK_DATA: Final = Limit("button.callback_data", 64, BYTES, "callback_data", "api InlineKeyboardButton", 1)
COPY_TEXT: Final = Limit("button.copy_text", 256, CHARS, "text of a copy button", "api CopyTextButton", 1)
ROW_BUTTONS: Final = Limit("keyboard.row", 8, ITEMS, "buttons in one row", "measured", 1)
KEYBOARD_BUTTONS: Final = Limit("keyboard.buttons", 100, ITEMS, "buttons of one keyboard", "measured")
KEYBOARD_BYTES: Final = Limit("keyboard.bytes", 10_000, BYTES, "one keyboard as compact JSON", "measured: about 10 kB")

# Answers to a tap.
TAP_TEXT: Final = Limit("tap.text", 200, TEXT, "toast or alert of answerCallbackQuery", "api answerCallbackQuery")
TAP_LIFETIME: Final = Limit("tap.lifetime", 150, SECONDS, "an undelivered tap, then it is lost", "server")
TAP_ANSWER: Final = Limit("tap.answer", 15, SECONDS, "between a tap and its answer", "measured: 10 to 20 s")

# Links into the bot.
START_PAYLOAD: Final = Limit("start.payload", 64, CHARS, "?start= ?startgroup=, A-Za-z0-9_-", "api deep links")
APP_PAYLOAD: Final = Limit("app.payload", 512, CHARS, "?startapp=, A-Za-z0-9_-", "api mini apps")

# Commands of the bot.
COMMANDS: Final = Limit("commands", 100, ITEMS, "commands of one scope and language", "api setMyCommands")
COMMAND_NAME: Final = Limit("command.name", 32, CHARS, "a-z0-9_", "api BotCommand", 1)
COMMAND_DESCRIPTION: Final = Limit("command.description", 256, CHARS, "description", "api BotCommand", 1)

# Updates.
UPDATE_LIFETIME: Final = Limit("update.lifetime", 86_400, SECONDS, "an undelivered message or status change", "server")
UPDATES_BATCH: Final = Limit("updates.batch", 100, ITEMS, "limit of getUpdates", "api getUpdates", 1)
UPDATES_WAIT: Final = Limit("updates.wait", 50, SECONDS, "timeout of getUpdates; more is cut to it", "server")
WEBHOOK_SECRET: Final = Limit("webhook.secret", 256, CHARS, "secret_token, A-Za-z0-9_-", "api setWebhook", 1)
WEBHOOK_CONNECTIONS: Final = Limit("webhook.connections", 100, ITEMS, "max_connections", "api setWebhook", 1)
WEBHOOK_WAIT: Final = Limit("webhook.wait", 60, SECONDS, "for the answer to one delivery", "server")
WEBHOOK_RETRY_AFTER: Final = Limit("webhook.retry_after", 3_600, SECONDS, "Retry-After obeyed at most", "server")

# Pace.
PACE_OVERALL: Final = Limit("pace.overall", 30, Unit.PER_SECOND, "messages of one bot", "faq")
PACE_CHAT: Final = Limit("pace.chat", 1, Unit.PER_SECOND, "messages in one chat; short bursts pass", "faq")
PACE_GROUP: Final = Limit("pace.group", 20, Unit.PER_MINUTE, "messages in one group", "faq")

# Accounts that stand for someone else. They are never a person's identity.
ANONYMOUS_ADMIN_ID: Final = 1_087_968_824
CHANNEL_SENDER_ID: Final = 136_817_688
SERVICE_SENDER_ID: Final = 777_000
WEBHOOK_PORTS: Final = frozenset({80, 88, 443, 8443})


def _table() -> Mapping[str, Limit]:
    rows = [value for value in globals().values() if isinstance(value, Limit)]
    return MappingProxyType({row.name: row for row in rows})


LIMITS: Final = _table()
