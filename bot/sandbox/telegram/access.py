"""May the bot do that there? Each check raises the refusal the server would answer with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from blocks.telegram.refusal import Refusal
from bot.sandbox.telegram import refusals
from bot.sandbox.telegram.messages import Message
from bot.sandbox.telegram.people import ADMINS, PRESENT, Status
from bot.sandbox.telegram.places import GENERAL_TOPIC, Group, GroupKind, Place, Private
from bot.sandbox.telegram.refusals import ApiError
from bot.sandbox.telegram.world import World


def refuse(found: Refusal | None) -> None:
    """Raise what was found, if anything."""
    if found is not None:
        raise ApiError(found)


def find_place(world: World, chat_id: int | str | None) -> Place:
    """Return the chat a request names, by id or by the @username of a public group."""
    if chat_id is None or chat_id == "":
        raise ApiError(refusals.CHAT_ID_EMPTY)
    if isinstance(chat_id, int):
        place = world.place(chat_id)
        if place is None and chat_id in world.users:
            raise ApiError(refusals.TO_A_BOT)  # every person has a place
    else:
        name = chat_id.removeprefix("@").lower()
        place = next((found for found in world.groups.values() if (found.username or "").lower() == name), None)
    if place is None:
        raise ApiError(refusals.CHAT_NOT_FOUND)
    return place


def check_write(world: World, place: Place) -> None:
    """Raise unless the bot may send something there."""
    match place:
        case Private():
            _check_person(world, place)
        case Group():
            if place.migrated_to is not None:
                raise ApiError(refusals.upgraded(place.migrated_to))
            if place.deleted:
                raise ApiError(refusals.GROUP_DELETED)
            status = _check_member(world, place)
            if status is Status.RESTRICTED:
                raise ApiError(refusals.NO_RIGHT_TO_SEND)
            if place.type is GroupKind.CHANNEL and status not in ADMINS:
                raise ApiError(refusals.NEED_ADMIN_IN_CHANNEL)


def check_edit(world: World, place: Place) -> None:
    """Raise unless the bot may edit what it has sent there. A migrated group is not reported here."""
    match place:
        case Private():
            _check_person(world, place)
        case Group():
            if place.migrated_to is None:
                _check_member(world, place)


def check_read(world: World, place: Place) -> None:
    """Raise unless the bot may look at a chat: always at people, at groups while it is in them."""
    if isinstance(place, Group) and place.type is not GroupKind.GROUP and place.username is None:
        _check_member(world, place)


def _check_person(world: World, place: Private) -> None:
    user = world.users[place.id]
    if user.deactivated:
        raise ApiError(refusals.DEACTIVATED)
    if not place.started:
        raise ApiError(refusals.NOT_STARTED if user.met else refusals.CHAT_NOT_FOUND)
    if place.blocked:
        raise ApiError(refusals.BLOCKED)


def _check_member(world: World, group: Group) -> Status:
    status = world.status(group.id, world.bot.id)
    if status is Status.KICKED:
        raise ApiError(refusals.kicked(group.type.value))
    if status not in PRESENT:
        raise ApiError(refusals.not_a_member(group.type.value))
    return status


def find_topic(world: World, place: Place, thread: int | None) -> int | None:
    """Return the topic that a message for `thread` goes to; None for General and wherever there are no
    topics.

    General is never named: its id is refused. A thread id means nothing in groups that are no forums.
    """
    if isinstance(place, Private):
        if thread:
            raise ApiError(refusals.THREAD_NOT_FOUND)
        return None
    if not place.is_forum:
        return None
    topic = world.topics.get((place.id, thread or GENERAL_TOPIC))
    if thread == GENERAL_TOPIC or (thread and (topic is None or topic.deleted)):
        raise ApiError(refusals.THREAD_NOT_FOUND)
    if topic is not None and topic.closed and world.status(place.id, world.bot.id) not in ADMINS:
        raise ApiError(refusals.TOPIC_CLOSED)
    return thread or None


@dataclass(frozen=True, slots=True)
class Reply:
    """The message that is replied to, and the part of it that is quoted."""

    to: int | None = None
    quote: str | None = None


def find_reply(world: World, place: Place, request: Mapping[str, Any]) -> Reply:
    """Return what a request replies to; a missing message is refused unless the sender said it may be
    missing.
    """
    given = request.get("reply_parameters") or {
        "message_id": request.get("reply_to_message_id"),
        "allow_sending_without_reply": request.get("allow_sending_without_reply"),
    }
    message_id = given.get("message_id")
    if not message_id:
        return Reply()
    message = world.message(place.id, int(message_id))
    if message is None:
        if given.get("allow_sending_without_reply"):
            return Reply()
        raise ApiError(refusals.REPLY_NOT_FOUND)
    quote = given.get("quote") or None
    if quote is not None and quote not in message.text:
        raise ApiError(refusals.QUOTE_INVALID)
    return Reply(message.id, quote)


def find_own(world: World, place: Place, message_id: int | None) -> Message:
    """Return the message an edit is about: the bot's own, with nothing that makes it uneditable."""
    message = world.message(place.id, message_id)
    if message is None:
        raise ApiError(refusals.EDIT_NOT_FOUND)
    moved = isinstance(place, Group) and place.migrated_to is not None
    if message.author != world.bot.id or message.service is not None or message.fixed or moved:
        raise ApiError(refusals.CANNOT_EDIT)
    return message
