"""Slack's rate limits: a tier per method and workspace, and one post a second per channel."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from bot.sandbox.clock import Clock

WINDOW: Final = 60.0


class Tier(Enum):
    """How often a method may be called per workspace and minute."""

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    SPECIAL = 5
    UNLISTED = 6
    FREE = 7


# The documented floor of each tier ("20+ per minute") is the most that may be relied on. Tier 1 is "1+": an
# app may open the ten sockets it is allowed, so ten is where the stand-in draws the line.
CALLS_PER_MINUTE: Final[Mapping[Tier, int]] = MappingProxyType(
    {Tier.ONE: 10, Tier.TWO: 20, Tier.THREE: 50, Tier.FOUR: 100, Tier.SPECIAL: 300, Tier.UNLISTED: 1}
)
POSTS_PER_SECOND: Final = 1.0
POSTS_IN_A_BURST: Final = 4.0


class Pace:
    """Counts calls and says how long to wait when there were too many."""

    def __init__(self, clock: Clock, *, on: bool = True) -> None:
        self.on = on
        self._clock = clock
        self._calls: dict[tuple[str, str], deque[float]] = {}
        self._buckets: dict[str, tuple[float, float]] = {}

    def spend(self, team_id: str, method: str, tier: Tier) -> int | None:
        """Count one call; return the seconds to wait when the tier is used up, else None."""
        allowed = CALLS_PER_MINUTE.get(tier)
        if not self.on or allowed is None:
            return None
        now = self._clock.elapsed()
        calls = self._calls.setdefault((team_id, method), deque())
        while calls and now - calls[0] >= WINDOW:
            calls.popleft()
        if len(calls) >= allowed:
            return max(1, math.ceil(calls[0] + WINDOW - now))
        calls.append(now)
        return None

    def spend_post(self, place: str) -> int | None:
        """Count one post to `place` (a channel or a response URL); return the seconds to wait, or None."""
        if not self.on:
            return None
        now = self._clock.elapsed()
        tokens, then = self._buckets.get(place, (POSTS_IN_A_BURST, now))
        tokens = min(POSTS_IN_A_BURST, tokens + (now - then) * POSTS_PER_SECOND)
        if tokens < 1:
            self._buckets[place] = (tokens, now)
            return max(1, math.ceil((1 - tokens) / POSTS_PER_SECOND))
        self._buckets[place] = (tokens - 1, now)
        return None
