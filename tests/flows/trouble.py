"""What the tests of troubled providers share: a clock that can be pushed, and the calls a provider heard."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.sandbox.slack.faults import FaultKind as SlackFault
from bot.sandbox.telegram.faults import FaultKind as TelegramFault
from tests.flows.rig import CHANNEL, Rig


class PushedClock:
    """This machine's time, and as much as it was pushed ahead."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        """The moment."""
        return datetime.now(UTC) + self._ahead

    def push(self, seconds: float) -> None:
        """Let so many seconds go by at once."""
        self._ahead += timedelta(seconds=seconds)


def place(r: Rig, provider: str) -> str:
    """The address of the channel or group of this provider."""
    return f"slack:{CHANNEL}" if provider == "slack" else f"telegram:{r.group}"


def cards(r: Rig, provider: str, title: str = "Release 4.2") -> list[Any]:
    """The messages with this title where `place` is, oldest first."""
    if provider == "slack":
        return [one for one in r.slack.platform.world.top_level(CHANNEL) if title in str(one.blocks)]
    return [one for one in r.telegram.world.history(r.group) if title in one.text]


def fail(r: Rig, provider: str, kind: str, **how: Any) -> None:
    """Let the next posts to `place` go wrong (in Slack: the next anywhere)."""
    if provider == "slack":
        r.slack.fail(SlackFault(kind), "chat.postMessage", **how)
    else:
        r.telegram.fail(TelegramFault(kind), "sendMessage", chat_id=r.group, **how)


def posts(r: Rig, provider: str, title: str = "Release 4.2") -> Sequence[Any]:
    """The calls that post a card with this title, as the provider heard them."""
    if provider == "slack":
        return [one for one in r.slack.platform.journal.of("chat.postMessage") if title in str(one.args)]
    return [one for one in r.telegram.journal.of("sendMessage") if title in str(one.args)]


def gaps(calls: Sequence[Any]) -> list[float]:
    """Seconds between each call and the next."""
    return [later.at - earlier.at for earlier, later in itertools.pairwise(calls)]
