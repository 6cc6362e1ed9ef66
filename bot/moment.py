"""The shell's clock and ids: the only readers of the time and of randomness for the rules."""

from __future__ import annotations

import secrets
import threading
import time
from datetime import UTC, datetime

from core.ids import make_id

BITS = 74
"""How much of an id is random."""
STEP = 62
"""How much of it is random in one that is made in the same moment as the one before, or while the clock is behind."""


class SystemClock:
    """The machine's time, in UTC."""

    def now(self) -> datetime:
        """The moment."""
        return datetime.now(UTC)


class SystemIds:
    """Ids of one process never go back, even when the clock does."""

    def __init__(self) -> None:
        self._last = 0, 0
        self._lock = threading.Lock()

    def new(self, prefix: str) -> str:
        """One with this prefix, later than all before it."""
        with self._lock:
            milliseconds, random = self._last
            if (now := time.time_ns() // 1_000_000) > milliseconds:
                self._last = now, secrets.randbits(BITS)
            elif (random := random + 1 + secrets.randbits(STEP)) < 1 << BITS:
                self._last = milliseconds, random
            else:
                self._last = milliseconds + 1, secrets.randbits(BITS)
            return make_id(prefix, *self._last)


def surely_ahead(before: datetime, theirs: datetime, after: datetime) -> float:
    """Seconds by which this clock is ahead (negative: behind) of another, which was read at some moment between
    `before` and `after`. Zero as long as that alone may be the reason."""
    if theirs < before:
        return (before - theirs).total_seconds()
    return min(0.0, (after - theirs).total_seconds())
