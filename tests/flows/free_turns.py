"""Turns at the chats that nobody is told to wait for, unless a test says so, and how many were taken of what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.pacing import Bucket


@dataclass
class FreeTurns:
    """The first comes at once, others `after` so many seconds. `names` are of the buckets that they were taken from."""

    taken: int = 0
    after: float = 0.0
    names: list[str] = field(default_factory=list)

    async def take(self, buckets: Sequence[Bucket], within: float) -> float:
        """Seconds until it comes."""
        self.taken += 1
        self.names += [one.name for one in buckets]
        return self.after if self.taken > 1 else 0.0

    async def hold(self, buckets: Sequence[Bucket], seconds: float) -> None:
        """Nobody is told to wait."""

    async def held(self, buckets: Sequence[Bucket]) -> float:
        """Nobody is."""
        return 0.0

    async def forget(self) -> int:
        """There is nothing to forget."""
        return 0
