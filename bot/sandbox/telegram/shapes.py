"""The stand-in's values in the shapes of the Bot API: User, Chat, Message, ChatMember, CallbackQuery."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from blocks.telegram.entities import Entity
from blocks.telegram.limits import utf16_length
from bot.sandbox.telegram.messages import Guise, Json, Message
from bot.sandbox.telegram.people import ANONYMOUS_ADMIN, CHANNEL_SENDER, Status, User
from bot.sandbox.telegram.places import Group, GroupKind, Place, Private
from bot.sandbox.telegram.taps import Tap
from bot.sandbox.telegram.world import World

# What each entity type calls its argument.
_ARGUMENTS: Final = {
    "text_link": "url",
    "pre": "language",
    "custom_emoji": "custom_emoji_id",
}
_GIFTS: Final = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
_ADMIN_RIGHTS: Final = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)
_GROUP_RIGHTS: Final = ("can_pin_messages", "can_manage_topics", "can_manage_tags")
_CHANNEL_RIGHTS: Final = ("can_post_messages", "can_edit_messages", "can_manage_direct_messages")
_RESTRICTED_RIGHTS: Final = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)


def _given(**fields: Any) -> Json:
    """Leave out what has no value, as the Bot API does."""
    return {name: value for name, value in fields.items() if value is not None and value != ""}


def user_json(user: User) -> Json:
    """Return a User."""
    return {"id": user.id, "is_bot": user.is_bot, "first_name": user.first_name} | _given(
        last_name=user.last_name, username=user.username, language_code=user.language_code
    )


def bot_json(world: World) -> Json:
    """Return the User of getMe, with what only the bot itself learns."""
    return user_json(world.bot) | {
        "can_join_groups": world.settings.can_join_groups,
        "can_read_all_group_messages": not world.settings.privacy,
        "supports_inline_queries": False,
        "supports_guest_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
    }


def chat_json(world: World, place: Place) -> Json:
    """Return a Chat."""
    match place:
        case Private():
            user = world.users[place.id]
            names = _given(first_name=user.first_name, last_name=user.last_name, username=user.username)
            return {"id": place.id, **names, "type": "private"}
        case Group():
            found = _given(id=place.id, title=place.title, username=place.username, type=place.type.value)
            return found | ({"is_forum": True} if place.is_forum else {})


def full_chat_json(world: World, place: Place) -> Json:
    """Return the ChatFullInfo of getChat."""
    return chat_json(world, place) | {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(_GIFTS, False),
    }


def entities_json(world: World, entities: Iterable[Entity]) -> list[Json]:
    """Return MessageEntity values; a mention of somebody unknown is no mention."""
    found = []
    for entity in entities:
        shape: Json = {"offset": entity.offset, "length": entity.length, "type": entity.type}
        if entity.type == "text_mention":
            user = world.users.get(int(entity.argument))
            if user is None:
                continue
            shape["user"] = user_json(user)
        elif entity.type == "date_time":
            shape["unix_time"] = int(entity.argument)
        elif entity.argument:
            shape[_ARGUMENTS[entity.type]] = entity.argument
        found.append(shape)
    return found


def _author_json(world: World, message: Message, place: Place) -> Json:
    in_channel = isinstance(place, Group) and place.type is GroupKind.CHANNEL
    match message.guise:
        case Guise.SELF if in_channel:
            return {"sender_chat": chat_json(world, place)}
        case Guise.SELF:
            return {"from": user_json(world.users[message.author])}
        case Guise.ANONYMOUS_ADMIN:
            return {"from": user_json(ANONYMOUS_ADMIN), "sender_chat": chat_json(world, place)}
        case Guise.CHANNEL:
            channel = world.groups[message.channel or 0]
            return {"from": user_json(CHANNEL_SENDER), "sender_chat": chat_json(world, channel)}


def message_json(world: World, message: Message, *, with_reply: bool = True) -> Json:
    """Return a Message as the bot sees it. A reply carries the message replied to, one level deep."""
    place = world.place(message.chat_id)
    if place is None:
        raise LookupError(f"message {message.id} stands in chat {message.chat_id}, which does not exist")
    found = {
        "message_id": message.id,
        **_author_json(world, message, place),
        "chat": chat_json(world, place),
        "date": message.date,
    } | _given(edit_date=message.edit_date, message_thread_id=message.topic or message.thread)
    # In a topic whatever replies to nothing replies to the message that opened the topic.
    replied = world.message(message.chat_id, message.reply_to or message.topic) if with_reply else None
    if replied is not None and replied.id != message.id:
        found["reply_to_message"] = message_json(world, replied, with_reply=False)
        if message.quote:
            before = replied.text.partition(message.quote)[0]
            found["quote"] = {"text": message.quote, "position": utf16_length(before), "is_manual": True}
    if message.service is not None:
        return found | dict(message.service) | ({"is_topic_message": True} if message.topic else {})
    found["text"] = message.text
    if message.content.entities:
        found["entities"] = entities_json(world, message.content.entities)
    if message.content.keyboard:
        found["reply_markup"] = {
            "inline_keyboard": [[dict(button) for button in row] for row in message.content.keyboard]
        }
    return found | ({"is_topic_message": True} if message.topic else {})


def tap_json(world: World, tap: Tap) -> Json:
    """Return a CallbackQuery; a message deleted meanwhile is an InaccessibleMessage."""
    message = world.message(tap.chat_id, tap.message_id)
    place = world.place(tap.chat_id)
    if message is not None:
        shown = message_json(world, message)
    else:
        chat = chat_json(world, place) if place else {"id": tap.chat_id, "type": "private"}
        shown = {"message_id": tap.message_id, "chat": chat, "date": 0}
    return {
        "id": tap.id,
        "from": user_json(world.users[tap.user_id]),
        "message": shown,
        # Opaque to bots; all it promises is to be the same for every press in one chat.
        "chat_instance": str(tap.chat_id * 31 + 7),
        "data": tap.data,
    }


def member_json(user: User, status: Status, kind: GroupKind | None) -> Json:
    """Return a ChatMember. An administrator here has every right that exists in the `kind` of chat."""
    found = {"user": user_json(user), "status": status.value}
    match status:
        case Status.CREATOR:
            return found | {"is_anonymous": False}
        case Status.ADMINISTRATOR:
            rights = _CHANNEL_RIGHTS if kind is GroupKind.CHANNEL else _GROUP_RIGHTS
            return found | {
                "can_be_edited": False,
                "is_anonymous": False,
                **dict.fromkeys(_ADMIN_RIGHTS + rights, True),
            }
        case Status.RESTRICTED:
            return found | {"is_member": True, "until_date": 0, **dict.fromkeys(_RESTRICTED_RIGHTS, False)}
        case Status.KICKED:
            return found | {"until_date": 0}
        case Status.MEMBER | Status.LEFT:
            return found
