"""Where statements run: in threads, on connections that block. One statement takes there a fraction of what it takes
on a connection of asyncio's, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class Threads:
    """At most so many threads, made when they are needed."""

    def __init__(self, most: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(most, thread_name_prefix=name)

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a function in a thread. Whoever is cancelled meanwhile goes on only once it has ended: it holds a
        connection."""
        own = contextvars.copy_context()
        running = asyncio.get_running_loop().run_in_executor(self._pool, lambda: own.run(function, *arguments))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            while not running.done():
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait({running})
            raise

    def close(self) -> None:
        """Take nothing more."""
        self._pool.shutdown(wait=False)


async def here(function: Callable[..., T], *arguments: Any) -> T:
    """The same for those who are in a thread already."""
    return function(*arguments)


def finish(work: Awaitable[T]) -> T:
    """What comes of work that waits for nothing, which is all that `here` does."""
    steps = work.__await__()
    try:
        next(steps)
    except StopIteration as done:
        result: T = done.value
        return result
    steps.close()
    raise RuntimeError("inside a transaction nothing but the database may be waited for")
