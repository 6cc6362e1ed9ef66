"""From what happens to what the bot hears: which messages it may see, and the update each becomes."""

from __future__ import annotations

from bot.sandbox.telegram.messages import Message
from bot.sandbox.telegram.people import ADMINS, PRESENT, Status, User
from bot.sandbox.telegram.places import Group, GroupKind, Private
from bot.sandbox.telegram.shapes import chat_json, member_json, message_json, tap_json, user_json
from bot.sandbox.telegram.taps import Tap
from bot.sandbox.telegram.updates import UpdateQueue
from bot.sandbox.telegram.world import World


class Feed:
    """Turns events into updates of the one bot."""

    def __init__(self, world: World, queue: UpdateQueue) -> None:
        self._world = world
        self._queue = queue

    def message(self, message: Message, *, edited: bool = False) -> None:
        """Tell the bot of a message that is new, or edited, if it may see it."""
        if self.sees(message):
            kind = "channel_post" if self._in_channel(message) else "message"
            shape = message_json(self._world, message)
            self._queue.add(f"edited_{kind}" if edited else kind, shape, f"chat:{message.chat_id}")

    def tap(self, tap: Tap) -> None:
        """Tell the bot of a press. Presses always arrive, whatever the privacy mode."""
        self._queue.add("callback_query", tap_json(self._world, tap), f"tap:{tap.user_id}")

    def private_status(self, user: User, before: Status, after: Status) -> None:
        """Tell the bot that a person blocked (kicked) or unblocked (member) it."""
        place = self._world.privates[user.id]
        self._status(place, user, self._world.bot, before, after)

    def group_status(self, group: Group, by: User, who: User, before: Status, after: Status) -> None:
        """Tell the bot that somebody's status changed in a group; of others' only administrators hear."""
        bot_status = self._world.status(group.id, self._world.bot.id)
        if before is not after and (who.id == self._world.bot.id or bot_status in ADMINS):
            self._status(group, by, who, before, after)

    def _status(self, place: Private | Group, by: User, who: User, before: Status, after: Status) -> None:
        kind = place.type if isinstance(place, Group) else None
        mine = who.id == self._world.bot.id
        body = {
            "chat": chat_json(self._world, place),
            "from": user_json(by),
            "date": int(self._world.clock.wall()),
            "old_chat_member": member_json(who, before, kind),
            "new_chat_member": member_json(who, after, kind),
        }
        lane = f"me:{place.id}" if mine else f"member:{who.id}"
        self._queue.add("my_chat_member" if mine else "chat_member", body, lane)

    def sees(self, message: Message) -> bool:
        """Whether the bot may see a message: not its own, and in groups only what its privacy mode lets
        through.
        """
        world, place = self._world, self._world.place(message.chat_id)
        if message.author == world.bot.id and message.service is None:
            return False
        if world.users[message.author].is_bot and not world.settings.bot_to_bot and message.service is None:
            return False
        if place is None or isinstance(place, Private):
            return place is not None and not place.blocked
        status = world.status(place.id, world.bot.id)
        if status not in PRESENT:
            return False
        if message.service is not None or status in ADMINS or not world.settings.privacy:
            return True
        return place.type is GroupKind.CHANNEL or self._is_for_bot(message)

    def _is_for_bot(self, message: Message) -> bool:
        """Whether privacy mode lets it through: a command for this bot, or a reply to it."""
        world = self._world
        replied = world.message(message.chat_id, message.reply_to)
        if replied is not None and replied.author == world.bot.id:
            return True
        for entity in message.content.entities:
            if entity.type == "bot_command" and entity.offset == 0:
                _, _, bot = message.text[: entity.length].partition("@")
                if bot:
                    return bot.lower() == world.settings.bot_username.lower()
                # A bare command goes to whichever bot spoke last.
                return world.last_speaking_bot(message.chat_id) in (None, world.bot.id)
        return False

    def _in_channel(self, message: Message) -> bool:
        group = self._world.groups.get(message.chat_id)
        return group is not None and group.type is GroupKind.CHANNEL
