"""The connections of Socket Mode that all processes together may have open, as leases in the database.

There is one Slack app to a deployment, so the leases are called by number alone.
"""

from __future__ import annotations

from datetime import timedelta

from adapters.slack.sockets import LEASE
from bot.noticing import Noticing
from core.ports import Context, Work
from core.use_cases.transact import transact


class SocketSlots:
    """`most` connections for all processes together; `owner` names this one in the leases."""

    def __init__(self, context: Context, owner: str, most: int, noticing: Noticing) -> None:
        self._context = context
        self._owner = owner
        self._noticing = noticing
        self._names = [f"slack socket {number}" for number in range(1, most + 1)]

    async def hold(self, wanted: int) -> int:
        """Take or extend as many of the leases as are `wanted` and to be had, and return how many these are."""
        now = self._context.clock.now()
        until = now + timedelta(seconds=LEASE)

        async def take(work: Work) -> tuple[int, int]:
            holders = await work.lease_holders(self._names, now)
            others = [name for name, owner in holders.items() if owner != self._owner]
            own = [name for name in self._names if holders.get(name) == self._owner]
            free = [name for name in self._names if name not in holders]
            # In one order everywhere, so that two processes never wait for each other.
            chosen = sorted([*own, *free][:wanted], key=self._names.index)
            taken = [await work.take_lease(name, self._owner, now, until) for name in chosen]
            return sum(one is not None for one in taken), len(others)

        held, others = await transact(self._context, take)
        self._noticing.sockets_elsewhere(others)
        return held

    async def drop(self) -> None:
        """Give all of them back."""

        async def give(work: Work) -> None:
            for name in self._names:
                await work.drop_lease(name, self._owner)

        await transact(self._context, give)
