"""A press on a card: checked, judged, decided and committed with its inbox key in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from core.audience import Candidate
from core.controls import Action
from core.errors import Forged, Refused, Settled
from core.people import Membership
from core.ports import Context, Work
from core.publications import Publication, PublicationState
from core.records import Interaction
from core.replies import Quiet, Reply, Told
from core.use_cases.answer import admit
from core.use_cases.arrivals import Press
from core.use_cases.checking import ELSEWHERE, check_picked, check_seen, tell_late, tell_unknown
from core.use_cases.control import act_on_control
from core.use_cases.once import once
from core.use_cases.people import recognise
from core.use_cases.recording import redraw_all


async def press(context: Context, arrival: Press) -> Reply:
    """Handle one press; never raises a `Refused`."""

    async def inner(work: Work) -> Reply:
        return await _press_in(work, context, arrival)

    async def foresee(work: Work) -> None:
        await work.foresee_answer(arrival.workspace, arrival.control.interaction, arrival.identity)

    return await once(context, arrival.key, arrival.provider, inner, foresee)


async def _press_in(work: Work, context: Context, arrival: Press) -> Reply:
    control = arrival.control
    if control.action is Action.HOLD:
        return Quiet()
    interaction = await work.interaction(arrival.workspace, control.interaction)
    if interaction is None:
        return await tell_unknown(work, control.interaction)
    publications = await work.publications(interaction.id)
    try:
        publications = await adopt(work, context, interaction, publications, arrival)
        candidate = await candidate_of(work, context, arrival)
        admit(interaction, publications, candidate)
        check_seen(interaction, control)
        check_picked(control, arrival.picked)
        return await act_on_control(work, context, interaction, publications, arrival, candidate)
    except Settled as late:
        return await tell_late(work, context, interaction, publications, late, arrival.identity)
    except Refused as refused:
        return Told(str(refused))


async def candidate_of(work: Work, context: Context, arrival: Press) -> Candidate:
    """The presser. Raises `NotAnAnswerer` for whoever is nobody."""
    person = await recognise(work, context, arrival.workspace, arrival.identity, arrival.standing)
    await work.note_seen(arrival.workspace, person.id, arrival.conversation, context.clock.now())
    return Candidate(
        person=person,
        identity=arrival.identity,
        standing=arrival.standing,
        memberships={arrival.conversation: Membership.YES},
    )


async def adopt(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
) -> tuple[Publication, ...]:
    """Match the pressed message to its copy. A press proves that a copy whose post was lost is there; a second
    copy of the same post is taken in and settled with the rest. What such a copy shows is not known, so it is owed a
    redraw whatever becomes of the press. Raises `Forged` when the token is from elsewhere, or when only the presser
    says that the message has it: a redraw would put this card in the place of whatever the message is."""
    own = next((one for one in publications if one.number == arrival.control.publication), None)
    if own is None or own.provider is not arrival.provider or own.account != arrival.account:
        raise Forged(ELSEWHERE)
    if own.message == arrival.message and own.channel == arrival.channel:
        return tuple(publications)
    if any(one.message == arrival.message and one.channel == arrival.channel for one in publications):
        return tuple(publications)
    at_home = arrival.channel in (own.channel, own.place)
    in_private = own.channel is None and own.place == arrival.identity.user
    if not (at_home or in_private) or not arrival.carried:
        raise Forged(ELSEWHERE)
    if await work.publication_at(own.provider.value, own.account, arrival.channel, arrival.message) is not None:
        raise Forged(ELSEWHERE)
    seen = {
        "channel": arrival.channel,
        "message": arrival.message,
        "state": PublicationState.POSTED,
        "reason": None,
        "shown_revision": arrival.control.revision,
    }
    if own.message is None:
        copy = own.model_copy(update=seen)
        await work.save_publication(copy)
        known = tuple(copy if one is own else one for one in publications)
    else:
        number = max(one.number for one in publications) + 1
        copy = own.model_copy(update={**seen, "id": context.ids.new("pub"), "number": number})
        await work.add_publication(copy)
        known = (*publications, copy)
    await redraw_all(work, context, interaction, [copy], context.clock.now())
    return known
