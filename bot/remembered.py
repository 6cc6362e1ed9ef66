"""What providers said of accounts, remembered in this process so that a press need not look it up.

The database has it for all processes. Whichever drops it there tells the others as it commits, and they drop it too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

from core.people import Identity, Standing
from core.ports import Committed
from core.restoring import SKEW

MOST = 10_000
"""Accounts, a few hundred bytes each; the one that was looked up first goes first."""
LookUp = Callable[[str, Identity], Awaitable[tuple[Standing, datetime] | None]]


class Remembered:
    """Use it on one event loop. `look_up` reads what is kept, with the moment that the provider said it."""

    def __init__(self, look_up: LookUp, most: int = MOST) -> None:
        self._look_up = look_up
        self._most = most
        self._known: dict[tuple[str, Identity], tuple[Standing, datetime]] = {}
        self._drops = 0

    async def standing(self, workspace: str, identity: Identity, since: datetime, now: datetime) -> Standing | None:
        """What the provider said of an account at `since` or later, as far as that is kept. What it said after `now`,
        it said while a clock was ahead, so at any time: only the clocks of replicas may be a little apart."""
        key = (workspace, identity)
        known = self._known.get(key)
        until = now + SKEW
        if known is None or not since <= known[1] <= until:
            drops = self._drops
            known = await self._look_up(workspace, identity)
            if known is None:
                return None
            if drops == self._drops:
                # Otherwise it may have been read before it was dropped.
                self._known[key] = known
                if len(self._known) > self._most:
                    del self._known[next(iter(self._known))]
        return known[0] if since <= known[1] <= until else None

    def committed(self, change: Committed) -> None:
        """Drop what a commit, here or elsewhere, says does not hold any more."""
        if change.missed:
            self._known.clear()
        for key in change.dropped:
            self._known.pop(key, None)
        if change.missed or change.dropped:
            self._drops += 1
