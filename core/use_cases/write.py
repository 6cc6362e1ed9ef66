"""Words: a submitted form, or a message that replies to a card or to a prompt of ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.acts import Comment, Judge
from core.addresses import ChatAddress, Provider
from core.audience import Candidate
from core.controls import ASIDE, Action, Control
from core.drafts import Prompt
from core.errors import Fault, Forged, IdentityUndetermined, Invalid, NotAnAnswerer, Refused, Settled
from core.fields import Fields
from core.form_faults import name_fields
from core.interactions import too_late
from core.people import Identity, Membership, Standing, Via
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.replies import Quiet, Reply, Saved, Told, Wrong
from core.use_cases.aim import aim_of, control_of, fields_of, in_thread, spell_message
from core.use_cases.answer import admit, expire_in
from core.use_cases.drafting import note_answering, stop_answering
from core.use_cases.form import decide_as, show_next_item
from core.use_cases.meaning import act_from_fields
from core.use_cases.people import recognise
from core.use_cases.picking import picked_fields
from core.use_cases.press import UNKNOWN, check_picked, check_seen, late_words, once
from core.use_cases.recording import redraw_all
from core.use_cases.stepping import fills_draft, search, take_words
from core.use_cases.transact import transact

LONGEST_REPLY = 4_096
"""A Telegram message of this length may be one of several that the client cut, so it never answers."""
TOO_LONG = "This is too long to be answered here. Please use the full form of the question. Nothing has changed."
NOT_OWN = "Forwarded messages, and those that another bot made, answer nothing. Please reply in your own words."
NOT_FOR_YOU = "This prompt waits for someone else's words, so yours were not counted."
ONLY_TEXT = "I can read only text here. Please reply in words, without anything attached. Nothing has changed."
HINT = "To answer a question, reply to its message (or to my prompt) so that I know which one you mean."
BESIDE = "To answer the question in this thread, press a button on its card; Reply in words… reaches whoever asked."


@dataclass(frozen=True)
class Words:
    """What was written. `control` came with a form, and `picked` the options chosen in it; `membership` says whether
    the sender is in the conversation that the form was opened from. A message has `reply_to` instead, and proves that
    itself; `own`: its sender wrote it; `attached`: it is a photo, a recording or the like, and has no text;
    `message` is its own id."""

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
    message: str | None = None

    @property
    def in_thread(self) -> bool:
        """Whether people may be talking among themselves where this was written."""
        return self.provider is Provider.SLACK and self.reply_to is not None

    @property
    def spelled_message(self) -> str | None:
        """Where the message is, for those who quote it."""
        if self.channel is None or self.message is None:
            return None
        return spell_message(self.provider, self.account, self.channel, self.message)

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
        prompt = await aim_of(work, words.provider, words.account, words.channel, words.reply_to)
        interaction = await work.interaction(words.workspace, prompt.interaction) if prompt is not None else None
        if words.in_thread:
            return await _write_in_thread(work, context, words, prompt, interaction)
        if prompt is None:
            return Told(HINT) if words.private else Quiet()
        if interaction is None:
            return Told(UNKNOWN)
        unfit = _unfit(words)
        if unfit is not None:
            return Told(unfit)
        control = control_of(prompt, interaction)
        return await _take(work, context, words, control, fields_of(control, words.text), prompt)

    return await once(context, words.key, words.provider, words.raw, inner)


def _unfit(words: Words) -> str | None:
    """Why a message is nobody's answer, whoever sent it."""
    if not words.own:
        return NOT_OWN
    if words.attached:
        return ONLY_TEXT
    return TOO_LONG if len(words.text) >= LONGEST_REPLY else None


async def _write_in_thread(
    work: Work, context: Context, words: Words, prompt: Prompt | None, interaction: Interaction | None
) -> Reply:
    """People may talk under a card. What answers its question is taken; words that the asker is to hear are passed on;
    whoever may answer is told once how, and nobody is told that they may not."""
    if prompt is None or interaction is None or not interaction.is_pending or not words.own:
        return Quiet()
    publications = await work.publications(interaction.id)
    control = control_of(in_thread(prompt), interaction)
    try:
        candidate = await _candidate(work, context, words, control, publications)
        admit(interaction, publications, candidate)
    except Refused:
        return Quiet()
    unfit = _unfit(words)
    own = next((one for one in publications if one.number == control.publication), None)
    is_its_thread = own is not None and own.message == words.reply_to
    if unfit is not None:
        reply: Reply = Told(unfit)
    elif control.action is Action.COMMENT and not is_its_thread and not _hears_comments(interaction):
        reply = Told(BESIDE)
    else:
        reply = await _take(work, context, words, control, fields_of(control, words.text), in_thread(prompt))
    told = isinstance(reply, Told | Wrong) or (isinstance(reply, Saved) and reply.unseen)
    if told and not await _first_hint(work, context, interaction, candidate, words.provider):
        return Quiet()
    return reply


