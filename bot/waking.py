"""Do what is due: claim the rows, and run for each what its kind asks for, in a transaction of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from core.dues import EVERY_KIND, LEASE, Due, DueKind, Dues
from core.ports import Context
from core.use_cases.fires import Fire
from core.use_cases.transact import transact

Late = Callable[[str, float], None]
"""Told for each row that was claimed how many seconds after its moment that was."""
Ready = Callable[[Due], Awaitable[Fire]]
"""Finds out what only others know, before the transaction in which it counts: how this row is done."""
AT_ONCE = 100
SIDE_BY_SIDE = 8


async def wake(
    context: Context,
    dues: Dues,
    fires: Mapping[DueKind, Fire],
    late: Late,
    ready: Mapping[DueKind, Ready] | None = None,
    kinds: frozenset[DueKind] = EVERY_KIND,
) -> int:
    """Do everything of these kinds that is due now; return how much that was. What is in `ready` is made ready before
    it is done, which may take its time: what must not wait for that is woken apart.

    What fails keeps its row, which comes up again when its lease is over; the failures are raised once the rest is
    done.
    """
    done, failures = 0, list[Exception]()
    while True:
        now = context.clock.now()
        claimed = await dues.claim(now, now + LEASE, AT_ONCE, kinds)
        for due in claimed:
            late(due.kind.value, max(0.0, (now - due.due_at).total_seconds()))
        turns = asyncio.Semaphore(SIDE_BY_SIDE)
        results = await asyncio.gather(
            *(_fire(context, due, fires[due.kind], (ready or {}).get(due.kind), turns) for due in claimed)
        )
        failures += [failure for failure in results if failure is not None]
        done += len(claimed)
        if len(claimed) < AT_ONCE:
            break
    if failures:
        raise ExceptionGroup(f"{len(failures)} of {done} due things failed", failures)
    return done


async def _fire(
    context: Context, due: Due, fire: Fire, ready: Ready | None, turns: asyncio.Semaphore
) -> Exception | None:
    async with turns:
        try:
            done = fire if ready is None else await ready(due)
            await transact(context, lambda work: done(work, context, due))
        except Exception as failure:  # noqa: BLE001  # one row that fails must not keep the others waiting
            return failure
    return None
