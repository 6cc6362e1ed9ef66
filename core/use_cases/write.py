"""Words: a submitted form, or a message that replies to a card or to a prompt of ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.acts import Comment
from core.addresses import ChatAddress, Provider
from core.audience import Candidate
from core.controls import Action, Control
from core.drafts import Draft, Prompt
from core.errors import Fault, Forged, IdentityUndetermined, Invalid, NotAnAnswerer, Refused, Settled
from core.fields import Fields
from core.forms import custom_name, field_name, initial_ticks
from core.interactions import too_late
from core.kinds import AnyPayload, Questions
from core.kinds.questions import ChoiceQuestion, ChoicesQuestion, DateQuestion, NumberQuestion, TextQuestion
from core.people import Identity, Membership, Standing, Via
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.replies import Quiet, Reply, Told, Wrong
from core.use_cases.answer import admit, expire_in
from core.use_cases.form import act_from_fields, decide_as, picked_fields
from core.use_cases.people import recognise
from core.use_cases.press import UNKNOWN, check_picked, check_seen, late_words, once
from core.use_cases.recording import redraw_all

LONGEST_REPLY = 4_096
"""A Telegram message of this length may be one of several that the client cut, so it never answers."""
TOO_LONG = "This is too long to be answered here. Please use the full form of the question. Nothing has changed."
NOT_OWN = "Forwarded messages, and those that another bot made, answer nothing. Please reply in your own words."
NOT_FOR_YOU = "This prompt waits for someone else's words, so yours were not counted."
ONLY_TEXT = "I can read only text here. Please reply in words, without anything attached. Nothing has changed."
HINT = "To answer a question, reply to its message (or to my prompt) so that I know which one you mean."
TICKED = "Noted. Press Submit on the card when you are done."


@dataclass(frozen=True)
class Words:
    """What was written. `control` came with a form, and `picked` the options chosen in it; `membership` says whether
    the sender is in the conversation that the form was opened from. A message has `reply_to` instead, and proves that
    itself; `own`: its sender wrote it; `attached`: it is a photo, a recording or the like, and has no text."""

    key: str
    raw: str
    workspace: str
    provider: Provider
    account: str
    identity: Identity
    standing: Standing
    channel: str | None
    private: bool
    membership: Membership = Membership.UNDETERMINED
    control: Control | None = None
    fields: Fields | None = None
    picked: tuple[Control, ...] = ()
    reply_to: str | None = None
    own: bool = True
    attached: bool = False
    text: str = ""

    @property
    def via(self) -> Via:
        """The surface."""
        return Via(self.provider.value)


async def submit(context: Context, words: Words) -> Reply:
    """A form that only its person had, opened from a copy of the card."""

    async def inner(work: Work) -> Reply:
        control = words.control
        if control is None:
            raise Forged("This form names no card.")
        return await _take(work, context, words, control, words.fields or {}, None)

    return await once(context, words.key, words.provider, words.raw, inner)


async def write(context: Context, words: Words) -> Reply:
    """A message. It answers only as a reply to a card or a prompt; anything else in private gets a hint."""

    async def inner(work: Work) -> Reply:
        if words.channel is None or words.reply_to is None:
            return Told(HINT) if words.private else Quiet()
        at = (words.provider.value, words.account, words.channel, words.reply_to)
        prompt = await work.prompt_at(*at)
        if prompt is None:
            prompt = await _card_prompt(work, *at)
        if prompt is None:
            return Told(HINT) if words.private else Quiet()
        if not words.own:
            return Told(NOT_OWN)
        if words.attached:
            return Told(ONLY_TEXT)
        if len(words.text) >= LONGEST_REPLY:
            return Told(TOO_LONG)
        interaction = await work.interaction(words.workspace, prompt.interaction)
        if interaction is None:
            return Told(UNKNOWN)
        control = Control(
            interaction=prompt.interaction,
            publication=prompt.publication,
            revision=prompt.revision,
            seen=interaction.content.seen() if prompt.revision == interaction.revision else "00000000",
            action=prompt.action,
            question=prompt.question,
        )
        return await _take(work, context, words, control, _fields(control, words.text), prompt)

    return await once(context, words.key, words.provider, words.raw, inner)


async def _card_prompt(work: Work, provider: str, account: str, channel: str, message: str) -> Prompt | None:
    """A reply to the card itself answers a question that takes words; to any other card it is a comment."""
    publication = await work.publication_at(provider, account, channel, message)
    if publication is None:
        return None
    interaction = await work.interaction(publication.workspace, publication.interaction)
    if interaction is None:
        return None
    return Prompt(
        provider=provider,
        account=account,
        channel=channel,
        message=message,
        workspace=publication.workspace,
        interaction=interaction.id,
        publication=publication.number,
        revision=publication.shown_revision or interaction.revision,
        action=_taken_as(interaction.content.payload),
    )


def _taken_as(payload: AnyPayload) -> Action:
    """What words are that somebody sends in reply to a card."""
    match payload:
        case Questions(questions=(TextQuestion() | NumberQuestion() | DateQuestion(),)):
            return Action.WRITE
        case Questions(questions=(ChoiceQuestion(custom=True) | ChoicesQuestion(custom=True),)):
            return Action.OTHER
        case _:
            return Action.COMMENT


def _fields(control: Control, text: str) -> Fields:
    if control.action is Action.COMMENT:
        return {"comment": text}
    if control.action is Action.REASON:
        return {"reason": text}
    name = custom_name(control.question) if control.action is Action.OTHER else field_name(control.question)
    return {name: text}


async def _take(
    work: Work, context: Context, words: Words, control: Control, fields: Fields, prompt: Prompt | None
) -> Reply:
    interaction = await work.interaction(words.workspace, control.interaction)
    if interaction is None:
        return Told(UNKNOWN)
    publications = await work.publications(interaction.id)
    try:
        candidate = await _candidate(work, context, words, control, publications)
        if prompt is not None and prompt.person not in (None, candidate.person.id):
            raise NotAnAnswerer(NOT_FOR_YOU)
        admit(interaction, publications, candidate)
        check_seen(interaction, control)
        if prompt is not None and _adds_to_draft(interaction, control):
            await _add_own_words(work, context, interaction, publications, words, candidate, control)
            return Told(TICKED)
        check_picked(control, words.picked)
        act = act_from_fields(interaction, control, {**fields, **picked_fields(interaction, words.picked)})
        if isinstance(act, Comment) and not act.text.strip():
            raise Invalid.at("/text", "write at least one character")
        return await decide_as(work, context, interaction, publications, act, candidate, words.via, words.key)
    except Settled as late:
        if late.outcome is None and interaction.is_pending:
            await redraw_all(work, context, interaction, publications, context.clock.now())
        return Told(late_words(interaction, late))
    except IdentityUndetermined as unsure:
        # They may be among those asked after all, so a form stays open with what was typed.
        return Told(str(unsure)) if words.control is None else Wrong((Fault("", str(unsure)),), ("",))
    except Refused as refused:
        return Told(str(refused))


async def _candidate(
    work: Work, context: Context, words: Words, control: Control, publications: Sequence[Publication]
) -> Candidate:
    person = await recognise(work, context, words.workspace, words.identity, words.standing)
    memberships: dict[str, Membership] = {}
    if words.reply_to is not None and words.channel is not None:
        memberships[str(ChatAddress(words.provider, words.account, words.channel))] = Membership.YES
    else:
        copy = next((one for one in publications if one.number == control.publication), None)
        if copy is not None and copy.provider is words.provider:
            memberships[copy.conversation] = words.membership
    return Candidate(person=person, identity=words.identity, standing=words.standing, memberships=memberships)


def _adds_to_draft(interaction: Interaction, control: Control) -> bool:
    payload = interaction.content.payload
    return (
        control.action is Action.OTHER
        and isinstance(payload, Questions)
        and control.question < len(payload.questions)
        and isinstance(payload.questions[control.question], ChoicesQuestion)
    )


async def _add_own_words(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    words: Words,
    candidate: Candidate,
    control: Control,
) -> None:
    """Own words beside ticks wait in the draft for Submit."""
    if not interaction.is_pending:
        raise too_late(interaction)
    now = context.clock.now()
    if interaction.is_due(now):
        raise too_late(await expire_in(work, context, interaction, publications))
    scope = str(ChatAddress(words.provider, words.account, words.channel or ""))
    draft = await work.draft(interaction.id, scope)
    payload = interaction.content.payload
    kept = initial_ticks(payload, control.question) if isinstance(payload, Questions) else {}
    if draft is not None and draft.revision == interaction.revision:
        if draft.person == candidate.person.id:
            kept = dict(draft.fields)
        elif draft.is_held(now):
            raise NotAnAnswerer(f"{draft.name} is filling this in just now. Nothing has changed.")
    await work.save_draft(
        Draft(
            interaction=interaction.id,
            scope=scope,
            person=candidate.person.id,
            name=candidate.person.name,
            revision=interaction.revision,
            fields={**kept, **_fields(control, words.text)},
            updated_at=now,
        )
    )
    await redraw_all(work, context, interaction, publications, now)
