"""The Bot API methods the stand-in knows, by their names in lower case; it answers 404 to all others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.sandbox.telegram import answering, editing, lookups, sending, subscription
from bot.sandbox.telegram.messages import Json
from bot.sandbox.telegram.parts import Parts


@dataclass(frozen=True, slots=True)
class Method:
    """A method's published name and what it does with its parameters; the result is JSON."""

    name: str
    run: Callable[[Parts, Json], Awaitable[object]]


_METHODS: Final = (
    Method("getMe", lookups.get_me),
    Method("getChat", lookups.get_chat),
    Method("getChatMember", lookups.get_chat_member),
    Method("getChatAdministrators", lookups.get_chat_administrators),
    Method("setMyCommands", lookups.set_my_commands),
    Method("getMyCommands", lookups.get_my_commands),
    Method("deleteMyCommands", lookups.delete_my_commands),
    Method("getUpdates", subscription.get_updates),
    Method("setWebhook", subscription.set_webhook),
    Method("deleteWebhook", subscription.delete_webhook),
    Method("getWebhookInfo", subscription.get_webhook_info),
    Method("sendMessage", sending.send_message),
    Method("sendChatAction", sending.send_chat_action),
    Method("editMessageText", editing.edit_message_text),
    Method("editMessageReplyMarkup", editing.edit_message_reply_markup),
    Method("deleteMessage", editing.delete_message),
    Method("deleteMessages", editing.delete_messages),
    Method("answerCallbackQuery", answering.answer_callback_query),
)
METHODS: Final[Mapping[str, Method]] = MappingProxyType({method.name.lower(): method for method in _METHODS})
