"""Forms that only their sender had: what a submitted one means, and that one was closed."""

from __future__ import annotations

from collections.abc import Sequence

from core.audience import Candidate
from core.controls import ASIDE, Action, Control
from core.errors import Fault, IdentityUndetermined, Refused, Settled, StaleRevision
from core.fields import Fields
from core.people import Identity, Membership
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.replies import Reply, Saved, Told, Wrong
from core.use_cases.answer import admit
from core.use_cases.arrivals import Submission
from core.use_cases.checking import check_picked, check_seen, tell_late, tell_unknown
from core.use_cases.deciding import decide_as
from core.use_cases.drafting import note_answering, stop_answering
from core.use_cases.meaning import act_from_fields
from core.use_cases.once import once
from core.use_cases.people import recognise
from core.use_cases.picking import picked_fields
from core.use_cases.timing import IN_WORDS, Acting, take_timed
from core.use_cases.transact import transact

CHANGED = (
    "The card was changed after you opened this form, so nothing was sent. Copy what you wrote, close this form, "
    "and look at the card again."
)
"""The form stays, as what was typed in it may be wanted on the card as it is now."""


async def submit(context: Context, sent: Submission) -> Reply:
    """Handle one submitted form; never raises a `Refused`."""

    async def inner(work: Work) -> Reply:
        return await _submit_in(work, context, sent)

    async def foresee(work: Work) -> None:
        await work.foresee_answer(sent.workspace, sent.control.interaction, sent.identity)

    return await once(context, sent.key, sent.provider, inner, foresee)


async def _submit_in(work: Work, context: Context, sent: Submission) -> Reply:
    control = sent.control
    interaction = await work.interaction(sent.workspace, control.interaction)
    if interaction is None:
        return await tell_unknown(work, control.interaction)
    publications = await work.publications(interaction.id)
    try:
        candidate = await _candidate(work, context, sent, publications)
        admit(interaction, publications, candidate)
        check_seen(interaction, control)
        check_picked(control, sent.picked)
        if control.action in IN_WORDS:
            acting = Acting(interaction, publications, candidate, sent.via, sent.key)
            return await take_timed(work, context, acting, control, sent.fields, sent.target)
        filled = {**sent.fields, **picked_fields(interaction, sent.picked)}
        act = act_from_fields(interaction, control, filled)
        reply = await decide_as(work, context, interaction, publications, act, candidate, sent.via, sent.key)
        return await _end_form(work, context, interaction, publications, sent, candidate, filled, reply)
    except StaleRevision as stale:
        await tell_late(work, context, interaction, publications, stale, sent.identity)
        return Wrong((Fault("", CHANGED),), ("",))
    except Settled as late:
        return await tell_late(work, context, interaction, publications, late, sent.identity)
    except IdentityUndetermined as unsure:
        # They may be among those asked after all, so the form stays open with what was typed.
        return Wrong((Fault("", str(unsure)),), ("",))
    except Refused as refused:
        return Told(str(refused))


async def _candidate(work: Work, context: Context, sent: Submission, publications: Sequence[Publication]) -> Candidate:
    person = await recognise(work, context, sent.workspace, sent.identity, sent.standing)
    memberships: dict[str, Membership] = {}
    copy = next((one for one in publications if one.number == sent.control.publication), None)
    if copy is not None and copy.provider is sent.provider:
        memberships[copy.conversation] = sent.membership
    return Candidate(person=person, identity=sent.identity, standing=sent.standing, memberships=memberships)


_ONE_FIELD = {Action.COMMENT: "comment", Action.JUDGE: "reason"}
"""Forms of a single field, whatever it is taken as: words meant as the reason of a reject are written into that of a
comment."""


async def _end_form(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    sent: Submission,
    candidate: Candidate,
    filled: Fields,
    reply: Reply,
) -> Reply:
    """A form that was taken is closed; what did not pass is kept for its person, and they are still answering."""
    action = sent.control.action
    if isinstance(reply, Saved) and action not in ASIDE:
        await stop_answering(work, context, interaction, publications, str(sent.identity), forget=True)
    if not isinstance(reply, Wrong):
        return reply
    if action in _ONE_FIELD:
        return Wrong(reply.faults, tuple(_ONE_FIELD[action] for _ in reply.fields))
    await note_answering(work, context, interaction, publications, candidate, filled)
    return reply


async def close_form(context: Context, workspace: str, control: Control, identity: Identity) -> None:
    """A person closed a form of their own: nobody is shown any more that they are answering."""

    async def inner(work: Work) -> None:
        interaction = await work.interaction(workspace, control.interaction)
        if interaction is not None:
            publications = await work.publications(interaction.id)
            await stop_answering(work, context, interaction, publications, str(identity), forget=False)

    await transact(context, inner)
