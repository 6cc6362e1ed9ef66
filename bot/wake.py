"""Who waits for what: long polls and streams, woken when something was committed here or elsewhere.

A commit in this process and a notice from PostgreSQL ring at once. Both are only hints: while anybody waits, the newest
event position of their workspace is read every half second, so nothing is lost when a hint is.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator

import structlog

from core.ports import Committed

LastPosition = Callable[[str], Awaitable[int]]
"""Reads the position of the newest event of a workspace (`core.reading.Records.last_position`)."""

POLL_SECONDS = 0.5
log = structlog.get_logger("sayso.wake")


class Bell:
    """Rung whenever something happened since it was last heard. `interaction` None: it is for all of the workspace."""

    def __init__(self, workspace: str, interaction: str | None) -> None:
        self.workspace = workspace
        self.interaction = interaction
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Something happened."""
        self._rung.set()

    async def heard(self, seconds: float) -> bool:
        """Wait until it rings, `seconds` at most; whether it rang. Afterwards it is silent again."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(seconds, 0)):
                await self._rung.wait()
        rang = self._rung.is_set()
        self._rung.clear()
        return rang


class Waiter:
    """All bells of this process. Use it on one event loop."""

    def __init__(self, last_position: LastPosition, poll_seconds: float = POLL_SECONDS) -> None:
        self._last_position = last_position
        self._poll_seconds = poll_seconds
        self._bells: set[Bell] = set()
        self._poll: asyncio.Task[None] | None = None
        self.closing = False
        """Whether the service is stopping: whoever waits should answer with what there is."""

    @contextlib.contextmanager
    def listening(self, workspace: str, interaction: str | None = None) -> Iterator[Bell]:
        """A bell for one interaction, or for everything in a workspace. Get it before you look, so that nothing falls
        between looking and waiting."""
        bell = Bell(workspace, interaction)
        if self.closing:
            bell.ring()
        self._bells.add(bell)
        if not self.closing and (self._poll is None or self._poll.done()):
            self._poll = asyncio.get_running_loop().create_task(self._watch(), name="wake")
        try:
            yield bell
        finally:
            self._bells.discard(bell)

    def committed(self, change: Committed) -> None:
        """Ring for what a commit changed. This is the store's `Wake`, and takes what PostgreSQL told too."""
        workspaces = {workspace for workspace, _ in change.positions}
        for bell in self._bells:
            about_all = bell.interaction is None and bell.workspace in workspaces
            if change.missed or about_all or bell.interaction in change.interactions:
                bell.ring()

    async def _watch(self) -> None:
        """Look for what no hint told, while anybody waits."""
        known: dict[str, int] = {}
        while self._bells:
            for workspace in {bell.workspace for bell in self._bells}:
                try:
                    position = await self._last_position(workspace)
                except Exception:  # whatever the database raises, who waits goes on waiting
                    log.warning("the newest event could not be read", exc_info=True)
                    continue
                if known.get(workspace) != position:
                    known[workspace] = position
                    self._ring_all(workspace)
            await asyncio.sleep(self._poll_seconds)

    def _ring_all(self, workspace: str) -> None:
        for bell in self._bells:
            if bell.workspace == workspace:
                bell.ring()

    async def close(self) -> None:
        """Stop: everybody who waits is woken, and `closing` tells them why."""
        self.closing = True
        self.committed(Committed(missed=True))
        if self._poll is not None:
            self._poll.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._poll
