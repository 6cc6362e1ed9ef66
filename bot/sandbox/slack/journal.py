"""What happened on the wire, kept for tests: every call the app made and every delivery to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from bot.sandbox.slack.world import Json

KEPT: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One Web API call (or post to a response URL). `args` has no token; `result` is the JSON answered.

    `at` is Unix seconds, `elapsed` the stand-in's own clock, `status` None when the connection was dropped.
    """

    number: int
    at: float
    elapsed: float
    method: str
    args: Mapping[str, Any]
    status: int | None
    result: Mapping[str, Any]
    fault: str | None = None

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return bool(self.result.get("ok"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try at a delivery. `status` is an HTTP status, 200 for a socket's ack, None for no answer in time.

    `problem` is Slack's word for what went wrong (`http_timeout`, `connection_failed`, `http_error`) or None.
    """

    status: int | None
    seconds: float
    problem: str | None = None
    body: Any = None
    no_retry: bool = False
    retry: int = 0


class Delivery:
    """One thing sent to the app: the payload and what came of each attempt."""

    def __init__(self, number: int, sort: str, payload: Json) -> None:
        self.number = number
        self.sort = sort
        self.payload = payload
        self.attempts: list[Attempt] = []
        self._tried = asyncio.Event()

    def add(self, attempt: Attempt) -> None:
        """Write down what came of an attempt."""
        self.attempts.append(attempt)
        tried, self._tried = self._tried, asyncio.Event()
        tried.set()

    async def tried(self, times: int) -> None:
        """Return once there were as many attempts."""
        while len(self.attempts) < times:
            await self._tried.wait()

    @property
    def json(self) -> Json:
        """The same as plain JSON."""
        attempts = [asdict(attempt) for attempt in self.attempts]
        return {"number": self.number, "sort": self.sort, "payload": self.payload, "attempts": attempts}


@dataclass(frozen=True, slots=True)
class Trouble:
    """A warning triangle or a "trouble connecting": who saw it, on what, and what the app did wrong."""

    user: str
    where: str
    reason: str


class Journal:
    """Calls, deliveries and what went wrong in front of people, the newest `KEPT` of each."""

    def __init__(self) -> None:
        self.calls: deque[Call] = deque(maxlen=KEPT)
        self.troubles: deque[Trouble] = deque(maxlen=KEPT)
        self.deliveries: deque[Delivery] = deque(maxlen=KEPT)
        self._made = 0
        self._sent = 0

    def number_call(self) -> int:
        """Return the next call's number, from 1."""
        self._made += 1
        return self._made

    def open_delivery(self, sort: str, payload: Json) -> Delivery:
        """Write down that something is about to be sent."""
        self._sent += 1
        delivery = Delivery(self._sent, sort, payload)
        self.deliveries.append(delivery)
        return delivery

    def of(self, method: str, *, done: bool | None = None) -> list[Call]:
        """Return the calls of one method, optionally only those that were done or were not."""
        return [c for c in self._matching(method) if done is None or c.ok is done]

    def _matching(self, method: str) -> Iterator[Call]:
        return (call for call in self.calls if call.method == method)
