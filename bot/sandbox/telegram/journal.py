"""What happened on the wire: every call of the bot, and every delivery to its webhook. No token is kept."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

KEPT: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One Bot API call. `status` is None when the connection was closed instead of answered.

    `at` is Unix seconds, `elapsed` the stand-in's own clock, `done` whether the call took effect.
    """

    number: int
    at: float
    elapsed: float
    method: str
    args: Mapping[str, Any]
    status: int | None
    result: Any
    description: str | None = None
    done: bool = False
    fault: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One try at posting an update to the webhook. `status` is None when no answer came."""

    number: int
    at: float
    update_id: int
    status: int | None
    problem: str | None = None


class Journal:
    """The latest calls and deliveries, oldest first. Numbers go up by one over both together."""

    def __init__(self) -> None:
        self.calls: deque[Call] = deque(maxlen=KEPT)
        self.deliveries: deque[Delivery] = deque(maxlen=KEPT)
        self._number = 0

    def next(self) -> int:
        """Return the number of the next entry."""
        self._number += 1
        return self._number

    def of(self, method: str, *, done: bool | None = None) -> list[Call]:
        """Return the calls of one method, all of them or only those that (did not) take effect."""
        return [call for call in self.calls if call.method == method and done in (None, call.done)]

    def since(self, number: int) -> Iterator[Call]:
        """Yield the calls after entry `number`."""
        return (call for call in self.calls if call.number > number)

    def clear(self) -> None:
        """Forget what happened so far; numbers go on."""
        self.calls.clear()
        self.deliveries.clear()

    def contains(self, secret: str) -> bool:
        """Whether `secret` stands anywhere in it."""
        return any(secret in json.dumps([dict(call.args), call.result], default=str) for call in self.calls)
