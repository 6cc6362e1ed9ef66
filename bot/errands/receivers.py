"""Which askers' endpoints are being called, so that one that hangs keeps nobody else's webhooks waiting."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

AT_ONCE = 4
"""Calls to one receiver at the same time."""
SLOW = 1.0
"""Seconds after which a call that has not ended makes its receiver a slow one."""


def receiver_of(agent: str, url: str) -> str:
    """What counts as one receiver: where an agent's events go, whatever the path."""
    try:
        return f"{agent} {urlsplit(url).netloc}"
    except ValueError:
        return f"{agent} {url}"


class Receivers:
    """Counts the calls in hand. A receiver that answers is waited for; one that does not is come back to later.

    `now` is in seconds, from any zero.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._calls: dict[str, dict[object, float]] = {}
        self._ended = asyncio.Condition()

    @asynccontextmanager
    async def turn(self, receiver: str) -> AsyncIterator[bool]:
        """Hold one of the receiver's turns for a call, once there is one. False: it is slow, so there is none now."""
        call = object()
        entered = await self._enter(receiver, call)
        try:
            yield entered
        finally:
            if entered:
                await self._leave(receiver, call)

    async def _enter(self, receiver: str, call: object) -> bool:
        async with self._ended:
            while len(calls := self._calls.setdefault(receiver, {})) >= AT_ONCE:
                patience = min(calls.values()) + SLOW - self._now()
                if patience <= 0:
                    return False
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), patience)
            calls[call] = self._now()
            return True

    async def _leave(self, receiver: str, call: object) -> None:
        async with self._ended:
            calls = self._calls[receiver]
            del calls[call]
            if not calls:
                del self._calls[receiver]
            self._ended.notify_all()
