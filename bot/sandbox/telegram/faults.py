"""Failures on demand: which call fails next, how, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.sandbox.clock import Clock


class FaultKind(StrEnum):
    """What goes wrong with a call."""

    RATE_LIMITED = "rate_limited"  # 429 with retry_after `seconds`; nothing is done
    STATUS = "status"  # HTTP `status` with a page instead of JSON, as a gateway sends it; nothing is done
    STATUS_AFTER = "status_after"  # the same, but the call was done
    ERROR = "error"  # an error answer of your choice; nothing is done
    DROP_BEFORE = "drop_before"  # the connection closes; nothing is done
    DROP_AFTER = "drop_after"  # it is done, then the connection closes without a response
    SLOW = "slow"  # it is done, and answered `seconds` later


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One planned failure of `method` (`*` for any), for the next `count` calls; `chat_id` narrows it to a
    chat.
    """

    kind: FaultKind
    method: str = "*"
    count: int = 1
    chat_id: int | None = None
    seconds: float = 1.0
    status: int = 502
    description: str = "Bad Request: failed on demand"
    parameters: Mapping[str, int] = field(default_factory=dict)


class Faults:
    """The failures still to come, taken in the order they were planned."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._planned: list[Failure] = []
        self._away_until = float("-inf")

    def __iter__(self) -> Iterator[Failure]:
        return iter(self._planned)

    def plan(self, failure: Failure) -> None:
        """Let the next `failure.count` matching calls fail."""
        self._planned.append(failure)

    def clear(self) -> None:
        """Let everything work again."""
        self._planned.clear()
        self._away_until = float("-inf")

    def go_away(self, seconds: float) -> None:
        """Close every connection without an answer, and deliver nothing, for this long."""
        self._away_until = self._clock.elapsed() + seconds

    @property
    def away(self) -> float:
        """How many seconds the platform will still be away; 0 when it is there."""
        return max(0.0, self._away_until - self._clock.elapsed())

    def take(self, method: str, chat_id: object = None) -> Failure | None:
        """Return what goes wrong with this call, counting it, or None."""
        for index, failure in enumerate(self._planned):
            if failure.method.lower() in ("*", method.lower()) and failure.chat_id in (None, chat_id):
                if failure.count > 1:
                    self._planned[index] = replace(failure, count=failure.count - 1)
                else:
                    del self._planned[index]
                return failure
        return None
