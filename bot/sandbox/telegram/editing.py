"""editMessageText, editMessageReplyMarkup, deleteMessage and deleteMessages."""

from __future__ import annotations

from dataclasses import replace

from blocks.telegram import limits
from blocks.telegram.check import check
from bot.sandbox.telegram import refusals
from bot.sandbox.telegram.access import check_edit, check_write, find_own, find_place, refuse
from bot.sandbox.telegram.messages import Content, Json, Message, keyboard_rows
from bot.sandbox.telegram.parts import Parts
from bot.sandbox.telegram.people import ADMINS
from bot.sandbox.telegram.places import Place, Private
from bot.sandbox.telegram.refusals import ApiError
from bot.sandbox.telegram.sending import read_content, spend
from bot.sandbox.telegram.shapes import message_json


async def edit_message_text(parts: Parts, request: Json) -> Json:
    """Replace text and keyboard of an own message; a keyboard that is not sent again is gone."""
    return _edit(parts, request, "editMessageText")


async def edit_message_reply_markup(parts: Parts, request: Json) -> Json:
    """Replace the keyboard of an own message; without one it is removed."""
    return _edit(parts, request, "editMessageReplyMarkup")


def _edit(parts: Parts, request: Json, method: str) -> Json:
    world = parts.world
    place = find_place(world, request.get("chat_id"))
    refuse(check(method, request, place.kind))
    check_edit(world, place)
    message = find_own(world, place, request.get("message_id"))
    content = _edited(message, request, method)
    if content == message.content:
        raise ApiError(refusals.NOT_MODIFIED)
    spend(parts, place)
    return message_json(world, world.revise(message, content), with_reply=False)


def _edited(message: Message, request: Json, method: str) -> Content:
    if method == "editMessageText":
        return read_content(request)
    return replace(message.content, keyboard=keyboard_rows(request.get("reply_markup")))


async def delete_message(parts: Parts, request: Json) -> bool:
    """Take a message out of a chat: an own one, one from a private chat, or any as administrator; not after
    48 h.
    """
    world = parts.world
    message_id = request.get("message_id")
    if not message_id:
        raise ApiError(refusals.DELETE_NO_ID)
    place = find_place(world, request.get("chat_id"))
    check_write(world, place)
    message = world.message(place.id, message_id)
    if message is None:
        raise ApiError(refusals.DELETE_NOT_FOUND)
    if not _may_delete(parts, place, message):
        raise ApiError(refusals.CANNOT_DELETE)
    world.delete(message)
    return True


async def delete_messages(parts: Parts, request: Json) -> bool:
    """Take several messages out of a chat. Those that are not there are passed over; one that may not be deleted
    keeps all of them.
    """
    world, ids = parts.world, request.get("message_ids")
    if not isinstance(ids, list) or not ids or not all(isinstance(one, int) for one in ids):
        raise ApiError(refusals.DELETE_NO_IDS)
    if len(ids) > limits.DELETE_MESSAGES.number:
        raise ApiError(refusals.DELETE_TOO_MANY)
    place = find_place(world, request.get("chat_id"))
    check_write(world, place)
    there = [message for message in (world.message(place.id, one) for one in ids) if message is not None]
    if not all(_may_delete(parts, place, message) for message in there):
        raise ApiError(refusals.CANNOT_DELETE)
    for message in there:
        world.delete(message)
    return True


def _may_delete(parts: Parts, place: Place, message: Message) -> bool:
    world = parts.world
    if world.clock.elapsed() - message.elapsed > limits.DELETE_AGE.number:
        return False
    own = message.author == world.bot.id and message.service is None
    return own or isinstance(place, Private) or world.status(place.id, world.bot.id) in ADMINS
