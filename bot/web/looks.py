"""Looks at the database for whoever watches the service: one at a time, and nobody waits long for it.

A probe comes every few seconds, also while the database does not answer: then each of them would keep a connection, and
a monitor that gets no answer at all learns less than one that hears what is wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

PATIENCE: Final = 3.0
"""Seconds that a look may take. Monitors wait five to ten."""


class Late(Exception):
    """The database did not answer in time."""

    def __init__(self) -> None:
        super().__init__(f"it did not answer within {PATIENCE:g} seconds")


class Look(Generic[T]):
    """A look that is shared by all who ask while it lasts."""

    def __init__(self, look: Callable[[], Awaitable[T]], patience: float = PATIENCE) -> None:
        self._look = look
        self._patience = patience
        self._looking: asyncio.Task[T] | None = None

    async def __call__(self) -> T:
        """What is seen. Raises `Late`, or what the look raises. One that is late goes on, and the next to ask joins it:
        to cut it off would take as long, and leave the connection as it is."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._begin(), name="look")
            self._looking.add_done_callback(_heard)
        done, _ = await asyncio.wait({self._looking}, timeout=self._patience)
        if not done:
            raise Late
        return self._looking.result()

    async def _begin(self) -> T:
        return await self._look()


def _heard(task: asyncio.Task[object]) -> None:
    """Whoever asked may have gone: that nobody took note of a failure is none."""
    if not task.cancelled():
        task.exception()
