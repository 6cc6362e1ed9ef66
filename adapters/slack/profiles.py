"""Who somebody is in Slack, and where they belong: users.info and conversations.*."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any, Final

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.client import Clients
from adapters.slack.errors import FAILURES, channel_error
from adapters.slack.settings import Installation
from core.errors import Unreachable
from core.people import Membership, Standing

PAGE: Final = 1_000
MOST_PAGES: Final = 50
SLACKBOT: Final = "USLACKBOT"
"""Slack's own account, which it does not call a bot."""


class Profiles:
    """Asks Slack about people. Every method raises `ChannelError`s, `Unreachable` for someone Slack does not show."""

    def __init__(self, clients: Clients, installation: Installation) -> None:
        self._read: AsyncWebClient = clients.read
        self._installation = installation

    async def standing(self, user: str, team: str) -> Standing:
        """What Slack says of an account. `team` is where the account itself came from, or was proved."""
        answer = await _answer(self._read.users_info(user=user))
        return standing_of(answer.get("user") or {}, team, self._installation)

    async def direct(self, user: str) -> str:
        """The id of the direct conversation with an account, opened if need be."""
        answer = await _answer(self._read.conversations_open(users=user))
        return str((answer.get("channel") or {}).get("id") or user)

    async def channel_name(self, channel: str) -> str:
        """What a channel is called; empty for a direct conversation."""
        answer = await _answer(self._read.conversations_info(channel=channel))
        found = answer.get("channel") or {}
        name = "" if found.get("is_im") or found.get("is_mpim") else str(found.get("name") or "")
        return f"#{name}" if name else ""

    async def membership(self, user: str, channel: str) -> Membership:
        """Whether an account is in a conversation. A direct one is known by opening it."""
        if channel.startswith("D"):
            return Membership.YES if await self.direct(user) == channel else Membership.NO
        if channel.startswith(("U", "W")):
            return Membership.YES if channel == user else Membership.NO
        cursor = ""
        for _ in range(MOST_PAGES):
            answer = await _answer(self._read.conversations_members(channel=channel, limit=PAGE, cursor=cursor or None))
            if user in answer.get("members", ()):
                return Membership.YES
            cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return Membership.NO
        return Membership.UNDETERMINED


async def _answer(call: Awaitable[AsyncSlackResponse]) -> Mapping[str, Any]:
    """What a call answers. It changes nothing, or nothing that may not be repeated."""
    try:
        answer = await call
    except FAILURES as error:
        raise channel_error(error, harmless=True) from error
    return answer.data if isinstance(answer.data, dict) else {}


def standing_of(user: Mapping[str, Any], came_from: str, installation: Installation) -> Standing:
    """Read an account as users.info gives it. Where that names no team, the one the account came from counts."""
    if not user:
        raise Unreachable("user_not_found", "Slack knows no such user")
    profile = user.get("profile") or {}
    enterprise = (user.get("enterprise_user") or {}).get("enterprise_id")
    same_company = enterprise is not None and enterprise == installation.enterprise
    team = user.get("team_id") or came_from
    return Standing(
        bot=bool(user.get("is_bot")) or user.get("id") == SLACKBOT,
        deleted=bool(user.get("deleted")),
        guest=bool(user.get("is_restricted")) or bool(user.get("is_ultra_restricted")),
        external=bool(user.get("is_stranger")) or (team != installation.team and not same_company),
        name=str(profile.get("display_name") or user.get("real_name") or user.get("name") or ""),
        timezone=user.get("tz"),
    )
