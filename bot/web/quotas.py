"""How often one key may call: a token bucket each, kept in this process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.errors import RateLimited


@dataclass
class _Bucket:
    tokens: float
    at: float


class Quotas:
    """`rate` calls a second for ever, and `burst` at once after a quiet time. `now` is in seconds, from any zero."""

    def __init__(self, rate: float = 2_000, burst: float = 4_000, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._now = now
        self._buckets: dict[str, _Bucket] = {}

    def check(self, who: str) -> None:
        """Count one call. Raises `RateLimited` with the seconds until the next is free."""
        now = self._now()
        bucket = self._buckets.setdefault(who, _Bucket(self._burst, now))
        bucket.tokens = min(self._burst, bucket.tokens + (now - bucket.at) * self._rate)
        bucket.at = now
        if bucket.tokens < 1:
            raise RateLimited("Too many requests with this key.", (1 - bucket.tokens) / self._rate)
        bucket.tokens -= 1
