"""What one person's client shows: their chats, one of them open, and what stands in it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from bot.sandbox.telegram.impossible import Impossible
from bot.sandbox.telegram.messages import Guise, Json, Message
from bot.sandbox.telegram.people import ADMINS, ANONYMOUS_ADMIN, CHANNEL_SENDER, PRESENT, User
from bot.sandbox.telegram.permits import check_writer
from bot.sandbox.telegram.places import GENERAL_TOPIC, Group, Place, Private
from bot.sandbox.telegram.prompts import prompt_for
from bot.sandbox.telegram.shapes import entities_json
from bot.sandbox.telegram.world import World

_STAND_INS = (ANONYMOUS_ADMIN.id, CHANNEL_SENDER.id)


def people(world: World) -> list[Json]:
    """Return the accounts somebody can be, in order of appearance."""
    return [
        {"id": user.id, "name": user.name, "username": user.username}
        for user in world.users.values()
        if not user.is_bot and not user.deactivated and user.id not in _STAND_INS
    ]


def client_view(world: World, me: User, chat_id: int | None, topic: int | None) -> Json:
    """Return everything the client page draws for `me` with one chat (and topic) open."""
    places = _places(world, me)
    return {
        "version": world.version,
        "me": me.id,
        "people": people(world),
        "chats": [_chat_row(world, place) for place in places],
        "open": next((_open_chat(world, me, place, topic) for place in places if place.id == chat_id), None),
    }


def _places(world: World, me: User) -> list[Place]:
    found: list[Place] = [world.privates[me.id]] if me.id in world.privates else []
    found += [
        group
        for group in world.groups.values()
        if world.status(group.id, me.id) in PRESENT and group.migrated_to is None and not group.deleted
    ]
    return found


def _title(world: World, place: Place) -> str:
    return world.bot.name if isinstance(place, Private) else place.title


def _face(world: World, place: Place) -> int:
    """Return the id that colours the chat's picture."""
    return world.bot.id if isinstance(place, Private) else place.id


def _chat_row(world: World, place: Place) -> Json:
    messages = world.history(place.id)
    last = messages[-1] if messages else None
    return {
        "id": place.id,
        "title": _title(world, place),
        "face": _face(world, place),
        "kind": place.kind,
        "last": _last(world, last) if last else None,
        "topics": _topics(world, place),
        "seen": [{"id": m.id, "author": m.author, "topic": m.topic} for m in messages[-99:]],
    }


def _last(world: World, message: Message) -> Json:
    text = _sentence(world, message) if message.service else " ".join(message.text.split())
    return {
        "name": _name(world, message),
        "text": text[:120],
        "date": message.date,
        "author": message.author,
        "service": message.service is not None,
    }


def _topics(world: World, place: Place) -> list[Json]:
    return [
        {"id": None if topic.id == GENERAL_TOPIC else topic.id, "name": topic.name, "closed": topic.closed}
        for topic in world.topics.values()
        if topic.chat_id == place.id and not topic.deleted
    ]


def _open_chat(world: World, me: User, place: Place, topic: int | None) -> Json:
    is_forum = isinstance(place, Group) and place.is_forum
    shown = [m for m in world.history(place.id) if not is_forum or m.topic == topic]
    prompt = prompt_for(world, me.id, place.id, topic)
    is_admin = isinstance(place, Group) and world.status(place.id, me.id) in ADMINS
    return {
        "id": place.id,
        "topic": topic,
        "title": _title(world, place),
        "face": _face(world, place),
        "subtitle": _subtitle(world, place),
        "kind": place.kind,
        "messages": [_message(world, me, message) for message in shown[-300:]],
        "prompt": {"id": prompt.message_id, "text": prompt.text, "placeholder": prompt.placeholder} if prompt else None,
        "obstacle": _obstacle(world, me, place, topic),
        "start": isinstance(place, Private) and (not place.started or place.blocked),
        "typing": world.typing.get((place.id, topic), 0.0) > world.clock.elapsed(),
        "commands": _commands(world),
        "guises": [Guise.SELF, Guise.ANONYMOUS_ADMIN] if is_admin else [Guise.SELF],
    }


def _subtitle(world: World, place: Place) -> str:
    if isinstance(place, Private):
        return "bot"
    count = sum(1 for _ in world.members(place.id))
    noun = "subscriber" if place.kind == "channel" else "member"
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _obstacle(world: World, me: User, place: Place, topic: int | None) -> str | None:
    try:
        check_writer(world, me.id, place.id, topic, Guise.SELF)
    except Impossible as error:
        return str(error)
    return None


def _commands(world: World) -> list[Json]:
    found: dict[str, str] = {}
    for commands in world.commands.values():
        found |= {command["command"]: command["description"] for command in commands}
    return [{"command": name, "description": about} for name, about in found.items()]


def _message(world: World, me: User, message: Message) -> Json:
    replied = world.message(message.chat_id, message.reply_to)
    edited = any(version.content.text != message.content.text for version in message.history)
    return {
        "id": message.id,
        "author": message.author if message.guise is Guise.SELF else 0,
        "name": _name(world, message),
        "mine": message.author == me.id,
        "bot": world.users[message.author].is_bot,
        "date": message.date,
        "edited": edited,
        "service": _sentence(world, message) if message.service else None,
        "text": message.text,
        "entities": entities_json(world, message.content.entities),
        "keyboard": [[_button(button, me) for button in row] for row in message.content.keyboard],
        "reply": {"id": replied.id, "name": _name(world, replied), "text": message.quote or replied.text}
        if replied
        else None,
        "rings": me.id in message.notified,
    }


def _button(button: Any, me: User) -> Json:
    action = next(name for name in button if name not in ("text", "style", "icon_custom_emoji_id"))
    target = button[action]
    found: Json = {"text": button["text"], "action": action, "style": button.get("style")}
    if action == "url":
        found["url"] = target
    elif action == "web_app":
        found["url"] = f"/client/app?{urlencode({'as': me.id, 'url': target['url']})}"
    elif action == "login_url":
        found["url"] = target["url"]
    elif action == "callback_data":
        found["data"] = target
    elif action == "copy_text":
        found["copy"] = target["text"]
    return found


def _name(world: World, message: Message) -> str:
    match message.guise:
        case Guise.SELF:
            group = world.groups.get(message.chat_id)
            in_channel = group is not None and group.kind == "channel"
            return group.title if group and in_channel else world.users[message.author].name
        case Guise.ANONYMOUS_ADMIN:
            return world.groups[message.chat_id].title
        case Guise.CHANNEL:
            return world.groups[message.channel or 0].title


def _sentence(world: World, message: Message) -> str:
    service = dict(message.service or {})
    who = world.users[message.author].name
    if "new_chat_members" in service:
        names = ", ".join(user["first_name"] for user in service["new_chat_members"])
        return f"{names} joined" if names == who else f"{who} added {names}"
    if "left_chat_member" in service:
        name = service["left_chat_member"]["first_name"]
        return f"{name} left" if name == who else f"{who} removed {name}"
    if "forum_topic_created" in service:
        return f"{who} created the topic “{service['forum_topic_created']['name']}”"
    return "This group became a supergroup"
