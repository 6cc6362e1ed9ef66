"""The shell's clock and ids: the only readers of the time and of randomness for the rules."""

from __future__ import annotations

import secrets
import threading
import time
from datetime import UTC, datetime

from core.ids import make_id


class SystemClock:
    """The machine's time, in UTC."""

    def now(self) -> datetime:
        """The moment."""
        return datetime.now(UTC)


class SystemIds:
    """Ids of one process never go back, even when the clock does."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def new(self, prefix: str) -> str:
        """One with this prefix, later than all before it."""
        with self._lock:
            self._last = max(time.time_ns() // 1_000_000, self._last)
            return make_id(prefix, self._last, secrets.randbits(74))
