"""What a control or a filled-in form means: the act that it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from core.acts import Accept, Comment, Judge, Reject, Respond, Tick
from core.audience import Candidate
from core.controls import Action, Control
from core.errors import Fault, Forged, Invalid
from core.fields import Fields
from core.forms import TASKS, field_name, initial_fields, read_answers
from core.kinds import (
    Checklist,
    Confirmation,
    ConnectionRequest,
    ItemVerdicts,
    Questions,
    SuggestedTasks,
)
from core.kinds.item_verdicts import Given
from core.kinds.questions import ChoicesQuestion
from core.ports import Context, Work
from core.records import Interaction
from core.use_cases.answer import Answering
from core.use_cases.arrivals import Press
from core.use_cases.drafting import kept_draft
from core.use_cases.picking import (
    NOT_HERE,
    item_of,
    option_value,
    picked_fields,
    question_of,
    verdict_of,
)
from core.use_cases.stepping import is_stepped

LAPSED = "What was filled in has lapsed. Choose again, then press Submit."
AS_REJECT = "reject"
"""The value of the field `as` that makes words the reason of a reject."""


async def deciding_act(
    work: Work, context: Context, interaction: Interaction, arrival: Press, candidate: Candidate
) -> Answering:
    """The act of a control that decides something. `Forged` when the card has no such control."""
    control, payload = arrival.control, interaction.content.payload
    match payload:
        case Questions():
            return await _respond(work, context, interaction, payload, arrival, candidate)
        case Confirmation() | ConnectionRequest() if control.action is Action.REJECT:
            return Reject(control.revision)
        case Confirmation() if control.action is Action.ACCEPT:
            return Accept(control.revision)
        case Checklist() if control.action is Action.SUBMIT:
            return Accept(control.revision)
        case Checklist() if control.action is Action.TICK:
            return Tick(control.revision, tick=(item_of(payload, control),))
        case Checklist() if control.action is Action.UNTICK:
            return Tick(control.revision, untick=(item_of(payload, control),))
        case ItemVerdicts() if control.action is Action.VERDICT:
            return Judge(control.revision, (Given(item_of(payload, control), verdict_of(payload, control)),))
        case SuggestedTasks() if control.action is Action.REJECT:
            return Reject(control.revision)
        case SuggestedTasks() if control.action is Action.SUBMIT:
            fields = await _filled_in(work, context, interaction, arrival, candidate, {TASKS: ()})
            chosen = fields.get(TASKS, ())
            return Accept(control.revision, selected=chosen if isinstance(chosen, tuple) else (chosen,))
        case Confirmation() | ConnectionRequest() | Checklist() | ItemVerdicts() | SuggestedTasks():
            raise Forged(NOT_HERE)
        case _:
            assert_never(payload)


async def _respond(
    work: Work, context: Context, interaction: Interaction, payload: Questions, arrival: Press, candidate: Candidate
) -> Respond:
    control = arrival.control
    if control.action is Action.SUBMIT and is_stepped(payload):
        filled = await _filled_in(work, context, interaction, arrival, candidate, {})
        return Respond(read_answers(payload, filled), control.revision)
    question, name = question_of(interaction, control), field_name(control.question)
    if control.action is Action.ANSWER:
        return Respond(read_answers(payload, {name: option_value(question, control.option)}), control.revision)
    if control.action is Action.SUBMIT and isinstance(question, ChoicesQuestion):
        filled = await _filled_in(work, context, interaction, arrival, candidate, {name: ()})
        return Respond(read_answers(payload, filled), control.revision)
    if control.action is Action.SUBMIT and not question.required:
        return Respond({}, control.revision)
    raise Forged(NOT_HERE)


async def _filled_in(
    work: Work,
    context: Context,
    interaction: Interaction,
    arrival: Press,
    candidate: Candidate,
    nothing: Mapping[str, tuple[str, ...]],
) -> Fields:
    """What is filled in when Submit is pressed: in the message itself, or in the stored draft."""
    if not arrival.prompts:
        return picked_fields(interaction, arrival.picked) or nothing
    draft = await kept_draft(work, interaction, arrival.conversation, candidate, context.clock.now())
    if draft is not None:
        return draft.fields
    if arrival.control.option and interaction.is_pending:
        # The card still shows ticks whose hold is over: they are nobody's any more.
        raise Invalid([Fault("", LAPSED)])
    return initial_fields(interaction.content.payload)


def act_from_fields(interaction: Interaction, control: Control, fields: Fields) -> Answering:
    """What a submitted form means, by the control that opened it."""
    payload = interaction.content.payload
    if control.action is Action.COMMENT:
        words = text_of(fields, "comment")
        takes_reason = isinstance(payload, Confirmation | SuggestedTasks | ConnectionRequest)
        if takes_reason and text_of(fields, "as") == AS_REJECT:
            return Reject(control.revision, words or None)
        return Comment(words)
    if control.action is Action.REASON:
        return Reject(control.revision, text_of(fields, "reason") or None)
    if control.action in (Action.WRITE, Action.OTHER, Action.FORM) and isinstance(payload, Questions):
        return Respond(read_answers(payload, fields), control.revision)
    if control.action is Action.JUDGE and isinstance(payload, ItemVerdicts):
        reason = text_of(fields, "reason") or None
        return Judge(control.revision, (Given(item_of(payload, control), verdict_of(payload, control), reason),))
    raise Forged("This form does not belong to this card.")


def text_of(fields: Fields, name: str) -> str:
    """One field's text."""
    value = fields.get(name, "")
    return value if isinstance(value, str) else "".join(value)
