"""Failures on demand: which call fails next, how, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.sandbox.clock import Clock


class FaultKind(StrEnum):
    """What goes wrong with a call."""

    RATE_LIMITED = "rate_limited"  # 429 with Retry-After; nothing is done
    STATUS = "status"  # an HTTP status and an HTML page; nothing is done
    ERROR = "error"  # an error by name; nothing is done
    DROP_BEFORE = "drop_before"  # the connection closes; nothing is done
    DROP_AFTER = "drop_after"  # it is done, then the connection closes without a response
    SLOW = "slow"  # it is done, and answered late


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One planned failure. `method` is a Web API method, `response_url`, or `*` for all of them."""

    kind: FaultKind
    method: str = "*"
    count: int = 1
    seconds: float = 1.0
    status: int = 500
    error: str = "internal_error"


class Faults:
    """The failures still to come, taken in the order they were planned."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._planned: list[Failure] = []
        self._away_until = 0.0

    def __iter__(self) -> Iterator[Failure]:
        return iter(self._planned)

    def plan(self, failure: Failure) -> None:
        """Let the next `failure.count` matching calls fail."""
        self._planned.append(failure)

    def take(self, method: str) -> Failure | None:
        """Return what goes wrong with this call, counting it, or None."""
        for index, failure in enumerate(self._planned):
            if failure.method in ("*", method):
                if failure.count > 1:
                    self._planned[index] = replace(failure, count=failure.count - 1)
                else:
                    del self._planned[index]
                return failure
        return None

    def clear(self) -> None:
        """Plan nothing any more and come back if away."""
        self._planned.clear()
        self._away_until = 0.0

    def leave(self, seconds: float) -> None:
        """Close every platform connection without an answer for a while."""
        self._away_until = self._clock.elapsed() + seconds

    @property
    def is_away(self) -> bool:
        """Whether the platform is away now."""
        return self._clock.elapsed() < self._away_until
