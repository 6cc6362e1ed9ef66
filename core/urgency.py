"""The order of what waits: what is due soonest first, what is overdue before all; then what has no time, newest first.

An id begins with the time it was made at, whatever it names, so cards and work orders stand in one order by their ids
without the prefixes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from core.errors import Invalid
from core.ids import id_bytes

T = TypeVar("T")
_NEVER = datetime.max.replace(tzinfo=UTC)
_BEGAN = datetime(1970, 1, 1, tzinfo=UTC)
_UNIT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Urgency:
    """A place in that order: when something is due (UTC; None: whenever), and its id without the prefix."""

    due: datetime | None
    tail: str

    @classmethod
    def of(cls, due: datetime | None, id: str) -> Urgency:
        """The place of what has this id and is due then."""
        return cls(due, id.partition("_")[2])

    def id(self, prefix: str) -> str:
        """The id here of something with this prefix."""
        return f"{prefix}_{self.tail}"

    def __str__(self) -> str:
        """As it stands in an address: `1764720000000000.01jd…`, `.01jd…` where nothing is due."""
        since = "" if self.due is None else str((self.due - _BEGAN) // _UNIT)
        return f"{since}.{self.tail}"

    @classmethod
    def read(cls, text: str) -> Urgency:
        """Read a place back. Raises `Invalid`."""
        since, dot, tail = text.partition(".")
        id_bytes("at", f"at_{tail}")
        if not dot or (since and not (since.isascii() and since.isdigit() and len(since) <= 18)):
            raise Invalid.at("", "not a place in a list")
        try:
            return cls(_BEGAN + int(since) * _UNIT if since else None, tail)
        except OverflowError:
            raise Invalid.at("", "not a place in a list") from None


def in_order(things: Iterable[T], place: Callable[[T], Urgency]) -> list[T]:
    """The most urgent first; of what is due at the same time, and of what is never due, the newest."""
    newest = sorted(things, key=lambda one: place(one).tail, reverse=True)
    return sorted(newest, key=lambda one: place(one).due or _NEVER)
