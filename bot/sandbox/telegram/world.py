"""What exists in the stand-in's Telegram: accounts, chats, topics, memberships, messages and presses.

The values are frozen; a change puts a new value in the old one's place, and `changed` wakes whoever is
watching (the client page, a person waiting for an answer, a test waiting for an event).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from bot.sandbox.clock import Clock
from bot.sandbox.telegram.messages import Content, Message, Version
from bot.sandbox.telegram.people import ANONYMOUS_ADMIN, CHANNEL_SENDER, PRESENT, Status, User
from bot.sandbox.telegram.places import Group, GroupKind, Place, Private, Topic
from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.taps import Tap, TapAnswer

_SUPERGROUP_BASE: Final = -1_000_000_000_000


class World:
    """Everything there is, by id."""

    def __init__(self, settings: StandInSettings, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        self.version = 0
        self.bot = User(id=settings.bot_id, first_name=settings.bot_name, username=settings.bot_username, is_bot=True)
        self.users: dict[int, User] = {u.id: u for u in (self.bot, ANONYMOUS_ADMIN, CHANNEL_SENDER)}
        self.privates: dict[int, Private] = {}
        self.groups: dict[int, Group] = {}
        self.topics: dict[tuple[int, int], Topic] = {}
        self.statuses: dict[tuple[int, int], Status] = {}
        self.messages: dict[int, dict[int, Message]] = {}
        self.taps: dict[str, Tap] = {}
        self.commands: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.typing: dict[tuple[int, int | None], float] = {}
        self.dismissed: set[tuple[int, int, int]] = set()
        self._last_account_message = 0
        self._changed = asyncio.Event()
        self.closed = False

    def close(self) -> None:
        """Let everybody who watches go."""
        self.closed = True
        self.touch()

    def touch(self) -> None:
        """Tell whoever watches that something is different now."""
        self.version += 1
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()

    async def changed(self, since: int | None = None) -> int:
        """Return the version once there is one after `since`; without it, at the next change."""
        if since is None or since >= self.version:
            await self._changed.wait()
        return self.version

    async def until(self, found: Callable[[], object], seconds: float = 5.0) -> None:
        """Return as soon as `found()` is true; raise TimeoutError when that takes longer than `seconds`."""
        async with asyncio.timeout(seconds):
            while not found():
                await self.changed()

    # Accounts and chats.

    def put_user(self, user: User) -> User:
        """Add or replace an account."""
        self.users[user.id] = user
        if not user.is_bot:
            self.privates.setdefault(user.id, Private(id=user.id))
        self.touch()
        return user

    def put_place(self, place: Place) -> None:
        """Add or replace a chat."""
        match place:
            case Private():
                self.privates[place.id] = place
            case Group():
                self.groups[place.id] = place
        self.touch()

    def place(self, chat_id: int) -> Place | None:
        """Return a chat by its id; a person's id is that of their chat with the bot."""
        return self.groups.get(chat_id) or self.privates.get(chat_id)

    def free_user_id(self) -> int:
        """Return an id that no account has."""
        return max((i for i in self.users if i < 2**20), default=100) + 1

    def free_group_id(self, kind: GroupKind) -> int:
        """Return an id in the shape of its kind: basic groups are small negatives."""
        number = len(self.groups) + 4_001
        return -number if kind is GroupKind.GROUP else _SUPERGROUP_BASE - number

    def status(self, chat_id: int, user_id: int) -> Status:
        """Return what an account is in a group; LEFT when it never was anything."""
        return self.statuses.get((chat_id, user_id), Status.LEFT)

    def put_status(self, chat_id: int, user_id: int, status: Status) -> None:
        """Change what an account is in a group."""
        self.statuses[chat_id, user_id] = status
        self.touch()

    def members(self, chat_id: int) -> Iterator[User]:
        """Yield the accounts that are in a group."""
        for (chat, user), status in self.statuses.items():
            if chat == chat_id and status in PRESENT:
                yield self.users[user]

    def put_topic(self, topic: Topic) -> Topic:
        """Add or replace a topic."""
        self.topics[topic.chat_id, topic.id] = topic
        self.touch()
        return topic

    # Messages.

    def next_message_id(self, chat_id: int) -> int:
        """Return the next id: supergroups and channels count for themselves, all other chats together."""
        place = self.groups.get(chat_id)
        if place is not None and place.type is not GroupKind.GROUP:
            return next(reversed(self.messages.get(chat_id, {})), 0) + 1
        self._last_account_message += 1
        return self._last_account_message

    def post(self, chat_id: int, author: int, content: Content, **more: Any) -> Message:
        """Add a message of now."""
        message = Message(
            chat_id=chat_id,
            id=self.next_message_id(chat_id),
            date=int(self.clock.wall()),
            elapsed=self.clock.elapsed(),
            author=author,
            content=content,
            **more,
        )
        return self._put(message)

    def message(self, chat_id: int, message_id: int | None) -> Message | None:
        """Return a message that has not been deleted."""
        found = self.messages.get(chat_id, {}).get(message_id or 0)
        return None if found is None or found.deleted else found

    def history(self, chat_id: int) -> list[Message]:
        """Return the messages of a chat that have not been deleted, oldest first."""
        return [message for message in self.messages.get(chat_id, {}).values() if not message.deleted]

    def revise(self, message: Message, content: Content) -> Message:
        """Give a message new content and keep the old."""
        now = int(self.clock.wall())
        before = Version(content=message.content, until=now)
        return self._put(replace(message, content=content, edit_date=now, history=(*message.history, before)))

    def delete(self, message: Message) -> None:
        """Take a message out of its chat; its id is never used again."""
        self._put(replace(message, deleted=True))

    def last_speaking_bot(self, chat_id: int) -> int | None:
        """Return the bot that spoke last in a group."""
        for message in reversed(self.history(chat_id)):
            if message.service is None and self.users[message.author].is_bot:
                return message.author
        return None

    def _put(self, message: Message) -> Message:
        self.messages.setdefault(message.chat_id, {})[message.id] = message
        self.touch()
        return message

    # Presses.

    def tap(self, user_id: int, chat_id: int, message_id: int, data: str) -> Tap:
        """Record a press of now."""
        tap = Tap(
            id=str(secrets.randbits(62)),
            user_id=user_id,
            chat_id=chat_id,
            message_id=message_id,
            data=data,
            elapsed=self.clock.elapsed(),
        )
        self.taps[tap.id] = tap
        self.touch()
        return tap

    def answer(self, tap: Tap, text: str, *, show_alert: bool, url: str | None) -> None:
        """Show the person who pressed what the bot says."""
        after = self.clock.elapsed() - tap.elapsed
        self.taps[tap.id] = replace(tap, answer=TapAnswer(text=text, show_alert=show_alert, url=url, after=after))
        self.touch()

    def show_typing(self, chat_id: int, thread: int | None) -> None:
        """Show "typing…" in a chat for five seconds."""
        self.typing[chat_id, thread] = self.clock.elapsed() + 5
        self.touch()
