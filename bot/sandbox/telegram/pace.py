"""Flood control: thirty messages a second, about one a second per chat, twenty a minute per group."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Final

from blocks.telegram import limits
from bot.sandbox.clock import Clock
from bot.sandbox.telegram.places import Place, Private

# "Short bursts" are allowed within a chat; how short is not published.
BURST: Final = 4
MINUTE: Final = 60.0


@dataclass(slots=True)
class _Bucket:
    """Refills by `rate` a second up to `size`."""

    rate: float
    size: float
    level: float
    at: float

    def wait(self, now: float) -> float:
        """Refill, and return the seconds until one more fits."""
        self.level = min(self.size, self.level + (now - self.at) * self.rate)
        self.at = now
        return 0.0 if self.level >= 1 else (1 - self.level) / self.rate


class Pace:
    """Counts messages and edits, and says how long to wait when there were too many."""

    def __init__(self, clock: Clock, *, on: bool) -> None:
        self.on = on
        self._clock = clock
        now = clock.elapsed()
        overall = float(limits.PACE_OVERALL.number)
        self._overall = _Bucket(overall, overall, overall, now)
        self._chats: dict[int, _Bucket] = {}
        self._groups: dict[int, deque[float]] = {}
        self._webhook_set = float("-inf")

    def spend(self, place: Place) -> int | None:
        """Count one message to `place`; return the seconds to wait if it is one too many, else None."""
        if not self.on:
            return None
        now = self._clock.elapsed()
        chat = self._chats.setdefault(place.id, _Bucket(float(limits.PACE_CHAT.number), BURST, BURST, now))
        group = self._groups.setdefault(place.id, deque())
        while group and now - group[0] >= MINUTE:
            group.popleft()
        wait = max(self._overall.wait(now), chat.wait(now))
        if not isinstance(place, Private) and len(group) >= limits.PACE_GROUP.number:
            wait = max(wait, group[0] + MINUTE - now)
        if wait > 0:
            return max(1, math.ceil(wait))
        self._overall.level -= 1
        chat.level -= 1
        group.append(now)
        return None

    def spend_webhook(self) -> int | None:
        """Count one setWebhook, of which one a second is allowed; return the seconds to wait, else None."""
        now = self._clock.elapsed()
        if self.on and now < self._webhook_set + 1:
            return 1
        self._webhook_set = now
        return None
