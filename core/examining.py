"""What somebody who examines the service asks of the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.addresses import Provider
from core.outbox import Lane


@dataclass(frozen=True)
class Deliveries:
    """How the webhooks of one agent fare: of how many events a delivery was tried, of how many the newest try failed,
    and what came of the newest of those (an HTTP status, or why there was none)."""

    agent: str
    events: int
    failing: int
    last: str = ""


@dataclass(frozen=True)
class GivenUp:
    """A delivery that will never be done: in which lane, where it was to go (`slack:T1.C1`, or the receiver's host),
    why it was given up, when, and the event it carried, if it was a webhook."""

    id: str
    lane: Lane
    where: str
    why: str
    at: datetime
    event: str | None = None


class ExaminingReads(Protocol):
    """The part of `core.reading.Records` that examines."""

    async def given_up(self, workspace: str, limit: int) -> tuple[GivenUp, ...]:
        """The deliveries of a workspace that were given up, the newest first."""

    async def deliveries(self, workspace: str, since: datetime) -> tuple[Deliveries, ...]:
        """The webhooks of the agents of a workspace since then, by the agents' names."""

    async def last_press(self, workspace: str, provider: Provider) -> datetime | None:
        """When somebody last acted in this chat; None when nobody ever did."""

    async def bots_linked(self, workspace: str, provider: Provider) -> int:
        """How many bot accounts in this chat speak for agents."""

    async def clock(self) -> datetime | None:
        """What time the database's server says it is; None where the database is a file of this machine."""
