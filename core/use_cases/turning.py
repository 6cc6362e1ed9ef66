"""Which page of a card its copies show."""

from __future__ import annotations

from collections.abc import Sequence

from core.kinds import ItemVerdicts
from core.kinds.item_verdicts import Verdicts
from core.outbox import Lane, RedrawCard
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.use_cases.arrivals import Press
from core.use_cases.recording import owe


def pressed_copy(publications: Sequence[Publication], arrival: Press) -> list[Publication]:
    """The copy that is the pressed message."""
    return [one for one in publications if (one.channel, one.message) == (arrival.channel, arrival.message)]


async def turn_page(
    work: Work, context: Context, interaction: Interaction, copies: Sequence[Publication], page: int
) -> None:
    """Show another page of these copies."""
    for publication in copies:
        await work.save_publication(publication.model_copy(update={"page": page}))
        task = RedrawCard(publication=publication.id, where=publication.conversation)
        await owe(work, context, interaction.workspace, Lane.REDRAW, publication.id, task, context.clock.now())


async def show_next_item(work: Work, before: Interaction, copies: Sequence[Publication], here: int) -> None:
    """One item at a time: after a verdict on the item at `here` comes the next one without a verdict."""
    after = await work.interaction(before.workspace, before.id)
    payload = before.content.payload
    if after is None or not isinstance(payload, ItemVerdicts):
        return
    page = next_undecided(payload, after.verdicts, here)
    for copy in copies if page is not None else ():
        await work.save_publication(copy.model_copy(update={"page": page}))


def next_undecided(payload: ItemVerdicts, verdicts: Verdicts, here: int) -> int | None:
    """The index of the first item without a verdict after `here`, going round; None: all have one."""
    decided, count = {one.item for one in verdicts}, len(payload.items)
    order = ((here + step) % count for step in range(1, count + 1))
    return next((index for index in order if payload.items[index].id not in decided), None)
