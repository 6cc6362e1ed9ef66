"""Setting the scene: accounts, chats, topics and memberships come and go as people make them, not the bot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from blocks.telegram import limits
from bot.sandbox.telegram.feed import Feed
from bot.sandbox.telegram.impossible import Impossible
from bot.sandbox.telegram.messages import Content, Message
from bot.sandbox.telegram.people import PRESENT, Status, User
from bot.sandbox.telegram.places import GENERAL_TOPIC, Group, GroupKind, Topic
from bot.sandbox.telegram.shapes import user_json
from bot.sandbox.telegram.world import World


class Scene:
    """Creates and changes what exists. Whatever a bot would be told of these changes, this one is told."""

    def __init__(self, world: World, feed: Feed) -> None:
        self._world = world
        self._feed = feed

    def create_user(
        self,
        first_name: str,
        *,
        user_id: int | None = None,
        last_name: str = "",
        username: str | None = None,
        language_code: str | None = "en",
        is_bot: bool = False,
        met: bool = True,
        started: bool = False,
    ) -> User:
        """Add an account that has not started the bot; `met=False` if the bot never came across it either.

        `started`: a person who pressed Start long ago, so that the bot may write to them and nothing of it is left to
        be answered.
        """
        number = self._world.free_user_id() if user_id is None else user_id
        if number in self._world.users:
            raise Impossible(f"account {number} exists already")
        user = User(
            id=number,
            first_name=first_name,
            last_name=last_name,
            username=username,
            language_code=None if is_bot else language_code,
            is_bot=is_bot,
            met=met,
        )
        self._world.put_user(user)
        if started:
            self._world.put_place(replace(self._world.privates[number], started=True))
        return user

    def deactivate(self, user_id: int) -> User:
        """Delete somebody's account; their chats stay."""
        return self._world.put_user(replace(self.user(user_id), deactivated=True))

    def create_group(
        self,
        title: str,
        members: Iterable[int] = (),
        *,
        kind: GroupKind = GroupKind.SUPERGROUP,
        chat_id: int | None = None,
        username: str | None = None,
        is_forum: bool = False,
        bot: Status = Status.MEMBER,
        members_hidden: bool = False,
    ) -> Group:
        """Add a group or channel whose first member created it, with the bot as `bot` (LEFT keeps it out)."""
        number = self._world.free_group_id(kind) if chat_id is None else chat_id
        group = Group(
            id=number,
            type=kind,
            title=title,
            username=username,
            is_forum=is_forum,
            members_hidden=members_hidden,
        )
        people = [self.user(member) for member in members]
        self._world.put_place(group)
        if is_forum:
            self._world.put_topic(Topic(chat_id=number, id=GENERAL_TOPIC, name="General"))
        for index, member in enumerate(people):
            self._world.put_status(number, member.id, Status.MEMBER if index else Status.CREATOR)
        if bot is not Status.LEFT:
            by = people[0].id if people else self._world.bot.id
            self.set_status(number, self._world.bot.id, bot, by=by)
        return group

    def set_status(self, chat_id: int, user_id: int, status: Status, *, by: int | None = None) -> None:
        """Let somebody join, leave, be promoted or be thrown out; `by` is who did it, themselves by
        default.
        """
        group, who = self.group(chat_id), self.user(user_id)
        before = self._world.status(chat_id, user_id)
        actor = self.user(user_id if by is None else by)
        self._world.put_status(chat_id, user_id, status)
        self._feed.group_status(group, actor, who, before, status)
        if group.type is GroupKind.CHANNEL:
            return
        if before not in PRESENT and status in PRESENT:
            self._serve(chat_id, actor.id, {"new_chat_members": [user_json(who)]})
        elif before in PRESENT and status not in PRESENT:
            self._serve(chat_id, actor.id, {"left_chat_member": user_json(who)})

    def create_topic(self, chat_id: int, name: str, *, by: int) -> Topic:
        """Open a topic in a forum."""
        if not self.group(chat_id).is_forum:
            raise Impossible("only a forum has topics")
        if not limits.TOPIC_NAME.minimum <= len(name) <= limits.TOPIC_NAME.number:
            raise Impossible(f"a topic's name has 1 to {limits.TOPIC_NAME.number} characters")
        number = self._world.next_message_id(chat_id)
        topic = self._world.put_topic(Topic(chat_id=chat_id, id=number, name=name))
        self._serve(chat_id, by, {"forum_topic_created": {"name": name, "icon_color": 7322096}}, topic=number)
        return topic

    def set_topic(self, chat_id: int, topic_id: int, *, closed: bool = False, deleted: bool = False) -> Topic:
        """Close, reopen or delete a topic; topic 1 is General."""
        topic = self._world.topics.get((chat_id, topic_id))
        if topic is None:
            raise Impossible(f"chat {chat_id} has no topic {topic_id}")
        if deleted:
            for message in self._world.history(chat_id):
                if message.topic == topic_id:
                    self._world.delete(message)
        return self._world.put_topic(replace(topic, closed=closed, deleted=deleted))

    def migrate(self, chat_id: int, *, by: int | None = None) -> Group:
        """Turn a basic group into a supergroup: a new id, the same members, no old messages."""
        old = self.group(chat_id)
        if old.type is not GroupKind.GROUP or old.migrated_to is not None:
            raise Impossible("only a basic group becomes a supergroup, and only once")
        world = self._world
        new = Group(
            id=world.free_group_id(GroupKind.SUPERGROUP),
            type=GroupKind.SUPERGROUP,
            title=old.title,
            members_hidden=old.members_hidden,
        )
        world.put_place(new)
        for member in list(world.members(chat_id)):
            world.put_status(new.id, member.id, world.status(chat_id, member.id))
        actor = by or next((m.id for m in world.members(chat_id) if not m.is_bot), world.bot.id)
        self._serve(chat_id, actor, {"migrate_to_chat_id": new.id})
        world.put_place(replace(old, migrated_to=new.id))
        self._serve(new.id, actor, {"migrate_from_chat_id": old.id})
        return new

    def delete_group(self, chat_id: int) -> None:
        """Delete a basic group for everybody."""
        self._world.put_place(replace(self.group(chat_id), deleted=True))

    def user(self, user_id: int) -> User:
        """Return an account by id."""
        found = self._world.users.get(user_id)
        if found is None:
            raise Impossible(f"there is no account {user_id}")
        return found

    def group(self, chat_id: int) -> Group:
        """Return a group or channel by id."""
        found = self._world.groups.get(chat_id)
        if found is None:
            raise Impossible(f"there is no group {chat_id}")
        return found

    def _serve(self, chat_id: int, author: int, service: dict[str, object], *, topic: int | None = None) -> Message:
        message = self._world.post(chat_id, author, Content(text=""), service=service, topic=topic)
        self._feed.message(message)
        return message
