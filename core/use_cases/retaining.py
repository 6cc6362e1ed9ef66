"""Keeping no longer than wanted: content is purged in small transactions, so that nobody waits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

from core.ports import Context, Work
from core.retention import Swept
from core.use_cases.transact import transact

BATCH = 100
"""Cards in one transaction."""
SOONEST = timedelta(days=1)
"""What was settled less than this ago is never purged: people may still come late, and chats be redrawn."""


async def purge(context: Context, workspaces: Sequence[str], before: datetime, *, batch: int = BATCH) -> Swept:
    """Purge what was settled before and left alone since, of these workspaces. What was purged when this is cut off
    stays purged, and the rest is found the next time."""
    now, swept = context.clock.now(), Swept()
    before = min(before, now - SOONEST)
    for workspace in workspaces:

        async def asked(work: Work, of: str = workspace) -> int:
            return await work.purge_interactions(of, before, now, batch)

        async def ordered(work: Work, of: str = workspace) -> int:
            return await work.purge_loops(of, before, now, batch)

        async def said(work: Work, of: str = workspace) -> int:
            return await work.purge_said(of, before, batch)

        async def answered(work: Work, of: str = workspace) -> int:
            return await work.purge_answers(of, before, batch)

        await _all(context, answered)
        swept += Swept(await _all(context, asked), await _all(context, ordered), await _all(context, said))
    return swept


async def _all(context: Context, purge_some: Callable[[Work], Awaitable[int]]) -> int:
    total = 0
    while some := await transact(context, purge_some):
        total += some
    return total
