"""What a control does once its presser is admitted: decide, ask for words, tick, turn a page, fill in."""

from __future__ import annotations

from collections.abc import Sequence

from core.acts import Judge
from core.audience import Candidate
from core.controls import ANSWERS, DECIDES, OPENS_FORM, Action, Control
from core.forms import TASKS
from core.interactions import too_late
from core.kinds import SuggestedTasks
from core.kinds.suggested_tasks import toggled
from core.people import by_person
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction, Status
from core.replies import Quiet, Reply
from core.signed_in import check_signed_in
from core.use_cases.answer import expire_in
from core.use_cases.arrivals import Press
from core.use_cases.deciding import decide_as, saved_before
from core.use_cases.drafting import keep, own_draft, stop_answering
from core.use_cases.meaning import deciding_act
from core.use_cases.opening import open_form
from core.use_cases.picking import picked_field
from core.use_cases.stepping import choose, go_to, is_stepped
from core.use_cases.timing import IN_WORDS, TIMED, Acting, press_timed
from core.use_cases.touching import touch_boxes
from core.use_cases.turning import pressed_copy, show_next_item, turn_page


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
        return saved_before(interaction)
    if control.action is Action.TICKS:
        return await touch_boxes(work, context, interaction, publications, arrival, candidate)
    chooses = control.action is Action.ANSWER and arrival.prompts and is_stepped(interaction.content.payload)
    if control.action in DECIDES and not chooses:
        act = await deciding_act(work, context, interaction, arrival, candidate)
        reply = await decide_as(work, context, interaction, publications, act, candidate, arrival.via, arrival.key)
        if isinstance(act, Judge) and arrival.prompts:
            await show_next_item(work, interaction, pressed_copy(publications, arrival), control.option)
        return reply
    if not interaction.is_pending:
        raise too_late(interaction)
    if interaction.is_due(now):
        raise too_late(await expire_in(work, context, interaction, publications))
    if control.action in TIMED - IN_WORDS:
        acting = Acting(interaction, publications, candidate, arrival.via, arrival.key)
        return await press_timed(work, context, acting, control, arrival.message)
    if control.action in ANSWERS:
        check_signed_in(interaction.policy, candidate.signed_in_at, now)
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
            await turn_page(work, context, interaction, pressed_copy(publications, arrival), 0)
            await keep(work, context, interaction, publications, draft, search="")
        case Action.PAGE:
            await turn_page(work, context, interaction, pressed_copy(publications, arrival), control.option)
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
