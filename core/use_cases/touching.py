"""A group of boxes of a checklist was touched: what its person changed in it is ticked and unticked."""

from __future__ import annotations

from collections.abc import Sequence

from core.acts import Tick
from core.audience import Candidate
from core.errors import Forged
from core.fields import Fields
from core.kinds import Checklist
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.replies import Quiet, Reply, Saved
from core.touches import is_overtaken, remember, shown_before
from core.use_cases.arrivals import Press
from core.use_cases.deciding import decide_as
from core.use_cases.drafting import kept_draft, own_draft
from core.use_cases.picking import NOT_HERE, item_at


async def touch_boxes(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
    candidate: Candidate,
) -> Reply:
    """Tick and untick. What the person's client shows from now on is kept with what they have not sent: it is theirs,
    it lasts as long, and it is known to whichever process takes the next touch."""
    payload, touch = interaction.content.payload, arrival.touch
    if not isinstance(payload, Checklist) or touch is None:
        raise Forged(NOT_HERE)
    scope, now = str(arrival.identity), context.clock.now()
    kept = await kept_draft(work, interaction, scope, candidate, now)
    touched: Fields = kept.fields if kept is not None else {}
    if is_overtaken(touched, touch):
        return Quiet()
    ticked, before = frozenset(one.option for one in arrival.picked), shown_before(touched, touch)
    act = Tick(
        arrival.control.revision,
        tick=tuple(item_at(payload, item) for item in sorted(ticked - before)),
        untick=tuple(item_at(payload, item) for item in sorted(before - ticked)),
    )
    reply: Reply = Quiet()
    if act.tick or act.untick:
        reply = await decide_as(work, context, interaction, publications, act, candidate, arrival.via, arrival.key)
    if isinstance(reply, Saved | Quiet) and interaction.is_pending:
        draft = kept or await own_draft(work, interaction, scope, candidate, now)
        fields = remember(touched, touch, ticked)
        await work.save_draft(draft.model_copy(update={"fields": fields, "updated_at": now}))
    return reply
