"""A form filled in one question at a time, in a chat that has no modal: forwards, back, and a summary to submit."""

from __future__ import annotations

from collections.abc import Sequence

from core.audience import Candidate
from core.controls import Action, Control
from core.drafts import Draft
from core.errors import Invalid
from core.fields import Fields
from core.forms import custom_name, field_name, read_answer
from core.kinds import AnyPayload, Questions
from core.kinds.answers import own_words_fault, question_fault
from core.kinds.questions import ChoiceQuestion, ChoicesQuestion, Question
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.replies import Quiet, Reply, Told
from core.searching import LONGEST_SEARCH, matching
from core.use_cases.drafting import keep, own_draft
from core.use_cases.picking import NOT_HERE, picked_field, question_of
from core.use_cases.prompting import ask_words, takes_words

NOTHING_FOUND = "No option contains that, so all of them are shown."
TICKED = "Noted. Press Submit on the card when you are done."
NOTED = "Noted. The card shows what comes next."


def is_stepped(payload: AnyPayload) -> bool:
    """Whether a chat without modals asks this one question at a time."""
    return isinstance(payload, Questions) and len(payload.questions) > 1


def fills_draft(interaction: Interaction, control: Control) -> bool:
    """Whether the words that a control asks for wait in the draft for more, and for Submit."""
    if control.action is Action.SEARCH:
        return True
    if control.action not in (Action.WRITE, Action.OTHER):
        return False
    return is_stepped(interaction.content.payload) or isinstance(question_of(interaction, control), ChoicesQuestion)


def fault_at(payload: Questions, index: int, fields: Fields) -> str | None:
    """What is wrong with the answer to one question as it is filled in."""
    question = payload.questions[index]
    return question_fault(question, read_answer(question, index, fields))


async def go_to(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    scope: str,
    control: Control,
    candidate: Candidate,
) -> Reply:
    """Show question `control.question`, or the first one before it whose answer does not pass."""
    payload = interaction.content.payload
    if not isinstance(payload, Questions) or control.question > len(payload.questions):
        return Told(NOT_HERE)
    draft = await own_draft(work, interaction, scope, candidate, context.clock.now())
    fault = first_fault(payload, draft.fields, before=control.question)
    step = control.question if fault is None else fault[0]
    await show_step(work, context, interaction, publications, draft, step)
    await _ask_on(work, context, interaction, publications, control, candidate, step, draft.fields)
    return Quiet() if fault is None else Told(said_of(fault))


def first_fault(payload: Questions, fields: Fields, before: int) -> tuple[int, str] | None:
    """The first question before `before` whose answer does not pass, and why."""
    for index in range(before):
        fault = fault_at(payload, index, fields)
        if fault is not None:
            return index, fault
    return None


def said_of(fault: tuple[int, str]) -> str:
    """A fault in words for the person who fills the form in."""
    return f"Question {fault[0] + 1}: {fault[1]}."


async def show_step(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    draft: Draft,
    step: int | None,
    fields: Fields | None = None,
) -> None:
    """Move a form on: its first page of options is shown, and all of them."""
    for copy in publications:
        if copy.conversation == draft.scope and copy.page:
            await work.save_publication(copy.model_copy(update={"page": 0}))
    kept = dict(draft.fields if fields is None else fields)
    await keep(work, context, interaction, publications, draft, step=step, search="", fields=kept)


async def choose(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    scope: str,
    control: Control,
    candidate: Candidate,
) -> Reply:
    """Take an option of one question and go on to the next."""
    name, value = picked_field(interaction, control)
    draft = await own_draft(work, interaction, scope, candidate, context.clock.now())
    fields = {key: kept for key, kept in draft.fields.items() if key != custom_name(control.question)}
    fields[name] = value
    step = _step_after(interaction, control.question, fields)
    await show_step(work, context, interaction, publications, draft, step, fields)
    await _ask_on(work, context, interaction, publications, control, candidate, step, fields)
    return Quiet()


def _step_after(interaction: Interaction, question: int, fields: Fields) -> int:
    """The next question, or an earlier one that has to be answered again: a form may have lapsed in between."""
    payload = interaction.content.payload
    fault = first_fault(payload, fields, before=question) if isinstance(payload, Questions) else None
    return question + 1 if fault is None else fault[0]


async def _ask_on(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    control: Control,
    candidate: Candidate,
    step: int,
    fields: Fields,
) -> bool:
    """Ask at once for the words of a question that has none yet, which spares a press; whether it was asked."""
    payload = interaction.content.payload
    if not isinstance(payload, Questions) or step >= len(payload.questions):
        return False
    if not takes_words(payload.questions[step]) or fields.get(field_name(step)):
        return False
    await ask_words(work, context, interaction, publications, control, Action.WRITE, step, candidate)
    return True


async def take_words(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    scope: str,
    control: Control,
    words: Fields,
    candidate: Candidate,
) -> Reply:
    """Take written words for one question and go on; own words beside ticks wait there for more ticks.

    Raises `Invalid` when they do not pass.
    """
    payload, question = interaction.content.payload, question_of(interaction, control)
    draft = await own_draft(work, interaction, scope, candidate, context.clock.now())
    fields = {**draft.fields, **words}
    ticks = isinstance(question, ChoicesQuestion)
    if not ticks and custom_name(control.question) in words:
        fields.pop(field_name(control.question), None)
    fault = _words_fault(payload, control.question, question, fields)
    if fault is not None:
        raise Invalid.at("/text", fault)
    if not is_stepped(payload):
        await keep(work, context, interaction, publications, draft, fields=fields)
        return _noted(draft, TICKED)
    step = control.question if ticks else _step_after(interaction, control.question, fields)
    await show_step(work, context, interaction, publications, draft, step, fields)
    asked = await _ask_on(work, context, interaction, publications, control, candidate, step, fields)
    return Quiet() if asked else _noted(draft, NOTED)


def _noted(draft: Draft, words: str) -> Reply:
    """In a group the card alone says it: what was said beside it would stay there for everybody."""
    return Quiet() if draft.is_shared else Told(words)


def _words_fault(payload: AnyPayload, index: int, question: Question, fields: Fields) -> str | None:
    """What is wrong with written words. Of those beside ticks it is the words alone: more may be ticked yet."""
    if isinstance(question, ChoicesQuestion):
        own = fields.get(custom_name(index))
        return own_words_fault(question, own) if isinstance(own, str) else None
    return fault_at(payload, index, fields) if isinstance(payload, Questions) else None


async def search(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    scope: str,
    control: Control,
    text: str,
    candidate: Candidate,
) -> Reply:
    """Narrow the options that are shown to those that contain what was typed."""
    question = question_of(interaction, control)
    if not isinstance(question, ChoiceQuestion | ChoicesQuestion):
        return Told(NOT_HERE)
    draft = await own_draft(work, interaction, scope, candidate, context.clock.now())
    found = matching([option.label for option in question.options], text)
    await show_step(work, context, interaction, publications, draft, draft.step)
    if not found or not text.strip():
        return Told(NOTHING_FOUND)
    latest = await work.draft(interaction.id, scope)
    if latest is not None:
        await keep(work, context, interaction, publications, latest, search=text.strip()[:LONGEST_SEARCH])
    return Quiet()
