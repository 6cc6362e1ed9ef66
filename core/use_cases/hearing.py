"""Messages from chats where loops are talked about. Who said it is who the provider says it was.

What is said elsewhere is not for us: it is neither read, stored nor answered.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from core.errors import NotAnAnswerer, Refused
from core.loops.access import AgentSpeaks, PersonSpeaks, Speaker
from core.loops.controls import LoopAction, LoopControl
from core.loops.keeping import LoopReads
from core.loops.places import Conversation, LoopPrompt, Saying
from core.loops.wording import done_sentence
from core.people import Membership
from core.ports import Context, Work
from core.replies import Quiet, Reply, Saved, Told
from core.sentences import parse
from core.use_cases.checking import tell_refused
from core.use_cases.listening import listen
from core.use_cases.loop_arrivals import Heard
from core.use_cases.loop_moving import move_in
from core.use_cases.loop_press import UNKNOWN, act_of
from core.use_cases.loop_recording import say_there
from core.use_cases.once import once
from core.use_cases.people import recognise

NOT_FOR_YOU = "This prompt waits for someone else's words, so yours were not counted."
NOT_OWN = "Forwarded messages, and those that another bot made, count for nothing. Please reply in your own words."
ONLY_TEXT = "I can read only text here. Please reply in words, without anything attached. Nothing has changed."
LONGEST_REPLY = 4_096
"""A Telegram message of this length may be one of several that the client cut, so it is no result."""
TOO_LONG = "This is too long to be taken whole here, so nothing has changed. Please send it in fewer words."
Otherwise = Callable[[Work, Context, Heard], Awaitable[Reply | None]]
"""Takes a message in a linked conversation that may be meant for a card there; None: it is not."""


async def hear(context: Context, records: LoopReads, heard: Heard, otherwise: Otherwise | None = None) -> Reply | None:
    """Handle one message; never raises a `Refused`. None: nobody listens where it was said, and nothing was stored.

    A bot that is linked to no agent is not heard. `otherwise` gets what holds no sentence.
    """
    at = (heard.provider.value, heard.account, heard.channel, heard.thread, heard.reply_to)
    if await records.linked(*at) is None:
        return None
    agent = await records.agent_of_account(heard.workspace, heard.identity)
    if heard.standing.bot and agent is None:
        return Quiet()

    async def inner(work: Work) -> Reply:
        return await _hear_in(work, context, heard, otherwise)

    return await once(context, heard.key, heard.provider, inner)


async def _hear_in(work: Work, context: Context, heard: Heard, otherwise: Otherwise | None) -> Reply:
    where = (heard.provider.value, heard.account, heard.channel)
    prompt = await work.loop_prompt_at(*where, heard.reply_to) if heard.reply_to is not None else None
    try:
        if prompt is not None:
            return await _take_words(work, context, heard, prompt)
        conversation = await work.conversation_at(*where, heard.thread, heard.reply_to)
        if conversation is None:
            return Quiet()
        if otherwise is not None and not parse(heard.words):
            reply = await otherwise(work, context, heard)
            if reply is not None:
                return reply
        return await _listen(work, context, heard, conversation)
    except Refused as refused:
        return await tell_refused(work, heard.workspace, refused, heard.identity)


async def speaker_in(work: Work, context: Context, heard: Heard, conversation: Conversation) -> Speaker:
    """Who said it: the agent whose bot account it is, else a person. Raises `NotAnAnswerer` for whoever is nobody."""
    agent = await work.agent_of_account(heard.workspace, heard.identity)
    if agent is not None:
        # A message from there proves that it is there.
        await work.join(conversation, agent.id, context.clock.now())
        return AgentSpeaks(agent, takes_part=True, via=heard.via, identity=heard.identity)
    person = await recognise(work, context, heard.workspace, heard.identity, heard.standing)
    await work.note_seen(heard.workspace, person.id, heard.conversation, context.clock.now())
    return PersonSpeaks(person, heard.identity, heard.standing, Membership.YES, heard.via)


async def _listen(work: Work, context: Context, heard: Heard, conversation: Conversation) -> Reply:
    speaker = await speaker_in(work, context, heard, conversation)
    if not heard.own:
        return Quiet()  # somebody else's words, which prove nothing
    now = context.clock.now()
    saying = Saying(
        id=context.ids.new("msg"),
        workspace=heard.workspace,
        conversation=conversation.id,
        message=heard.message,
        by=speaker.by,
        text=heard.words,
        at=now,
    )
    await work.add_saying(saying)
    at = (heard.provider.value, heard.account, heard.channel)
    about = await work.loop_at(*at, heard.reply_to) if heard.reply_to is not None else None
    listened = await listen(work, context, conversation, speaker, saying, heard.key, about)
    if listened.reply is not None:
        await say_there(work, context, conversation, listened.reply, now)
    return Quiet()


async def _take_words(work: Work, context: Context, heard: Heard, prompt: LoopPrompt) -> Reply:
    """Take a reply to a prompt as the result or the reason that it asked for."""
    person = await recognise(work, context, heard.workspace, heard.identity, heard.standing)
    if prompt.person != person.id:
        raise NotAnAnswerer(NOT_FOR_YOU)
    if not heard.own:
        return Told(NOT_OWN)
    if heard.attached:
        return Told(ONLY_TEXT)
    if len(heard.text) >= LONGEST_REPLY:
        return Told(TOO_LONG)
    loop = await work.loop(heard.workspace, prompt.loop)
    if loop is None:
        return Told(UNKNOWN)
    speaker = PersonSpeaks(person, heard.identity, heard.standing, Membership.YES, heard.via)
    control = LoopControl(loop.id, LoopAction(prompt.action), prompt.slot)
    act = act_of(control, heard.text)
    moved = await move_in(work, context, loop, act, speaker, provider_event=heard.key)
    return Saved(done_sentence(moved.loop, act, moved.slot), unseen=moved.repeated)
