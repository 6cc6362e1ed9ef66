"""What Slack says to whoever connects by Socket Mode: how many connections the app has, or that the mode is off.

It is asked only while no service of this deployment is connected: Slack may give a press to any connection, and this
one handles none. It closes at once.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

from bot.credentials import TIMEOUT

_TURN_ON: Final = "Turn it on under “Socket Mode” on the app's page, or take SLACK_APP_TOKEN away and use signed HTTP."


@dataclass(frozen=True)
class Greeted:
    """Slack let us in; `connections` counts this one too."""

    connections: int


@dataclass(frozen=True)
class Refused:
    """Slack did not, and why."""

    why: str
    todo: str


def greeting(address: str) -> Greeted | Refused:
    """Connect, hear the first word, and leave."""
    try:
        said = asyncio.run(_first_word(address))
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        why = f"Socket Mode's address does not answer ({type(error).__name__})"
        return Refused(
            why, "Check that this machine may open WebSockets to wss-primary.slack.com (a proxy, a firewall)."
        )
    if said.get("type") == "hello":
        return Greeted(int(said.get("num_connections") or 1))
    reason = str(said.get("reason") or said.get("type") or "no reason")
    if reason == "link_disabled":
        return Refused("Socket Mode is off in the app, and SLACK_APP_TOKEN is set", _TURN_ON)
    if reason == "too_many_websockets":
        return Refused("the app has as many connections as Slack allows: other programs hold them", "")
    return Refused(f"Slack turned the connection away ({reason})", _TURN_ON)


async def _first_word(address: str) -> dict[str, Any]:
    timeout = aiohttp.ClientTimeout(total=TIMEOUT)
    async with (
        aiohttp.ClientSession(timeout=timeout, trust_env=True) as session,
        asyncio.timeout(TIMEOUT),
        session.ws_connect(address) as socket,
    ):
        said = json.loads((await socket.receive()).data or "{}")
        return said if isinstance(said, dict) else {}
