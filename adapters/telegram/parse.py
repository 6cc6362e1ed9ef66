"""An update as an arrival: pure, from the JSON that Telegram sent.

python-telegram-bot reads the JSON (`Update.de_json`), which spares us the shapes of some thirty objects. What it
cannot read, and what is of no concern here, is no arrival.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from telegram import (
    CallbackQuery,
    Chat,
    ChatMemberUpdated,
    MaybeInaccessibleMessage,
    Message,
    Update,
    User,
)
from telegram.constants import ChatMemberStatus, ChatType

from adapters.inbound import AnyArrival, Changed, Commanded, Moved, Pressed, Wrote
from blocks.telegram.entities import Entity, Formatted
from blocks.telegram.limits import ANONYMOUS_ADMIN_ID, CHANNEL_SENDER_ID, SERVICE_SENDER_ID
from blocks.telegram.lists import COMMANDS
from blocks.telegram.marking import marked
from core.addresses import Provider
from core.people import Identity, Standing

NOBODY: Final = frozenset({ANONYMOUS_ADMIN_ID, CHANNEL_SENDER_ID, SERVICE_SENDER_ID})
"""Accounts that stand for whoever does not show themselves. They are never a person's identity."""
_COMMAND: Final = re.compile(r"/([a-z0-9_]{1,32})(?:@([A-Za-z0-9_]+))?(?:\s+(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Receiver:
    """The bot that updates are for: its account's id, which keys them, and the name of the connection."""

    bot_id: int
    account: str

    def key(self, update_id: int) -> str:
        """The inbox key: Telegram repeats an update under its number, and gives no other the same."""
        return f"telegram:{self.bot_id}:{update_id}"


def update_id(raw: Mapping[str, Any]) -> int | None:
    """The number of an update; None when this is none."""
    number = raw.get("update_id")
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def parse(raw: Mapping[str, Any], receiver: Receiver) -> AnyArrival | None:
    """Read an update. None: nothing for us, such as an edited message, an unknown kind or an odd shape, which
    would be as odd the next time."""
    try:
        return _arrival(Update.de_json(dict(raw), None), receiver, raw)
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError):
        return None


def _arrival(update: Update, receiver: Receiver, raw: Mapping[str, Any]) -> AnyArrival | None:
    if update.callback_query is not None:
        return _pressed(update, update.callback_query, receiver, raw)
    if update.message is not None:
        return _message(update, update.message, receiver, raw)
    if update.my_chat_member is not None:
        return _changed(update, update.my_chat_member, receiver, raw)
    return None


def query_id(raw: Mapping[str, Any]) -> str:
    """The id by which a press is answered; empty when the update is no press."""
    query = raw.get("callback_query")
    found = query.get("id") if isinstance(query, Mapping) else None
    return found if isinstance(found, str) else ""


def album_of(raw: Mapping[str, Any]) -> str:
    """The album that a message is a part of; empty when it is of none. Each photo of one is a message of its own."""
    message = raw.get("message")
    found = message.get("media_group_id") if isinstance(message, Mapping) else None
    return found if isinstance(found, str) else ""


def _pressed(update: Update, query: CallbackQuery, receiver: Receiver, raw: Mapping[str, Any]) -> Pressed | None:
    """A press carries the real person even where they write anonymously. The message may be too old to be shown
    whole; its place is told all the same.
    """
    if query.message is None or query.data is None:
        return None
    message = query.message
    return Pressed(
        key=receiver.key(update.update_id),
        provider=Provider.TELEGRAM,
        account=receiver.account,
        sender=_identity(query.from_user),
        hint=_standing(query.from_user),
        raw=raw,
        channel=_number(message.chat.id),
        thread=_thread(message) if isinstance(message, Message) else None,
        message=_number(message.message_id),
        token=query.data,
        carried=_carries(message, query.data),
    )


def _carries(message: MaybeInaccessibleMessage, data: str) -> bool:
    """Whether the message has a button with these data, as Telegram's servers know it. The data of a press are said
    by its client, which may say anything; the message is not."""
    keyboard = message.reply_markup if isinstance(message, Message) else None
    return keyboard is not None and any(one.callback_data == data for row in keyboard.inline_keyboard for one in row)


