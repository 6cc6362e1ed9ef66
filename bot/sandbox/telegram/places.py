"""Where messages stand: private chats, groups, channels and the topics of forums."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from blocks.telegram.refusal import ChatKind

GENERAL_TOPIC: Final = 1


class GroupKind(StrEnum):
    """The kinds of chat that have members."""

    GROUP = "group"
    SUPERGROUP = "supergroup"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Private:
    """The chat of one person with the bot; its id is the person's. `started` once they pressed Start."""

    id: int
    started: bool = False
    blocked: bool = False

    @property
    def kind(self) -> ChatKind:
        """The chat's type in the Bot API."""
        return "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A basic group, a supergroup or a channel. A group with `migrated_to` has become that supergroup.

    `members_hidden` keeps the member list from a bot that is no administrator.
    """

    id: int
    type: GroupKind
    title: str
    username: str | None = None
    is_forum: bool = False
    members_hidden: bool = False
    deleted: bool = False
    migrated_to: int | None = None

    @property
    def kind(self) -> ChatKind:
        """The chat's type in the Bot API."""
        return self.type.value


Place = Private | Group


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic of a forum; its id is that of the service message which opened it, 1 for General."""

    chat_id: int
    id: int
    name: str
    closed: bool = False
    deleted: bool = False
