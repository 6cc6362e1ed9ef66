"""What a control does once its presser is admitted: decide, ask for words, tick, turn a page, fill in."""

from __future__ import annotations

from collections.abc import Sequence

from core.acts import Comment, Judge
from core.audience import Candidate
from core.controls import DECIDES, OPENS_FORM, Action, Control
from core.errors import Invalid
from core.form_faults import name_fields
from core.forms import TASKS
from core.interactions import too_late
from core.kinds import ItemVerdicts, SuggestedTasks
from core.kinds.item_verdicts import Verdicts
from core.kinds.suggested_tasks import toggled
from core.outbox import Lane, RedrawCard
from core.people import Via, by_person
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction, Status
from core.replies import Quiet, Reply, Saved
from core.telling import saved_sentence
from core.use_cases.answer import Answering, Done, answer_in, expire_in
from core.use_cases.arrivals import Press
from core.use_cases.drafting import keep, own_draft, stop_answering
from core.use_cases.meaning import deciding_act
from core.use_cases.opening import open_form
from core.use_cases.picking import picked_field
from core.use_cases.recording import owe
from core.use_cases.stepping import choose, go_to, is_stepped

ALREADY = "It is saved already; you do not need to press again."
PASSED_ON = "Your words were passed on. The question stays open."
TOOK_ITS_PLACE = "Your words were passed on and took the place of this question."


async def act_on_control(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
    candidate: Candidate,
) -> Reply:
    """Do what the pressed control stands for. Raises a `Refused` when nothing may change."""
    control = arrival.control
    now = context.clock.now()
    if _settled_by(interaction, control, candidate, prompts=arrival.prompts):
        return _saved_before(interaction)
    chooses = control.action is Action.ANSWER and arrival.prompts and is_stepped(interaction.content.payload)
    if control.action in DECIDES and not chooses:
        act = await deciding_act(work, context, interaction, arrival, candidate)
        reply = await decide_as(work, context, interaction, publications, act, candidate, arrival.via, arrival.key)
        if isinstance(act, Judge) and arrival.prompts:
            await show_next_item(work, interaction, _pressed(publications, arrival), control.option)
        return reply
    if not interaction.is_pending:
        raise too_late(interaction)
    if interaction.is_due(now):
        raise too_late(await expire_in(work, context, interaction, publications))
    if chooses:
        return await choose(work, context, interaction, publications, arrival.conversation, control, candidate)
    return await _prepare(work, context, interaction, publications, arrival, candidate)


def _settled_by(interaction: Interaction, control: Control, candidate: Candidate, *, prompts: bool) -> bool:
    """Whether a control that does not say what was decided is pressed again by whoever settled the card with it: the
    one that asks for a reason, or the Submit of a draft, which is gone since then."""
    outcome = interaction.outcome
    if outcome is None or not outcome.by.is_same(by_person(candidate.person, candidate.identity)):
        return False
    if control.action is Action.REASON:
        return outcome.status is Status.REJECTED
    return prompts and control.action is Action.SUBMIT and outcome.status in _SUBMITTED


_SUBMITTED = frozenset({Status.ANSWERED, Status.ACCEPTED, Status.COMPLETED})


def _saved_before(interaction: Interaction) -> Saved:
    """What someone is told who does the same once more."""
    sentence = saved_sentence(interaction)
    return Saved(f"{sentence}{'' if sentence.endswith(('.', '!', '?', '…')) else '.'} {ALREADY}", unseen=True)


async def _prepare(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
    candidate: Candidate,
) -> Reply:
    """What leads to a decision and is none itself."""
    control, scope = arrival.control, arrival.conversation
    match control.action:
        case Action.SEARCH if control.option == 1:
            draft = await own_draft(work, interaction, scope, candidate, context.clock.now())
            await _turn_page(work, context, interaction, publications, arrival, 0)
            await keep(work, context, interaction, publications, draft, search="")
        case Action.PAGE:
            await _turn_page(work, context, interaction, publications, arrival, control.option)
        case Action.TOGGLE:
            await _toggle(work, context, interaction, publications, arrival, candidate)
        case Action.STEP:
            return await go_to(work, context, interaction, publications, scope, control, candidate)
        case Action.CLEAR:
            await own_draft(work, interaction, scope, candidate, context.clock.now())  # another's is not ours to clear
            await stop_answering(work, context, interaction, publications, scope, forget=True)
        case _ if control.action in OPENS_FORM:
            return await open_form(work, context, interaction, publications, arrival, candidate)
        case _:
            pass
    return Quiet()


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
            return _saved_before(result.interaction)
        return Saved(saved_sentence(result.interaction))
    if isinstance(result, Invalid):
        given = act.verdicts if isinstance(act, Judge) else ()
        return name_fields(interaction.content.payload, result.faults, given)
    raise result


def _pressed(publications: Sequence[Publication], arrival: Press) -> list[Publication]:
    return [one for one in publications if (one.channel, one.message) == (arrival.channel, arrival.message)]


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


async def _turn_page(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
    page: int,
) -> None:
    for publication in _pressed(publications, arrival):
        await work.save_publication(publication.model_copy(update={"page": page}))
        task = RedrawCard(publication=publication.id, where=publication.conversation)
        await owe(work, context, interaction.workspace, Lane.REDRAW, publication.id, task, context.clock.now())


async def _toggle(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
    candidate: Candidate,
) -> None:
    """Tick or untick in the draft. In a group the first toggler holds the form; others are told who that is."""
    name, value = picked_field(interaction, arrival.control)
    draft = await own_draft(work, interaction, arrival.conversation, candidate, context.clock.now())
    kept = draft.fields.get(name, ())
    ticked = kept if isinstance(kept, tuple) else (kept,)
    payload = interaction.content.payload
    if isinstance(payload, SuggestedTasks) and name == TASKS:
        ticked = toggled(payload, ticked, value)
    else:
        ticked = tuple(one for one in ticked if one != value) if value in ticked else (*ticked, value)
    await keep(work, context, interaction, publications, draft, fields={**draft.fields, name: ticked})
