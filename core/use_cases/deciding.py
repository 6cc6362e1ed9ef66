"""An answer from a chat, decided, and how its person is told that it went."""

from __future__ import annotations

from collections.abc import Sequence

from core.acts import Comment, Judge
from core.audience import Candidate
from core.errors import Invalid
from core.form_faults import name_fields
from core.people import Via
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction, Status
from core.replies import Reply, Saved
from core.telling import saved_sentence
from core.use_cases.answer import Answering, Done, answer_in

ALREADY = "It is saved already; you do not need to press again."
PASSED_ON = "Your words were passed on. The question stays open: its card says how it is answered."
TOOK_ITS_PLACE = "Your words were passed on and took the place of this question."


async def decide_as(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    act: Answering,
    candidate: Candidate,
    via: Via,
    provider_event: str,
) -> Reply:
    """Answer inside the caller's transaction and say how it went. Raises a `Refused` that is no fault of form."""
    result = await answer_in(work, context, interaction, publications, act, candidate, via, provider_event)
    if isinstance(result, Done):
        if isinstance(act, Comment):
            ended = result.interaction.status is Status.SUPERSEDED
            return Saved(TOOK_ITS_PLACE if ended else PASSED_ON, unseen=True)
        if result.repeated:
            return saved_before(result.interaction)
        return Saved(saved_sentence(result.interaction))
    if isinstance(result, Invalid):
        given = act.verdicts if isinstance(act, Judge) else ()
        return name_fields(interaction.content.payload, result.faults, given)
    raise result


def saved_before(interaction: Interaction) -> Saved:
    """What someone is told who does the same once more."""
    sentence = saved_sentence(interaction)
    return Saved(f"{sentence}{'' if sentence.endswith(('.', '!', '?', '…')) else '.'} {ALREADY}", unseen=True)
