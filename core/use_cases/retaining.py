"""Keeping no longer than wanted: content is purged in small transactions, so that nobody waits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

from pydantic import JsonValue

from core.audit import About, Changed
from core.canonical import rfc3339
from core.ports import Context, Work
from core.retention import Step, Swept
from core.use_cases.auditing import note
from core.use_cases.transact import transact

BATCH = 50
"""Cards in one transaction."""
FORGOTTEN = 500
"""Rows of the service's own books in one transaction."""
SOONEST = timedelta(days=1)
"""What was settled less than this ago is never purged: people may still come late, and chats be redrawn."""
Rest = Callable[[], Awaitable[None]]
"""Called between two transactions: where one at a time may write, others have their turn."""


async def no_rest() -> None:
    """Go on at once."""


async def purge(
    context: Context, workspaces: Sequence[str], before: datetime, *, batch: int = BATCH, rest: Rest = no_rest
) -> Swept:
    """Purge what was settled before and left alone since, of these workspaces. What was purged when this is cut off
    stays purged, and the rest is found the next time."""
    now, swept = context.clock.now(), Swept()
    before = min(before, now - SOONEST)
    for workspace in workspaces:

        async def asked(work: Work, after: str, of: str = workspace) -> Step:
            return await work.purge_interactions(of, before, now, after, batch)

        async def ordered(work: Work, after: str, of: str = workspace) -> Step:
            return await work.purge_loops(of, before, now, after, batch)

        async def said(work: Work, _: str, of: str = workspace) -> Step:
            gone = await work.purge_said(of, before, batch)
            return Step(gone, "" if gone else None)

        async def answered(work: Work, _: str, of: str = workspace) -> Step:
            gone = await work.purge_answers(of, before, batch)
            return Step(gone, "" if gone else None)

        await _all(context, answered, rest)
        of_cards, of_loops = await _all(context, asked, rest), await _all(context, ordered, rest)
        here = Swept(of_cards, of_loops, await _all(context, said, rest))
        await _note(context, workspace, before, here)
        swept += here
    return swept


async def _note(context: Context, workspace: str, before: datetime, swept: Swept) -> None:
    """Note what somebody at a shell took away. What a setting takes away every hour would fill the audit."""
    if context.actor.type != "cli" or not swept.total:
        return
    counted = {"cards": swept.interactions, "work orders": swept.loops, "things said": swept.others}
    after: dict[str, JsonValue] = {"settled before": rfc3339(before), **counted}
    about = About(type="workspace", id=workspace)
    await transact(context, lambda work: note(work, context, workspace, Changed.PURGED, about, after=after))


async def forget(context: Context, *, batch: int = FORGOTTEN, rest: Rest = no_rest) -> int:
    """Delete what is past its time in the service's own books, and say how many rows that were."""
    now = context.clock.now()

    async def gone(work: Work, after: str) -> Step:
        return await work.forget(now, after, batch)

    return await _all(context, gone, rest)


async def _all(context: Context, purge_some: Callable[[Work, str], Awaitable[Step]], rest: Rest) -> int:
    total, after = 0, ""
    while True:

        async def some(work: Work, mark: str = after) -> Step:
            return await purge_some(work, mark)

        step = await transact(context, some)
        total += step.done
        if step.mark is None:
            return total
        after = step.mark
        await rest()