def _hears_comments(interaction: Interaction) -> bool:
    return interaction.policy.resolve_from_comment or interaction.policy.supersede_on_comment


async def _first_hint(
    work: Work, context: Context, interaction: Interaction, candidate: Candidate, provider: Provider
) -> bool:
    """Whether this person was not told yet how this card is answered."""
    key, now = f"hint {interaction.id} {candidate.person.id}", context.clock.now()
    if not await work.first_seen(key, provider.value, "", now):
        return False
    await work.arrival_done(key, None, now)
    return True


async def close_form(context: Context, workspace: str, control: Control, identity: Identity) -> None:
    """A person closed a form of their own: nobody is shown any more that they are answering."""

    async def inner(work: Work) -> None:
        interaction = await work.interaction(workspace, control.interaction)
        if interaction is not None:
            publications = await work.publications(interaction.id)
            await stop_answering(work, context, interaction, publications, str(identity), forget=False)

    await transact(context, inner)


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
        if prompt is not None and fills_draft(interaction, control):
            return await _fill_draft(work, context, interaction, publications, words, candidate, control, fields)
        check_picked(control, words.picked)
        filled = {**fields, **picked_fields(interaction, words.picked)}
        act = act_from_fields(interaction, control, filled)
        if isinstance(act, Comment):
            act = replace(act, message=words.spelled_message)
            if not act.text.strip():
                raise Invalid.at("/text", "write at least one character")
        reply = await decide_as(work, context, interaction, publications, act, candidate, words.via, words.key)
        if isinstance(act, Judge) and prompt is not None:
            own = [one for one in publications if one.number == control.publication]
            await show_next_item(work, interaction, own, control.option)
        return await _note_form(work, context, interaction, publications, words, control, candidate, filled, reply)
    except Settled as late:
        if late.outcome is None and interaction.is_pending:
            await redraw_all(work, context, interaction, publications, context.clock.now())
        return Told(late_words(interaction, late))
    except Invalid as invalid:
        return Told(str(invalid)) if words.control is None else name_fields(interaction.content.payload, invalid.faults)
    except IdentityUndetermined as unsure:
        # They may be among those asked after all, so a form stays open with what was typed.
        return Told(str(unsure)) if words.control is None else Wrong((Fault("", str(unsure)),), ("",))
    except Refused as refused:
        return Told(str(refused))


_ONE_FIELD = {Action.COMMENT: "comment", Action.JUDGE: "reason"}


async def _note_form(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    words: Words,
    control: Control,
    candidate: Candidate,
    filled: Fields,
    reply: Reply,
) -> Reply:
    """A form that was taken is closed; what did not pass is kept for its person, and they are still answering."""
    after = await work.interaction(interaction.workspace, interaction.id)
    if after is None or not after.is_pending or candidate.identity is None:
        return reply
    if isinstance(reply, Saved) and control.action not in ASIDE:
        await stop_answering(work, context, after, publications, str(candidate.identity), forget=True)
    if not isinstance(reply, Wrong):
        return reply
    if control.action in _ONE_FIELD:
        # Words meant as the reason of a reject were written into the field of a comment, and that of a verdict stands
        # alone in its form.
        return Wrong(reply.faults, tuple(_ONE_FIELD[control.action] for _ in reply.fields))
    if words.control is not None:
        await note_answering(work, context, after, publications, candidate, filled)
    return reply


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


async def _fill_draft(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    words: Words,
    candidate: Candidate,
    control: Control,
    fields: Fields,
) -> Reply:
    if not interaction.is_pending:
        raise too_late(interaction)
    if interaction.is_due(context.clock.now()):
        raise too_late(await expire_in(work, context, interaction, publications))
    scope = str(ChatAddress(words.provider, words.account, words.channel or ""))
    if control.action is Action.SEARCH:
        return await search(work, context, interaction, publications, scope, control, words.text, candidate)
    return await take_words(work, context, interaction, publications, scope, control, fields, candidate)
