"""Messages: a reply to a card or to a prompt of ours, and what people say in a card's thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.acts import Comment, Judge
from core.addresses import Provider
from core.audience import Candidate
from core.controls import ASIDE, Action, Control
from core.drafts import Prompt
from core.errors import Invalid, NotAnAnswerer, Refused, Settled
from core.interactions import too_late
from core.people import Membership
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.replies import Quiet, Reply, Saved, Told, Wrong
from core.use_cases.aim import aim_of, control_of, fields_of, in_thread
from core.use_cases.answer import admit, expire_in
from core.use_cases.arrivals import Message
from core.use_cases.checking import check_seen, tell_late, tell_unknown
from core.use_cases.deciding import decide_as
from core.use_cases.drafting import stop_answering
from core.use_cases.meaning import act_from_fields
from core.use_cases.once import once
from core.use_cases.people import recognise
from core.use_cases.prompting import ask_words
from core.use_cases.stepping import fills_draft, search, take_words
from core.use_cases.timing import IN_WORDS, Acting, take_timed
from core.use_cases.turning import show_next_item

LONGEST_REPLY = 4_096
"""A Telegram message of this length may be one of several that the client cut, so it never answers."""
TOO_LONG = "This is too long to be answered here. Please use the full form of the question. Nothing has changed."
NOT_OWN = "Forwarded messages, and those that another bot made, answer nothing. Please reply in your own words."
NOT_FOR_YOU = "This prompt waits for someone else's words, so yours were not counted."
ONLY_TEXT = "I can read only text here. Please reply in words, without anything attached. Nothing has changed."
HINT = "To answer a question, reply to its message (or to my prompt) so that I know which one you mean."
FOR_NOTHING = (
    "That message of mine waits for no words, so yours reached nobody. Reply to the card, or press its button."
)
BESIDE = "To answer the question in this thread, press a button on its card; Reply in words… reaches whoever asked."


async def write(context: Context, message: Message) -> Reply:
    """Handle one message; never raises a `Refused`. It answers only as a reply to a card or a prompt; anything else in
    private gets a hint."""

    async def inner(work: Work) -> Reply:
        return await write_in(work, context, message)

    return await once(context, message.key, message.provider, inner)


async def write_in(work: Work, context: Context, message: Message) -> Reply:
    """The same inside a transaction."""
    beside = Told(HINT) if message.private else Quiet()
    if message.reply_to is None:
        return beside
    prompt = await aim_of(work, message.provider, message.account, message.channel, message.reply_to)
    interaction = await work.interaction(message.workspace, prompt.interaction) if prompt is not None else None
    if prompt is None and message.private:
        return beside
    if message.in_thread:
        return await _write_in_thread(work, context, message, prompt, interaction)
    if prompt is None:
        return await _for_nothing(work, context, message)
    if interaction is None:
        return await tell_unknown(work, prompt.interaction)
    unfit = _unfit(message)
    if unfit is not None and prompt.person is None:
        return Told(unfit)
    return await _take(work, context, message, interaction, prompt, unfit)


async def _for_nothing(work: Work, context: Context, message: Message) -> Reply:
    """Nobody's words to a message of ours are lost in silence: a prompt may have arrived without our knowing. They are
    told once, as people may talk about what we said."""
    key = f"hint {message.conversation} {message.identity}"
    if message.to_us and await _first_time(work, context, message, key):
        return Told(FOR_NOTHING)
    return Quiet()


def _unfit(message: Message) -> str | None:
    """Why a message is nobody's answer, whoever sent it."""
    if not message.own:
        return NOT_OWN
    if message.attached:
        return ONLY_TEXT
    return TOO_LONG if len(message.text) >= LONGEST_REPLY else None


async def _write_in_thread(
    work: Work, context: Context, message: Message, prompt: Prompt | None, interaction: Interaction | None
) -> Reply:
    """People may talk under a card. What answers its question is taken; words that the asker is to hear are passed on;
    whoever may answer is told once how, and nobody is told that they may not."""
    if prompt is None or interaction is None or not interaction.is_pending or not message.own:
        return Quiet()
    aimed = in_thread(prompt)
    publications = await work.publications(interaction.id)
    try:
        candidate = await _candidate(work, context, message)
        admit(interaction, publications, candidate)
    except Refused:
        return Quiet()
    unfit = _unfit(message)
    own = next((one for one in publications if one.number == aimed.publication), None)
    is_its_thread = own is not None and own.message == message.reply_to
    if unfit is not None:
        reply: Reply = Told(unfit)
    elif aimed.action is Action.COMMENT and not is_its_thread and not _hears_comments(interaction):
        reply = Told(BESIDE)
    else:
        reply = await _take(work, context, message, interaction, aimed)
    told = isinstance(reply, Told | Wrong) or (isinstance(reply, Saved) and reply.unseen)
    hint = f"hint {interaction.id} {candidate.person.id}"
    return Quiet() if told and not await _first_time(work, context, message, hint) else reply


