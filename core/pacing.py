"""How often something may be done, counted in buckets, and the port to whoever keeps count.

A bucket is one moment: `free_at`, up to which its calls are spoken for. Each call moves it on by a `gap` from where it
is or from now, whichever is later; it may lie ahead of the clock by what the bucket is deep. That is a token bucket
(GCRA), kept in a single value that any number of processes can move in one statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Bucket:
    """`depth` calls at once, then one each `gap` seconds. `spare` of the calls are left to others who share it."""

    name: str
    gap: float
    depth: int
    spare: int = 0

    @property
    def ahead(self) -> float:
        """Seconds by which `free_at` may lie ahead of a call that goes out now."""
        return (self.depth - 1 - self.spare) * self.gap

    @property
    def deepest(self) -> float:
        """The same for those who leave nothing to others."""
        return (self.depth - 1) * self.gap


class Turns(Protocol):
    """Keeps count, for one process or for all that share a database."""

    async def take(self, buckets: Sequence[Bucket], within: float) -> float:
        """Seconds until a call that counts in all these buckets may go out. Up to `within`, the turn is taken: it may
        go then without asking again. Beyond, nothing is taken."""

    async def hold(self, buckets: Sequence[Bucket], seconds: float) -> None:
        """Let no call of these buckets go out for so long, nor more than one each gap right after: the provider said
        that there were too many."""

    async def held(self, buckets: Sequence[Bucket]) -> float:
        """Seconds for which the longest `hold` of any of these buckets goes on; 0 when none does. Whoever took a turn
        before it asks this when the turn comes."""

    async def forget(self) -> int:
        """Drop the buckets that are full again, which are like new ones; return how many these were."""
