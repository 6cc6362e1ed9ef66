"""A clock that was ahead and went back: what is counted from moments that are still to come is counted from now on.

What people and programs asked for by naming a moment stands as they said it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol

from core.dues import Due, DueKind

LONGEST_CLAIM: Final = timedelta(minutes=1)
"""What is claimed for longer was claimed by a clock that was ahead. Nobody claims anything for longer, but the one who
brings the chats into agreement with a database."""


class TurnedBackWork(Protocol):
    """The part of `core.ports.Work` that is about clocks that went back. It sees all workspaces."""

    async def was_ahead(self, now: datetime) -> bool:
        """Whether one of the newest events is of a moment after `now`, something was sent then, or something is leased
        for longer than anybody leases anything."""

    async def draw_near(self, now: datetime) -> None:
        """Let nothing that is owed, claimed, held or counted reach further ahead than it would, had it been written
        `now`. What is tried again sooner for that is looked at again before it is done."""

    async def admit_as_of(self, now: datetime) -> None:
        """Let what admits somebody for a while (sessions, codes, links, keys that were replaced) do so for no longer
        than it would, had it been begun `now`, and chats' tokens be replaced where nobody knows when they end."""

    async def dues_after(self, kind: DueKind, subject: str, limit: int) -> Sequence[Due]:
        """Rows of a kind, by subject, after a subject."""
