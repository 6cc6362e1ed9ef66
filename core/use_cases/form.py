"""What a control does once its presser is admitted: decide, ask for words, tick, turn a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.acts import Accept, Comment, Reject, Respond
from core.audience import Candidate
from core.controls import DECIDES, OPENS_FORM, Action, Control
from core.drafts import Draft
from core.errors import Fault, Forged, Invalid, NotAnAnswerer
from core.fields import Fields
from core.forms import NO, YES, field_name, initial_ticks, name_fields, read_answers
from core.interactions import too_late
from core.kinds import Confirmation, Questions
from core.kinds.questions import BooleanQuestion, ChoiceQuestion, ChoicesQuestion, Question
from core.outbox import AskWords, Lane, RedrawCard
from core.people import Via
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.replies import OpenForm, Quiet, Reply, Saved, Told, Wrong
from core.telling import saved_sentence
from core.use_cases.answer import Answering, Done, answer_in, expire_in
from core.use_cases.recording import owe, redraw_all

if TYPE_CHECKING:
    from core.use_cases.press import Press

WRITE_HERE = "Reply to my message with your words."
ALREADY = "It is saved already; you do not need to press again."


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
    if control.action not in DECIDES:
        if not interaction.is_pending:
            raise too_late(interaction)
        if interaction.is_due(now):
            raise too_late(await expire_in(work, context, interaction, publications))
    if control.action in OPENS_FORM:
        if arrival.prompts:
            await _ask_words(work, context, interaction, arrival, candidate)
            return Told(WRITE_HERE)
        return OpenForm(interaction, control, picked_fields(interaction, arrival.picked))
    if control.action is Action.PAGE:
        await _turn_page(work, context, interaction, publications, arrival)
        return Quiet()
    if control.action is Action.TOGGLE:
        return await _toggle(work, context, interaction, publications, arrival, candidate)
    act = await _deciding_act(work, context, interaction, arrival, candidate)
    return await decide_as(work, context, interaction, publications, act, candidate, arrival.via, arrival.key)


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
        if result.repeated:
            return Saved(f"{saved_sentence(result.interaction)} {ALREADY}", unseen=True)
        if isinstance(act, Comment):
            return Saved("Your words were passed on. The question stays open.", unseen=True)
        return Saved(saved_sentence(result.interaction))
    if isinstance(result, Invalid):
        return wrong(interaction, act, result)
    raise result


def wrong(interaction: Interaction, act: Answering, invalid: Invalid) -> Reply:
    """Say which field of the form each fault belongs to."""
    payload = interaction.content.payload
    if isinstance(act, Respond) and isinstance(payload, Questions):
        return name_fields(payload, invalid.faults)
    name = "reason" if isinstance(act, Reject) else "comment"
    return Wrong(invalid.faults, tuple(name for _ in invalid.faults))


def question_of(interaction: Interaction, control: Control) -> Question:
    """The question a control is about. `Forged` when there is none."""
    payload = interaction.content.payload
    if not isinstance(payload, Questions) or control.question >= len(payload.questions):
        raise Forged("This control does not belong to this card.")
    return payload.questions[control.question]


def option_value(question: Question, option: int) -> str:
    """The form value of an option by its index. `Forged` when there is none."""
    if isinstance(question, BooleanQuestion) and option in (0, 1):
        return (YES, NO)[option]
    if isinstance(question, ChoiceQuestion | ChoicesQuestion) and option < len(question.options):
        return question.options[option].id
    raise Forged("This control does not belong to this card.")


def act_from_fields(interaction: Interaction, control: Control, fields: Fields) -> Answering:
    """What a submitted form means, by the control that opened it."""
    payload = interaction.content.payload
    if control.action is Action.COMMENT:
        return Comment(text_of(fields, "comment"))
    if control.action is Action.REASON:
        return Reject(control.revision, text_of(fields, "reason") or None)
    if control.action in (Action.WRITE, Action.OTHER) and isinstance(payload, Questions):
        return Respond(read_answers(payload, fields), control.revision)
    raise Forged("This form does not belong to this card.")


def text_of(fields: Fields, name: str) -> str:
    """One field's text."""
    value = fields.get(name, "")
    return value if isinstance(value, str) else "".join(value)


