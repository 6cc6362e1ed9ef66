"""sendMessage and sendChatAction."""

from __future__ import annotations

from typing import Any, Final

from blocks.telegram.check import Refusal, check, formatted
from bot.sandbox.telegram.access import check_write, find_place, find_reply, find_topic, refuse
from bot.sandbox.telegram.detect import detect, notified
from bot.sandbox.telegram.messages import Content, ForceReply, Json, Message, keyboard_rows
from bot.sandbox.telegram.parts import Parts
from bot.sandbox.telegram.places import Group, GroupKind, Place
from bot.sandbox.telegram.refusals import WRONG_ACTION, ApiError, too_many_requests
from bot.sandbox.telegram.shapes import message_json
from bot.sandbox.telegram.world import World

ACTIONS: Final = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)


async def send_message(parts: Parts, request: Json) -> Json:
    """Post a message and return it."""
    world = parts.world
    place = find_place(world, request.get("chat_id"))
    refuse(check("sendMessage", request, place.kind))
    check_write(world, place)
    topic = find_topic(world, place, request.get("message_thread_id"))
    reply = find_reply(world, place, request)
    spend(parts, place)
    content = read_content(request)
    markup: dict[str, Any] = request.get("reply_markup") or {}
    message = world.post(
        place.id,
        world.bot.id,
        content,
        topic=topic,
        reply_to=reply.to,
        quote=reply.quote,
        thread=thread_of(world, place, reply.to),
        prompt=_prompt(markup),
        # Only inline keyboards leave a message editable.
        fixed=bool(markup) and "inline_keyboard" not in markup,
        silent=bool(request.get("disable_notification")),
        notified=notified(world, place.id, world.bot.id, content, reply.to),
    )
    return message_json(world, message)


async def send_chat_action(parts: Parts, request: Json) -> bool:
    """Show "typing…" to the people in the chat."""
    if request.get("action") not in ACTIONS:
        raise ApiError(WRONG_ACTION)
    place = find_place(parts.world, request.get("chat_id"))
    check_write(parts.world, place)
    parts.world.show_typing(place.id, request.get("message_thread_id"))
    return True


def read_content(request: Json) -> Content:
    """Return what a checked request says: text, formatting and inline keyboard."""
    found = formatted(request)
    if isinstance(found, Refusal):
        raise ApiError(found)
    found = detect(found)
    return Content(text=found.text, entities=found.entities, keyboard=keyboard_rows(request.get("reply_markup")))


def spend(parts: Parts, place: Place) -> None:
    """Count a message or an edit against the flood limits."""
    if seconds := parts.pace.spend(place):
        raise ApiError(too_many_requests(seconds))


def thread_of(world: World, place: Place, reply_to: int | None) -> int | None:
    """Return the thread a reply belongs to in a supergroup without topics: the message that began it.

    It looks like a topic id and is none; `is_topic_message` tells them apart.
    """
    if not isinstance(place, Group) or place.type is not GroupKind.SUPERGROUP or place.is_forum:
        return None
    replied: Message | None = world.message(place.id, reply_to)
    return None if replied is None else replied.thread or replied.id


def _prompt(markup: dict[str, Any]) -> ForceReply | None:
    if not markup.get("force_reply"):
        return None
    return ForceReply(placeholder=markup.get("input_field_placeholder") or "", selective=bool(markup.get("selective")))