def _message(
    update: Update, message: Message, receiver: Receiver, raw: Mapping[str, Any]
) -> Wrote | Commanded | Moved | None:
    sender = message.from_user
    if sender is None or message.is_automatic_forward:
        return None
    key = receiver.key(update.update_id)
    hint = _standing(sender, behind=message.sender_chat)
    if message.migrate_to_chat_id is not None:
        # The new chat says the same once more; one of the two is enough.
        return Moved(
            key, Provider.TELEGRAM, receiver.account, _identity(sender), hint, raw,
            old=_number(message.chat.id), new=_number(message.migrate_to_chat_id),
        )  # fmt: skip
    attached = message.text is None and bool(message.effective_attachment)
    if message.text is None and not attached:
        return None
    text = message.text or ""
    private = message.chat.type == ChatType.PRIVATE
    command = _COMMAND.fullmatch(text)
    if command is not None and command[1] in COMMANDS:
        if command[2] is not None and command[2].lower() != receiver.account.lower():
            return None
        return Commanded(
            key, Provider.TELEGRAM, receiver.account, _identity(sender), hint, raw,
            channel=_number(message.chat.id), thread=_thread(message), name=command[1],
            argument=(command[3] or "").strip(), private=private,
        )  # fmt: skip
    return Wrote(
        key, Provider.TELEGRAM, receiver.account, _identity(sender), hint, raw,
        channel=_number(message.chat.id), thread=_thread(message), message=_number(message.message_id),
        text=text, reply_to=_reply_to(message), private=private,
        own=message.via_bot is None and message.forward_origin is None, attached=attached,
        to_us=_is_to_us(message, receiver), spoken=_spoken(message),
    )  # fmt: skip


def _changed(update: Update, change: ChatMemberUpdated, receiver: Receiver, raw: Mapping[str, Any]) -> Changed | None:
    """Somebody blocked the bot, or let it write again. What happens to it in groups shows in the next call."""
    blocked_or_not = change.new_chat_member.status in (ChatMemberStatus.BANNED, ChatMemberStatus.MEMBER)
    if change.chat.type != ChatType.PRIVATE or not blocked_or_not:
        return None
    return Changed(
        key=receiver.key(update.update_id),
        provider=Provider.TELEGRAM,
        account=receiver.account,
        sender=_identity(change.from_user),
        hint=_standing(change.from_user),
        raw=raw,
    )


def _number(id: object) -> str:
    """An id as it is kept. The library does not look whether it is one."""
    if not isinstance(id, int) or isinstance(id, bool):
        raise TypeError("an id of Telegram is a whole number")
    return str(id)


def _identity(user: User) -> Identity:
    return Identity(provider="telegram", user=_number(user.id))


def _standing(user: User, behind: Chat | None = None) -> Standing:
    """What the update says of its sender. `behind`: the chat in whose name they write, if not in their own."""
    anonymous = behind is not None or user.id in NOBODY
    return Standing(bot=user.is_bot and not anonymous, anonymous=anonymous, name=user.full_name)


def _thread(message: Message) -> str | None:
    """The topic. In ordinary groups a chain of replies has a number of the same name, which is none."""
    if message.is_topic_message and message.message_thread_id is not None:
        return _number(message.message_thread_id)
    return None


def _reply_to(message: Message) -> str | None:
    """The message that is answered. In a topic every message "replies" to the one that opened the topic."""
    replied = message.reply_to_message
    if replied is None or (message.is_topic_message and replied.message_id == message.message_thread_id):
        return None
    return _number(replied.message_id)


def _spoken(message: Message) -> str | None:
    """The text, or what stands under a picture, with marks for its code and quotes; None when that is the text."""
    words, formatted = message.text or message.caption, message.entities or message.caption_entities
    if not words or (message.text and not formatted):
        return None
    return marked(Formatted(words, tuple(Entity(str(one.type), one.offset, one.length) for one in formatted)))


def _is_to_us(message: Message, receiver: Receiver) -> bool:
    """Whether it answers a message that this bot sent."""
    replied = message.reply_to_message
    return replied is not None and replied.from_user is not None and replied.from_user.id == receiver.bot_id
