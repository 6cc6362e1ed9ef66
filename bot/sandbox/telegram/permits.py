"""May a person do that there? Each check raises `Impossible` with what stands against it."""

from __future__ import annotations

from bot.sandbox.telegram.impossible import Impossible
from bot.sandbox.telegram.messages import Guise
from bot.sandbox.telegram.people import ADMINS, PRESENT, Status
from bot.sandbox.telegram.places import GENERAL_TOPIC, Group, GroupKind, Place, Private
from bot.sandbox.telegram.world import World


def check_reader(world: World, user_id: int, chat_id: int) -> Place:
    """Return the chat if the person sees it."""
    if user_id not in world.users:
        raise Impossible(f"there is no account {user_id}")
    place = world.place(chat_id)
    if place is None:
        raise Impossible(f"there is no chat {chat_id}")
    if isinstance(place, Private):
        if user_id != chat_id:
            raise Impossible("a private chat is its owner's alone")
    elif world.status(chat_id, user_id) not in PRESENT and place.username is None:
        raise Impossible(f"account {user_id} is not in chat {chat_id}")
    return place


def check_writer(world: World, user_id: int, chat_id: int, topic: int | None, guise: Guise) -> Place:
    """Return the chat if the person may write there, in that topic and guise."""
    place = check_reader(world, user_id, chat_id)
    match place:
        case Private():
            if not place.started or place.blocked:
                raise Impossible("press Start first")
        case Group():
            _check_group_writer(world, user_id, place, guise)
            _check_topic(world, user_id, place, topic)
    return place


def _check_group_writer(world: World, user_id: int, group: Group, guise: Guise) -> None:
    status = world.status(group.id, user_id)
    if status not in PRESENT or status is Status.RESTRICTED:
        raise Impossible(f"account {user_id} may not write in chat {group.id}")
    if group.migrated_to is not None or group.deleted:
        raise Impossible("this group is closed")
    if status not in ADMINS and (group.type is GroupKind.CHANNEL or guise is Guise.ANONYMOUS_ADMIN):
        raise Impossible("only administrators can do that")


def _check_topic(world: World, user_id: int, group: Group, topic: int | None) -> None:
    found = world.topics.get((group.id, topic or GENERAL_TOPIC))
    if topic is not None and (found is None or found.deleted):
        raise Impossible(f"there is no topic {topic}")
    if found is not None and found.closed and world.status(group.id, user_id) not in ADMINS:
        raise Impossible("this topic is closed")
