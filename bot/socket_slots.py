"""The connections of Socket Mode that all processes together may have open, as leases in the database.

Every process has one before any has two. One that has none says so with another lease; whoever has two then lets one of
its own lapse, and closes that connection long before somebody else may open one in its place.

There is one Slack app to a deployment, so the leases are called by number alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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
        self._waits = [f"slack socket wanted {number}" for number in range(1, most + 1)]

    async def hold(self, wanted: int) -> int:
        """Take or extend as many of the leases as are `wanted`, to be had and a fair share, and return how many these
        are. One that was held before and is not among them lapses."""
        now = self._context.clock.now()
        until = now + timedelta(seconds=LEASE)

        async def take(work: Work) -> tuple[int, int]:
            holders = await work.lease_holders([*self._names, *self._waits], now)
            having = [holders[name] for name in self._names if name in holders]
            own = [name for name in self._names if holders.get(name) == self._owner]
            free = [name for name in self._names if name not in holders]
            waiting = sum(holders.get(name, self._owner) != self._owner for name in self._waits)
            count = share(self._owner, having, len(free), waiting, wanted)
            # In one order everywhere, so that two processes never wait for each other.
            chosen = sorted([*own, *free][:count], key=self._names.index)
            taken = [await work.take_lease(name, self._owner, now, until) for name in chosen]
            held = sum(one is not None for one in taken)
            asked = [name for name in self._waits if holders.get(name) == self._owner]
            if held:
                for name in asked:
                    await work.drop_lease(name, self._owner)
            else:
                unasked = [name for name in self._waits if name not in holders]
                for name in [*asked, *unasked][:1]:
                    await work.take_lease(name, self._owner, now, until)
            return held, sum(one != self._owner for one in having)

        held, others = await transact(self._context, take)
        self._noticing.sockets_elsewhere(others)
        return held

    async def drop(self) -> None:
        """Give all of them back."""

        async def give(work: Work) -> None:
            for name in [*self._names, *self._waits]:
                await work.drop_lease(name, self._owner)

        await transact(self._context, give)


def share(owner: str, having: Sequence[str], free: int, waiting: int, wanted: int) -> int:
    """How many slots are the `owner`'s, of those that are `free` and those that it has: `having` names who has each.
    While more processes are `waiting` without any than there are free ones, some of those who have several give one
    back, in the order of their names, so that no more of them do than must."""
    held = Counter(having)
    own, spare = held[owner], free - waiting
    if own == 0:
        return min(wanted, free, 1 + max(0, spare - 1))
    if spare >= 0:
        return min(wanted, own + spare)
    several = sorted(one for one, count in held.items() if count > 1)
    return own - 1 if owner in several[:-spare] else own
