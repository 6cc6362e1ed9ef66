"""Turns at what is paced, kept by a process that has its chats to itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from core.pacing import Bucket


class OwnTurns:
    """`core.pacing.Turns` in memory. `now` is in seconds, from any zero."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._free_at: dict[str, float] = {}
        self._held_until: dict[str, float] = {}

    async def take(self, buckets: Sequence[Bucket], within: float) -> float:
        """Seconds until the call may go out; the turn is taken when that is `within` so many."""
        now = self._now()
        wait = max(0.0, *(self._free_at.get(one.name, now) - one.ahead - now for one in buckets))
        if wait <= within:
            for one in buckets:
                self._free_at[one.name] = max(self._free_at.get(one.name, now), now) + one.gap
        return wait

    async def hold(self, buckets: Sequence[Bucket], seconds: float) -> None:
        """Let no call of these buckets go out for so long."""
        now = self._now()
        for one in buckets:
            self._free_at[one.name] = max(self._free_at.get(one.name, now), now + seconds + one.deepest)
            self._held_until[one.name] = max(self._held_until.get(one.name, now), now + seconds)

    async def held(self, buckets: Sequence[Bucket]) -> float:
        """Seconds for which the longest hold of these goes on."""
        now = self._now()
        return max(0.0, *(self._held_until.get(one.name, now) - now for one in buckets))

    async def forget(self) -> int:
        """Drop the buckets that are full again."""
        now = self._now()
        full = [name for name, free_at in self._free_at.items() if free_at < now]
        for name in full:
            del self._free_at[name]
        self._held_until = {name: until for name, until in self._held_until.items() if until >= now}
        return len(full)
