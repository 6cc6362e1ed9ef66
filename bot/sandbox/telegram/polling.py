"""getUpdates: long polling by one client at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from blocks.telegram import limits
from blocks.telegram.refusal import Refusal
from bot.sandbox.clock import Clock
from bot.sandbox.telegram.messages import Json
from bot.sandbox.telegram.refusals import TERMINATED_BY_POLL, TERMINATED_BY_WEBHOOK, ApiError
from bot.sandbox.telegram.updates import Update, UpdateQueue

# Somebody who asks for the same again within this many seconds, without waiting, is made to wait so long.
REPEAT: Final = 3.0
# And within this many gets one update at a time.
HASTY_REPEAT: Final = 0.5


class _Poll:
    def __init__(self) -> None:
        self.woken = asyncio.Event()
        self.refusal: Refusal | None = None
        self.released = False


class Polling:
    """The waiting getUpdates, of which there is at most one."""

    def __init__(self, queue: UpdateQueue, clock: Clock, *, pace: bool, on_wait: Callable[[], None]) -> None:
        self._queue = queue
        self._clock = clock
        self._pace = pace
        self._on_wait = on_wait
        self._current: _Poll | None = None
        self._before = (0, float("-inf"))
        queue.on_add(self._wake)

    async def get(self, offset: int, limit: int, timeout: int) -> list[Json]:  # noqa: ASYNC109  # the API's own name
        """Return updates from `offset` on, waiting up to `timeout` seconds for the first.

        Whoever waits already is refused with a 409, as is this call when another one or a webhook takes over.
        """
        limit = min(max(limit, 1), limits.UPDATES_BATCH.number)
        timeout = min(max(timeout, 0), limits.UPDATES_WAIT.number)
        seconds, limit = self._slowed(offset, limit, float(timeout))
        self._interrupt(TERMINATED_BY_POLL)
        poll = self._current = _Poll()
        until = asyncio.get_running_loop().time() + seconds
        try:
            while True:
                if poll.refusal is not None:
                    raise ApiError(poll.refusal)
                found = self._queue.take(offset, limit)
                left = until - asyncio.get_running_loop().time()
                if found or left <= 0 or poll.released:
                    return [update.payload for update in found]
                poll.woken.clear()
                self._on_wait()
                try:
                    await asyncio.wait_for(poll.woken.wait(), left)
                except TimeoutError:
                    return []
        finally:
            if self._current is poll:
                self._current = None

    def stop(self) -> None:
        """Refuse a waiting poll: a webhook was set."""
        self._interrupt(TERMINATED_BY_WEBHOOK)

    def release(self) -> None:
        """Answer a waiting poll with nothing: the platform closes."""
        if self._current is not None:
            self._current.released = True
            self._current.woken.set()

    @property
    def waiting(self) -> bool:
        """Whether a client waits for updates right now."""
        return self._current is not None

    def _interrupt(self, refusal: Refusal) -> None:
        if self._current is not None:
            self._current.refusal = refusal
            self._current.woken.set()
            self._current = None

    def _wake(self, _update: Update) -> None:
        if self._current is not None:
            self._current.woken.set()

    def _slowed(self, offset: int, limit: int, seconds: float) -> tuple[float, int]:
        """Slow a client that asks for the same again and again."""
        now = self._clock.elapsed()
        last_offset, last_at = self._before
        self._before = (offset, now)
        if self._pace and offset == last_offset:
            if seconds < REPEAT and now < last_at + REPEAT:
                seconds = REPEAT
            if now < last_at + HASTY_REPEAT:
                limit = 1
        return seconds, limit
