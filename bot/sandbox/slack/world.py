"""What exists in the stand-in's Slack: workspaces, people, conversations, messages and installations.

The values are frozen; a change puts a new value in the old one's place, and `World.changed` wakes whoever is
watching (the client page, a person waiting for a modal).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class Kind(StrEnum):
    """What sort of conversation it is."""

    PUBLIC = "public"
    PRIVATE = "private"
    DIRECT = "im"
    GROUP = "mpim"


@dataclass(frozen=True, slots=True)
class Team:
    """One workspace."""

    id: str
    name: str
    domain: str
    enterprise_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """One account. `is_stranger` is somebody of another workspace seen through a shared channel."""

    id: str
    team_id: str
    name: str
    real_name: str
    tz: str = "Europe/Madrid"
    tz_offset: int = 3600
    email: str | None = None
    deleted: bool = False
    is_admin: bool = False
    is_bot: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    is_stranger: bool = False
    bot_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One conversation and who is in it."""

    id: str
    team_id: str
    kind: Kind
    name: str = ""
    members: frozenset[str] = frozenset()
    is_archived: bool = False
    is_ext_shared: bool = False
    connected_team_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Version:
    """What a message said before it was edited."""

    text: str
    blocks: Sequence[Json]
    ts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. `only_for` makes it ephemeral; `files` are names of files attached to it;
    `history` holds every earlier version, oldest first."""

    channel: str
    ts: str
    user: str
    team_id: str
    text: str = ""
    blocks: Sequence[Json] = ()
    attachments: Sequence[Json] = ()
    files: Sequence[str] = ()
    bot_id: str | None = None
    app_id: str | None = None
    thread_ts: str | None = None
    broadcast: bool = False
    metadata: Json | None = None
    edited: str | None = None
    only_for: str | None = None
    history: tuple[Version, ...] = ()
    deleted: bool = False

    @property
    def is_reply(self) -> bool:
        """Whether it stands in a thread under another message."""
        return self.thread_ts is not None and self.thread_ts != self.ts


@dataclass(frozen=True, slots=True)
class Installation:
    """The app in one workspace, or in all of an organisation (`of_all`; `team_id` is then the organisation's). A dead
    one answers with `ending`. `expires_at` is on the clock that can be advanced; `refresh` replaces the token once."""

    team_id: str
    token: str
    bot_user_id: str
    bot_id: str
    scopes: frozenset[str]
    active: bool = True
    ending: str = "account_inactive"
    enterprise_id: str | None = None
    of_all: bool = False
    expires_at: float | None = None
    refresh: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Somebody allowed the app for an account, a workspace or an organisation. The redirect must be named again."""

    account: str
    redirect_uri: str = ""


class World:
    """Everything that exists, by id."""

    def __init__(self) -> None:
        self.teams: dict[str, Team] = {}
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, dict[str, Message]] = {}
        self.ephemerals: dict[str, Message] = {}
        self.installations: dict[str, Installation] = {}
        self.version = 0
        self._tick = asyncio.Event()

    def teams_of(self, app: Installation) -> frozenset[str]:
        """The workspaces that an installation is for."""
        if not app.of_all:
            return frozenset({app.team_id})
        return frozenset(team.id for team in self.teams.values() if team.enterprise_id == app.team_id)

    def covers(self, app: Installation, team_id: str) -> bool:
        """Whether an installation is for a workspace, among others perhaps."""
        return team_id in self.teams_of(app)

    def changed(self) -> None:
        """Wake everybody who waits for something to happen."""
        self.version += 1
        tick, self._tick = self._tick, asyncio.Event()
        tick.set()

    async def after(self, version: int, seconds: float) -> int:
        """Return the version as soon as it is not `version` any more, or after `seconds`."""
        if self.version == version:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._tick.wait(), seconds)
        return self.version

    def put_user(self, user: User) -> User:
        """Add or replace an account."""
        self.users[user.id] = user
        self.changed()
        return user

    def put_channel(self, channel: Channel) -> Channel:
        """Add or replace a conversation."""
        self.channels[channel.id] = channel
        self.messages.setdefault(channel.id, {})
        self.changed()
        return channel

    def put_message(self, message: Message) -> Message:
        """Add or replace a message, ephemeral ones apart."""
        if message.only_for is None:
            self.messages.setdefault(message.channel, {})[message.ts] = message
        else:
            self.ephemerals[message.ts] = message
        self.changed()
        return message

    def edit_message(self, message: Message, *, at: str, changes: Mapping[str, Any]) -> Message:
        """Replace what a message says and keep what it said."""
        before = Version(message.text, message.blocks, message.edited or message.ts)
        return self.put_message(replace(message, **changes, history=(*message.history, before), edited=at))

    def delete_message(self, message: Message) -> None:
        """Take a message away; a thread's parent stays as a tombstone while it has replies."""
        if message.only_for is not None:
            self.ephemerals.pop(message.ts, None)
        elif self.replies(message.channel, message.ts):
            self.put_message(replace(message, text="This message was deleted.", blocks=(), deleted=True))
        else:
            self.messages[message.channel].pop(message.ts, None)
        self.changed()

    def message(self, channel: str, ts: str) -> Message | None:
        """Return a message everybody sees, or None."""
        return self.messages.get(channel, {}).get(ts)

    def top_level(self, channel: str) -> list[Message]:
        """Return what the channel shows outside threads, oldest first."""
        found = self.messages.get(channel, {}).values()
        return sorted((m for m in found if not m.is_reply or m.broadcast), key=lambda m: m.ts)

    def replies(self, channel: str, parent: str) -> list[Message]:
        """Return the replies under `parent`, oldest first."""
        found = self.messages.get(channel, {}).values()
        return sorted((m for m in found if m.is_reply and m.thread_ts == parent), key=lambda m: m.ts)

    def private_messages(self, user: str, channel: str | None = None) -> list[Message]:
        """Return the ephemeral messages `user` sees, oldest first."""
        found = (m for m in self.ephemerals.values() if m.only_for == user)
        return sorted((m for m in found if channel in (None, m.channel)), key=lambda m: m.ts)

    def direct(self, one: str, other: str) -> Channel | None:
        """Return the direct conversation of two accounts, or None when it was never opened."""
        pair = frozenset({one, other})
        return next((c for c in self.channels.values() if c.kind is Kind.DIRECT and c.members == pair), None)

    def conversations_of(self, user: str) -> Iterable[Channel]:
        """Return the conversations `user` is in."""
        return [channel for channel in self.channels.values() if user in channel.members]
