"""What only a running process can see of the chats, and whoever examines it wants to know: `/readyz` tells it.

Kept in memory: it is about this process since it started, holds no content, and is small however long it runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog

from core.canonical import rfc3339
from core.ports import Clock

log = structlog.get_logger("sayso.noticing")


@dataclass
class Noticing:
    """Told by the adapters as it happens."""

    clock: Clock
    genuine: int = 0
    forged: int = 0
    forged_at: datetime | None = None
    genuine_at: datetime | None = None
    connections: int = 0
    strangers: tuple[int, ...] = ()
    own: int = 0
    others: int = 0
    connected_at: datetime | None = None
    conflict_at: datetime | None = field(default=None)

    def signature(self, *, genuine: bool) -> None:
        """A request carried a signature in the shape of Slack's: by our signing secret, or not."""
        if genuine:
            self.genuine, self.genuine_at = self.genuine + 1, self.clock.now()
        else:
            self.forged, self.forged_at = self.forged + 1, self.clock.now()

    def sockets_elsewhere(self, others: int) -> None:
        """Other processes of this deployment may have so many connections of Socket Mode open."""
        self.others = others

    def socket(self, connections: int, own: int) -> None:
        """Slack said, when it let a connection of Socket Mode in, how many the app has; `own` of them are this
        process's. One that is being replaced may still be counted, so strangers count when they were seen twice."""
        self.connections, self.own, self.connected_at = connections, own, self.clock.now()
        before = min(self.strangers, default=0)
        self.strangers = (*self.strangers[-1:], max(0, connections - own - self.others))
        if (now := min(self.strangers)) > before:
            log.warning("another program is connected to this Slack app and takes presses away", connections=now)

    def conflict(self) -> None:
        """Telegram said that somebody else fetches this bot's updates."""
        if self.conflict_at is None:
            log.warning("another program fetches this bot's updates and takes some away")
        self.conflict_at = self.clock.now()

    def wire(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "slack": {
                "signatures": {
                    "genuine": self.genuine,
                    "forged": self.forged,
                    "genuine_at": _when(self.genuine_at),
                    "forged_at": _when(self.forged_at),
                },
                "sockets": {
                    "app": self.connections,
                    "own": self.own,
                    "others": self.others,
                    "strangers": min(self.strangers, default=0),
                    "at": _when(self.connected_at),
                },
            },
            "telegram": {"conflict_at": _when(self.conflict_at)},
        }


def _when(moment: datetime | None) -> str | None:
    return rfc3339(moment) if moment else None