def _hears_comments(interaction: Interaction) -> bool:
    return interaction.policy.resolve_from_comment or interaction.policy.supersede_on_comment


async def _first_time(work: Work, context: Context, message: Message, key: str) -> bool:
    """Whether a hint, which `key` names with whom it is for, was not given yet."""
    now = context.clock.now()
    if not await work.first_seen(key, message.provider.value, "", now):
        return False
    await work.arrival_done(key, None, now)
    return True


async def _take(
    work: Work,
    context: Context,
    message: Message,
    interaction: Interaction,
    prompt: Prompt,
    unfit: str | None = None,
) -> Reply:
    """Take words as what the prompt asks for, or say why they are not. `unfit`: why they are nobody's answer."""
    control = control_of(prompt, interaction)
    publications = await work.publications(interaction.id)
    try:
        candidate = await _candidate(work, context, message)
        if prompt.person not in (None, candidate.person.id):
            raise NotAnAnswerer(NOT_FOR_YOU)
        admit(interaction, publications, candidate)
        check_seen(interaction, control)
        return await _take_or_ask_again(work, context, interaction, publications, message, candidate, control, unfit)
    except Settled as late:
        return await tell_late(work, context, interaction, publications, late, message.identity)
    except Refused as refused:
        return Told(str(refused))


async def _take_or_ask_again(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    message: Message,
    candidate: Candidate,
    control: Control,
    unfit: str | None,
) -> Reply:
    """Take words that pass. A prompt opens its box once, so where there are prompts another one says what was wrong."""
    try:
        if unfit is not None:
            raise Invalid.at("/text", unfit)
        take = _fill_draft if fills_draft(interaction, control) else _decide
        if control.action in IN_WORDS:
            take = _take_timed
        reply = await take(work, context, interaction, publications, message, candidate, control)
        faults = reply.faults if isinstance(reply, Wrong) else ()
    except Invalid as invalid:
        reply, faults = Told(str(invalid)), invalid.faults
    if not faults or message.provider is not Provider.TELEGRAM:
        return reply
    wrong = "; ".join(dict.fromkeys(fault.detail for fault in faults))
    await ask_words(
        work, context, interaction, publications, control, control.action, control.question, candidate,
        refused=message.message, fault=wrong,
    )  # fmt: skip
    return Quiet()


async def _take_timed(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    message: Message,
    candidate: Candidate,
    control: Control,
) -> Reply:
    acting = Acting(interaction, publications, candidate, message.via, message.key)
    return await take_timed(work, context, acting, control, fields_of(control, message.text))


async def _candidate(work: Work, context: Context, message: Message) -> Candidate:
    """The writer. A message proves that they are where it was written."""
    person = await recognise(work, context, message.workspace, message.identity, message.standing)
    memberships = {message.conversation: Membership.YES}
    return Candidate(person=person, identity=message.identity, standing=message.standing, memberships=memberships)


async def _decide(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    message: Message,
    candidate: Candidate,
    control: Control,
) -> Reply:
    act = act_from_fields(interaction, control, fields_of(control, message.text))
    if isinstance(act, Comment):
        act = replace(act, message=message.spelled)
    reply = await decide_as(work, context, interaction, publications, act, candidate, message.via, message.key)
    if isinstance(act, Judge):
        own = [one for one in publications if one.number == control.publication]
        await show_next_item(work, interaction, own, control.option)
    if isinstance(reply, Saved) and control.action not in ASIDE:
        await stop_answering(work, context, interaction, publications, str(message.identity), forget=True)
    return reply


async def _fill_draft(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    message: Message,
    candidate: Candidate,
    control: Control,
) -> Reply:
    if not interaction.is_pending:
        raise too_late(interaction)
    if interaction.is_due(context.clock.now()):
        raise too_late(await expire_in(work, context, interaction, publications))
    scope, words = message.conversation, fields_of(control, message.text)
    if control.action is Action.SEARCH:
        return await search(work, context, interaction, publications, scope, control, message.text, candidate)
    return await take_words(work, context, interaction, publications, scope, control, words, candidate)
