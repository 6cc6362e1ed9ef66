"""Which card a message is about, and what its words are taken as."""

from __future__ import annotations

from core.addresses import Provider
from core.controls import Action, Control
from core.drafts import Draft, Prompt
from core.fields import Fields
from core.forms import custom_name, field_name
from core.kinds import AnyPayload, Questions
from core.kinds.questions import ChoiceQuestion, ChoicesQuestion
from core.ports import Work
from core.publications import Publication, Surface
from core.records import Interaction
from core.use_cases.prompting import takes_words


async def aim_of(work: Work, provider: Provider, account: str, channel: str, reply_to: str) -> Prompt | None:
    """The prompt that a message replies to; a reply to a card, to a reminder of it, or in its thread is as
    good as one for everybody."""
    at = (provider.value, account, channel, reply_to)
    prompt = await work.prompt_at(*at)
    if prompt is not None:
        return prompt
    copy = await work.publication_at(*at) or await work.copy_reminded_of(*at)
    if copy is None and provider is Provider.SLACK:
        inside = await work.open_copies_in_thread(*at)
        # With two cards open in one thread, nobody can tell which of them is meant.
        copy = inside[0] if len(inside) == 1 else None
    if copy is None:
        return None
    interaction = await work.interaction(copy.workspace, copy.interaction)
    if interaction is None:
        return None
    draft = await work.draft(interaction.id, copy.conversation)
    return _prompt_on(interaction, copy, reply_to, draft)


def _prompt_on(interaction: Interaction, copy: Publication, reply_to: str, draft: Draft | None) -> Prompt:
    payload = interaction.content.payload
    prompt = Prompt(
        provider=copy.provider.value,
        account=copy.account,
        channel=copy.channel or copy.place,
        message=reply_to,
        workspace=copy.workspace,
        interaction=interaction.id,
        publication=copy.number,
        revision=copy.shown_revision or interaction.revision,
        # What was not shown whole is answered where it is: here, words reach whoever asked.
        action=Action.COMMENT if copy.surface is Surface.REVIEW else _taken_as(payload),
    )
    step = draft.step if draft is not None and draft.revision == interaction.revision else None
    if draft is None or step is None or not isinstance(payload, Questions) or step >= len(payload.questions):
        return prompt
    if not takes_words(payload.questions[step]):
        return prompt
    return prompt.model_copy(update={"action": Action.WRITE, "question": step, "person": draft.person})


def _taken_as(payload: AnyPayload) -> Action:
    """What words are that somebody sends in reply to a card."""
    if isinstance(payload, Questions) and len(payload.questions) == 1:
        question = payload.questions[0]
        if takes_words(question):
            return Action.WRITE
        if isinstance(question, ChoiceQuestion | ChoicesQuestion) and question.custom:
            return Action.OTHER
    return Action.COMMENT


def in_thread(prompt: Prompt) -> Prompt:
    """Among people who talk, only what was asked to be written is an answer; own words instead of an option are not."""
    return prompt if prompt.action is Action.WRITE else prompt.model_copy(update={"action": Action.COMMENT})


def control_of(prompt: Prompt, interaction: Interaction) -> Control:
    """The control that the reply to a prompt stands for."""
    same = prompt.revision == interaction.revision
    return Control(
        interaction=prompt.interaction,
        publication=prompt.publication,
        revision=prompt.revision,
        seen=interaction.content.seen() if same else "00000000",
        action=prompt.action,
        question=prompt.question,
        option=prompt.option,
    )


def fields_of(control: Control, text: str) -> Fields:
    """Words as the form field that they fill in."""
    match control.action:
        case Action.COMMENT:
            return {"comment": text}
        case Action.PUT_OFF:
            return {"until": text}
        case Action.DELEGATE:
            return {"to": text}
        case Action.REASON | Action.JUDGE:
            return {"reason": text}
        case Action.OTHER:
            return {custom_name(control.question): text}
        case _:
            return {field_name(control.question): text}
