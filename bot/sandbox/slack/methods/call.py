"""One Web API call as a method sees it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bot.sandbox.slack.pace import Tier
from bot.sandbox.slack.payloads import scope_word
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.refusal import Refused
from bot.sandbox.slack.world import Channel, Installation, Json, Kind


class TokenKind(StrEnum):
    """Which token a method takes."""

    BOT = "bot"
    APP = "app"
    ANY = "any"
    CONFIG = "config"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of one call, and who makes it. `app` is None for methods without a bot token."""

    platform: Platform
    args: Mapping[str, Any]
    app: Installation | None = None
    token: str = field(default="", repr=False)

    @property
    def bot(self) -> Installation:
        """The installation whose token was used."""
        if self.app is None:
            raise Refused("not_allowed_token_type")
        return self.app

    @property
    def teams(self) -> frozenset[str]:
        """The workspaces that the installation is for."""
        return self.platform.world.teams_of(self.bot)

    def text(self, name: str) -> str:
        """Return an argument as text, empty when absent."""
        value = self.args.get(name)
        return "" if value is None else str(value)

    def flag(self, name: str) -> bool:
        """Return an argument as a boolean; forms send `1` or `true`."""
        return str(self.args.get(name, "")).lower() in ("1", "true")

    def required(self, name: str) -> Any:
        """Return an argument, or refuse the call that lacks it."""
        value = self.args.get(name)
        if value in (None, ""):
            raise Refused(
                "invalid_arguments",
                response_metadata={"messages": [f"[ERROR] missing required field: {name}"]},
            )
        return value

    def need(self, scope: str) -> None:
        """Refuse unless the installation was granted `scope`."""
        if scope not in self.bot.scopes:
            raise Refused("missing_scope", needed=scope, provided=",".join(sorted(self.bot.scopes)))

    def channel(self, name: str = "channel") -> Channel:
        """Return the conversation an argument names, if this app can see it at all."""
        channel = self.platform.world.channels.get(self.text(name))
        if channel is None or not self.sees(channel):
            raise Refused("channel_not_found")
        return channel

    def sees(self, channel: Channel) -> bool:
        """Whether this app knows that the conversation exists."""
        if self.teams.isdisjoint({channel.team_id, *channel.connected_team_ids}):
            return False
        return channel.kind is Kind.PUBLIC or self.bot.bot_user_id in channel.members

    def readable(self, what: str) -> Channel:
        """Return the conversation, refused unless the scope for its sort (`im:history`…) was granted."""
        channel = self.channel()
        self.need(f"{scope_word(channel)}:{what}")
        return channel

    def page(self, rows: Sequence[Any], *, default: int, most: int) -> tuple[list[Any], str]:
        """Return one page of `rows` and the cursor of the next one, empty at the end."""
        try:
            limit = int(self.args.get("limit") or default)
            start = int(_from_cursor(self.text("cursor")))
        except ValueError as error:
            raise Refused("invalid_cursor" if self.text("cursor") else "invalid_limit") from error
        if limit < 1:
            raise Refused("invalid_limit")
        limit = min(limit, most)
        end = start + limit
        return list(rows[start:end]), _to_cursor(end) if end < len(rows) else ""


def _to_cursor(position: int) -> str:
    return base64.b64encode(f"next:{position}".encode()).decode()


def _from_cursor(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        word, _, number = base64.b64decode(cursor, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise ValueError(cursor) from error
    if word != "next":
        raise ValueError(cursor)
    return int(number)


@dataclass(frozen=True, slots=True)
class Method:
    """One row of the method table: what does it, how often, and with which scopes (any of them)."""

    run: Callable[[Call], Json]
    tier: Tier
    scopes: tuple[str, ...] = ()
    token: TokenKind = TokenKind.BOT
