"""A database that went back: a copy of an earlier moment is in use, while the chats are as they were left later.

What the copy does not know of is lost. What it knows is made true again in the chats, and whatever it still owes may
have been done already. Each time it begins a new timeline, by which ids that nobody knows any more are told from those
that never were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Protocol

from core.ids import made_at
from core.loops.places import Alert
from core.loops.values import Loop
from core.records import Interaction

UNSETTLED: Final = ""
"""The home of a timeline whose beginning is not over: whoever finds it begins another."""
LEASE: Final = "restoring"
"""What a process holds while it brings the chats into agreement, and the others wait."""
LEASE_KEPT: Final = timedelta(minutes=1)
"""How long it holds that for one step after the other. Whoever was killed is followed after that."""
SKEW: Final = timedelta(minutes=1)
"""How far the clocks of the machines that made ids may be apart."""


@dataclass(frozen=True)
class Timeline:
    """One unbroken history of the database. `home` is the file or server in which it goes on. `known_until` is the
    newest moment that the copy knew with which it began, and `positions` are those of the newest event of each
    workspace then; None and empty: it began with nothing."""

    id: str
    home: str
    began_at: datetime
    known_until: datetime | None = None
    positions: Mapping[str, int] = field(default_factory=dict)

    def lost(self, id: str) -> bool:
        """Whether something with this id, which is not known now, was made after the copy and before it was used."""
        at = made_at(id)
        if at is None or self.known_until is None:
            return False
        return self.known_until - SKEW <= at <= self.began_at + SKEW


@dataclass(frozen=True)
class Mark:
    """What is kept beside a database file of the newest that was in it: its timeline, and the sum of all positions."""

    timeline: str
    position: int


def lost_in(timelines: Sequence[Timeline], id: str) -> Timeline | None:
    """The first timeline that began without something that had this id, if one did."""
    return next((one for one in sorted(timelines, key=lambda one: one.began_at) if one.lost(id)), None)


def went_on(known: Timeline, home: str, position: int, mark: Mark | None, *, marked: bool) -> bool:
    """Whether a database is what it was left as. `marked`: there should be a mark of it."""
    if known.home != home:
        return False
    return not marked or (mark is not None and mark.timeline == known.id and mark.position <= position)


class RestoringWork(Protocol):
    """The part of `core.ports.Work` that is about databases that went back. It sees all workspaces."""

    async def timelines(self) -> tuple[Timeline, ...]:
        """All that ever began, oldest first."""

    async def add_timeline(self, timeline: Timeline) -> None:
        """Begin one."""

    async def settle_timeline(self, id: str, home: str) -> None:
        """Say where it goes on."""

    async def newest(self) -> tuple[datetime | None, dict[str, int]]:
        """When the newest event was, and the position of the newest one of each workspace."""

    async def doubt(self, now: datetime) -> None:
        """Whatever is on its way may have been done: words that must not be said twice are not said again, and what
        admits somebody for a while (sessions, codes, links) admits nobody any more."""

    async def pending_after(self, id: str, limit: int) -> tuple[Interaction, ...]:
        """Pending interactions, by id, after an id."""

    async def open_orders_after(self, id: str, limit: int) -> tuple[Loop, ...]:
        """Open work orders, by id, after an id."""

    async def alerts_after(self, id: str, limit: int) -> tuple[Alert, ...]:
        """Alerts from which no order was opened, by id, after an id."""


class RestoringReads(Protocol):
    """The part of `core.reading.Records` that says what a database is."""

    async def home(self) -> str:
        """Which tables of which database of which server this is, and on which of its timelines; empty for a file."""

    async def timelines(self) -> tuple[Timeline, ...]:
        """All that ever began, oldest first."""

    async def positions(self) -> dict[str, int]:
        """The position of the newest event of each workspace."""
