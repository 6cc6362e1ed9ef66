"""Work that goes on by itself while the service runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine

import structlog

log = structlog.get_logger("sayso.background")

SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
"""Seconds between two transactions of something long."""


class Pauses:
    """Called between the transactions of something long: waits as long as the last of them took. On SQLite, where one
    at a time may write, others then find it free every other time they look, however slow the machine."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    async def __call__(self) -> None:
        """Let others have their turn."""
        await asyncio.sleep(min(max(SHORTEST_PAUSE, time.monotonic() - self._since), LONGEST_PAUSE))
        self._since = time.monotonic()


def begin(work: Coroutine[None, None, None], name: str) -> asyncio.Task[None]:
    """Start it. Nobody waits for it before the service stops, so should it fail, that is logged when it happens."""
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_say_if_failed)
    return task


def _say_if_failed(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("stopped by itself", task=task.get_name(), exc_info=error)
