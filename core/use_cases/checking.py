"""What an act from a chat must pass before it counts, and what its person is told when it comes too late."""

from __future__ import annotations

from collections.abc import Sequence

from core.controls import Control
from core.errors import Forged, LoopEnded, LoopTaken, Refused, Settled, StaleRevision
from core.people import Identity
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.replies import Told
from core.restoring import lost_in
from core.telling import outcome_sentence, when
from core.use_cases.later import zone_for
from core.use_cases.recording import redraw_all

UNKNOWN = "I do not know this card, so nothing was done. Ask for the question to be sent again."
LOST = (
    "This is not known here any more: it was sent after the moment of the copy that this service was restored from. "
    "Nothing was done. Ask for it to be sent again."
)
ELSEWHERE = "This control belongs to another message, so nothing was done."


async def tell_unknown(work: Work, id: str, otherwise: str = UNKNOWN) -> Told:
    """What somebody is told whose card or work order is not there: that it was lost, if it was."""
    return Told(LOST if lost_in(await work.timelines(), id) is not None else otherwise)


def check_seen(interaction: Interaction, control: Control) -> None:
    """A pending card is answered only as it was shown. A settled one goes on to be told what stands."""
    if not interaction.is_pending:
        return
    if control.revision != interaction.revision or control.seen != interaction.content.seen():
        raise StaleRevision("This card was changed after it was drawn. Look at it again, then answer.", None)


def check_picked(control: Control, picked: Sequence[Control]) -> None:
    """What was picked belongs to the same revision of the same card as the control that was pressed."""
    if any((one.interaction, one.revision) != (control.interaction, control.revision) for one in picked):
        raise Forged(ELSEWHERE)


async def tell_late(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    late: Settled,
    reader: Identity,
) -> Told:
    """What someone the card is for is told when they come too late, with the time in their own zone. Where it is open
    all the same, their copy shows what is over, so every copy is owed a redraw."""
    if late.outcome is None:
        if interaction.is_pending:
            await redraw_all(work, context, interaction, publications, context.clock.now())
        return Told(str(late))
    settled = interaction.model_copy(update={"outcome": late.outcome, "status": late.outcome.status})
    zone = await _zone_of(work, interaction.workspace, reader)
    sentence = outcome_sentence(settled, spelled=lambda at: when(at, zone))
    return Told(f"{sentence}{'' if sentence.endswith(('.', '!', '?', '…')) else '.'} Nothing has changed.")


async def tell_refused(work: Work, workspace: str, refused: Refused, reader: Identity) -> Told:
    """What someone is told whose act about a work order was refused, with the time in their own zone."""
    match refused:
        case LoopEnded():
            at = refused.outcome.at
        case LoopTaken():
            at = refused.holder.at
        case _:
            return Told(str(refused))
    zone = await _zone_of(work, workspace, reader)
    return Told(str(refused).replace(when(at), when(at, zone)))


async def _zone_of(work: Work, workspace: str, reader: Identity) -> str:
    person = await work.person_by_identity(workspace, reader)
    return await zone_for(work, person) if person is not None else "UTC"
