"""Log lines of a time without the database: everything that goes on by itself fails then, several times a second, and
for one reason. One line in ten seconds says it, without the places in which it was noticed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, Final

import structlog

from core.errors import Away

EVERY: Final = 10.0
"""Seconds between two lines."""


class Outage:
    """A step in the making of log lines. `moment` is a clock that never goes back, in seconds."""

    def __init__(self, moment: Callable[[], float] = time.monotonic) -> None:
        self._moment = moment
        self._silent_until = float("-inf")
        self._unsaid = 0

    def __call__(self, _logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Leave other lines as they are. Raises `structlog.DropEvent` for one that would say the same again."""
        error = _error_of(event.get("exc_info"))
        if error is None or not all(isinstance(one, Away) for one in _single(error)):
            return event
        now = self._moment()
        if now < self._silent_until:
            self._unsaid += 1
            raise structlog.DropEvent
        del event["exc_info"]
        event["error"] = str(next(_single(error)))
        if self._unsaid:
            event["alike"] = self._unsaid
        self._silent_until, self._unsaid = now + EVERY, 0
        return event


def _error_of(info: Any) -> BaseException | None:
    match info:
        case BaseException():
            return info
        case (_, BaseException() as error, _):
            return error
        case True:
            return sys.exc_info()[1]
        case _:
            return None


def _single(error: BaseException) -> Iterator[BaseException]:
    """The error, or each of those that it groups."""
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _single(one)
    else:
        yield error
