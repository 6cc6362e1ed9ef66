"""Methods that ask: getMe, getChat, getChatMember, getChatAdministrators; and the bot's commands."""

from __future__ import annotations

import json

from blocks.telegram.check import check
from bot.sandbox.telegram import refusals
from bot.sandbox.telegram.access import check_edit, check_read, find_place, refuse
from bot.sandbox.telegram.messages import Json
from bot.sandbox.telegram.parts import Parts
from bot.sandbox.telegram.people import ADMINS, Status
from bot.sandbox.telegram.places import Group, Private
from bot.sandbox.telegram.refusals import ApiError
from bot.sandbox.telegram.shapes import bot_json, full_chat_json, member_json


async def get_me(parts: Parts, _request: Json) -> Json:
    """Return the bot."""
    return bot_json(parts.world)


async def get_chat(parts: Parts, request: Json) -> Json:
    """Return a chat, people's only once the bot has met them."""
    place = find_place(parts.world, request.get("chat_id"))
    check_read(parts.world, place)
    if isinstance(place, Private) and not (parts.world.users[place.id].met or place.started):
        raise ApiError(refusals.CHAT_NOT_FOUND)
    return full_chat_json(parts.world, place)


async def get_chat_member(parts: Parts, request: Json) -> Json:
    """Return what an account is in a chat; somebody who never was in it is `left`."""
    world = parts.world
    user = world.users.get(request.get("user_id") or 0)
    place = find_place(world, request.get("chat_id"))
    check_read(world, place)
    if user is None:
        raise ApiError(refusals.USER_NOT_FOUND)
    if isinstance(place, Private):
        return member_json(user, Status.MEMBER, None)
    check_edit(world, place)
    own = world.status(place.id, world.bot.id)
    if place.members_hidden and own not in ADMINS and user.id != world.bot.id:
        raise ApiError(refusals.MEMBERS_HIDDEN)
    return member_json(user, world.status(place.id, user.id), place.type)


async def get_chat_administrators(parts: Parts, request: Json) -> list[Json]:
    """Return the creator and the administrators that are people; bots are told of themselves only."""
    world = parts.world
    place = find_place(world, request.get("chat_id"))
    check_read(world, place)
    if not isinstance(place, Group):
        raise ApiError(refusals.NO_ADMINS_IN_PRIVATE)
    return [
        member_json(user, status, place.type)
        for user in world.members(place.id)
        if (status := world.status(place.id, user.id)) in ADMINS
        if not user.is_bot or user.id == world.bot.id
    ]


def _commands_key(request: Json) -> tuple[str, str]:
    scope = request.get("scope") or {"type": "default"}
    return json.dumps(scope, sort_keys=True), str(request.get("language_code") or "")


async def set_my_commands(parts: Parts, request: Json) -> bool:
    """Keep the commands of one scope and language."""
    refuse(check("setMyCommands", request))
    parts.world.commands[_commands_key(request)] = list(request.get("commands") or ())
    parts.world.touch()
    return True


async def get_my_commands(parts: Parts, request: Json) -> list[Json]:
    """Return the commands of one scope and language."""
    return parts.world.commands.get(_commands_key(request), [])


async def delete_my_commands(parts: Parts, request: Json) -> bool:
    """Forget the commands of one scope and language."""
    parts.world.commands.pop(_commands_key(request), None)
    parts.world.touch()
    return True
