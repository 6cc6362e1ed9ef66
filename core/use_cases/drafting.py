"""Shared forms that nobody finished: the hold lapses, the ticks go, and others may begin."""

from __future__ import annotations

from core.drafts import HOLD, Draft
from core.ports import Context, Work
from core.reading import Records
from core.use_cases.recording import redraw_all
from core.use_cases.transact import transact


async def lapse_holds(context: Context, records: Records, limit: int = 50) -> int:
    """Clear held drafts that were not touched for `HOLD` and owe their cards a redraw; return how many."""
    cleared = 0
    for draft in await records.lapsed_drafts(context.clock.now() - HOLD, limit):
        cleared += await _clear(context, draft)
    return cleared


async def _clear(context: Context, lapsed: Draft) -> bool:
    async def inner(work: Work) -> bool:
        publications = await work.publications(lapsed.interaction)
        workspace = publications[0].workspace if publications else ""
        interaction = await work.interaction(workspace, lapsed.interaction)
        draft = await work.draft(lapsed.interaction, lapsed.scope)
        now = context.clock.now()
        if draft is None or draft.is_held(now):
            return False
        await work.drop_draft(lapsed.interaction, lapsed.scope)
        if interaction is not None and interaction.is_pending:
            here = [one for one in publications if one.conversation == lapsed.scope]
            await redraw_all(work, context, interaction, here, now)
        return True

    return await transact(context, inner)
