"""A stand-in's time: real for stamps, pushable for everything that expires or waits."""

from __future__ import annotations

import asyncio
import time


class Clock:
    """Two readings: `wall` is real and stamps messages; `elapsed` only grows and can be advanced."""

    def __init__(self) -> None:
        self._pushed = 0.0
        self._advanced = asyncio.Event()

    def wall(self) -> float:
        """Return Unix seconds, never pushed."""
        return time.time()

    def elapsed(self) -> float:
        """Return seconds since some fixed moment, including what `advance` added."""
        return time.monotonic() + self._pushed

    def advance(self, seconds: float) -> None:
        """Let everything that expires or waits here be `seconds` older, at once."""
        self._pushed += seconds
        waiting, self._advanced = self._advanced, asyncio.Event()
        waiting.set()

    async def sleep(self, seconds: float) -> None:
        """Wait until `elapsed` has grown by `seconds`; `advance` counts."""
        until = self.elapsed() + seconds
        while (left := until - self.elapsed()) > 0:
            advanced = self._advanced
            try:
                await asyncio.wait_for(advanced.wait(), left)
            except TimeoutError:
                return