async def _deciding_act(
    work: Work, context: Context, interaction: Interaction, arrival: Press, candidate: Candidate
) -> Answering:
    control, payload = arrival.control, interaction.content.payload
    if isinstance(payload, Confirmation):
        if control.action is Action.ACCEPT:
            return Accept(control.revision)
        if control.action is Action.REJECT:
            return Reject(control.revision)
        raise Forged("This control does not belong to this card.")
    question, name = question_of(interaction, control), field_name(control.question)
    if control.action is Action.ANSWER:
        fields: Fields = {name: option_value(question, control.option)}
    elif control.action is Action.SUBMIT and isinstance(question, ChoicesQuestion):
        fields = await _ticked(work, context, interaction, arrival, candidate)
    else:
        raise Forged("This control does not belong to this card.")
    return Respond(read_answers(payload, fields), control.revision)


async def _ticked(
    work: Work, context: Context, interaction: Interaction, arrival: Press, candidate: Candidate
) -> Fields:
    """What is ticked when Submit is pressed: in the message itself, or in the stored draft."""
    if not arrival.prompts:
        picked = picked_fields(interaction, arrival.picked)
        return picked or {field_name(arrival.control.question): ()}
    scope = arrival.conversation
    draft = await work.draft(interaction.id, scope)
    if draft is None or draft.revision != interaction.revision:
        return _untouched(interaction, arrival.control)
    if draft.person != candidate.person.id:
        if draft.is_held(context.clock.now()):
            raise NotAnAnswerer(f"{draft.name} is filling this in just now. Nothing has changed.")
        raise Invalid([Fault("", "What was ticked has lapsed. Tick what you choose, then press Submit.")])
    return draft.fields


def _untouched(interaction: Interaction, control: Control) -> dict[str, str | tuple[str, ...]]:
    """What a shared form holds before anybody ticks."""
    payload = interaction.content.payload
    return initial_ticks(payload, control.question) if isinstance(payload, Questions) else {}


def picked_fields(interaction: Interaction, picked: Sequence[Control]) -> Fields:
    """The options that were picked, as form fields. `Forged` when one is not of this card."""
    fields: dict[str, tuple[str, ...]] = {}
    for control in picked:
        name = field_name(control.question)
        value = option_value(question_of(interaction, control), control.option)
        fields[name] = (*fields.get(name, ()), value)
    return fields


async def _turn_page(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
) -> None:
    for publication in publications:
        if publication.channel == arrival.channel and publication.message == arrival.message:
            await work.save_publication(publication.model_copy(update={"page": arrival.control.option}))
            task = RedrawCard(publication=publication.id, where=publication.conversation)
            await owe(work, context, interaction.workspace, Lane.REDRAW, publication.id, task, context.clock.now())


async def _toggle(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
    candidate: Candidate,
) -> Reply:
    """Tick or untick in the draft. In a group the first toggler holds the form; others are told who that is."""
    now, name = context.clock.now(), field_name(arrival.control.question)
    value = option_value(question_of(interaction, arrival.control), arrival.control.option)
    draft = await work.draft(interaction.id, arrival.conversation)
    fields = _untouched(interaction, arrival.control)
    if draft is not None and draft.revision == interaction.revision:
        if draft.person == candidate.person.id:
            fields = dict(draft.fields)
        elif draft.is_held(now):
            return Told(f"{draft.name} is filling this in just now. Nothing has changed.")
    ticked = fields.get(name, ())
    ticked = ticked if isinstance(ticked, tuple) else (ticked,)
    fields[name] = tuple(one for one in ticked if one != value) if value in ticked else (*ticked, value)
    await work.save_draft(
        Draft(
            interaction=interaction.id,
            scope=arrival.conversation,
            person=candidate.person.id,
            name=candidate.person.name,
            revision=interaction.revision,
            fields=fields,
            updated_at=now,
        )
    )
    await redraw_all(work, context, interaction, [one for one in publications if one.channel == arrival.channel], now)
    return Quiet()


async def _ask_words(
    work: Work, context: Context, interaction: Interaction, arrival: Press, candidate: Candidate
) -> None:
    control = arrival.control
    prompt = AskWords(
        interaction=interaction.id,
        publication=control.publication,
        revision=control.revision,
        action=control.action,
        question=control.question,
        provider=arrival.provider.value,
        account=arrival.account,
        channel=arrival.channel,
        thread=arrival.thread,
        reply_to=arrival.message,
        person=candidate.person.id,
        user=arrival.identity.user,
        name=candidate.person.name,
    )
    await owe(work, context, interaction.workspace, Lane.TALK, arrival.conversation, prompt, context.clock.now())
