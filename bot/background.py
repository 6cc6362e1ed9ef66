"""Work that goes on by itself while the service runs."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

import structlog

log = structlog.get_logger("sayso.background")

PAUSE = 0.05
"""Seconds between two transactions of something long: about as long as each takes. On SQLite others write then."""


async def pause() -> None:
    """Let others have their turn."""
    await asyncio.sleep(PAUSE)


def begin(work: Coroutine[None, None, None], name: str) -> asyncio.Task[None]:
    """Start it. Nobody waits for it before the service stops, so should it fail, that is logged when it happens."""
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_say_if_failed)
    return task


def _say_if_failed(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("stopped by itself", task=task.get_name(), exc_info=error)
