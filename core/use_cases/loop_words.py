"""Words on their way into a conversation: sentences, reminders and prompts. The state is looked at again just before
the call, so that nothing is said of a loop that has ended meanwhile."""

from __future__ import annotations

from datetime import timedelta
from typing import assert_never

from core.addresses import ChatAddress, Provider
from core.channels import Posted
from core.loops.outcomes import LoopState
from core.loops.owed import AskLoopWords, OfferAgain, SayNudge, SayThere
from core.loops.places import Conversation, LoopPrompt, Saying
from core.loops.values import Loop
from core.loops.wording import due_prompt, nudge_words
from core.outbox import Claimed, Lane, Say, TakeBack
from core.ports import Context, Work
from core.publications import PublicationState
from core.quiet import opens_at
from core.reminding import LEFT_ALONE
from core.use_cases.loop_recording import quiet_of
from core.use_cases.recording import owe
from core.use_cases.reminders import UNHEARD
from core.use_cases.transact import transact

NOT_THERE_YET = timedelta(seconds=2)
"""How long words wait for the card that their conversation begins with."""
MOST_WAITS = 30
_OPEN = frozenset({PublicationState.QUEUED, PublicationState.SENDING, PublicationState.UNKNOWN})


async def begin_words(context: Context, claimed: Claimed, task: SayNudge | SayThere) -> Say | None:
    """What is to be said, and where that is now. None: nothing any more, or not yet; that is noted.

    A reminder is said only while the loop is open and it is still the last one. Whatever may have been said is not
    said again.
    """

    async def inner(work: Work) -> Say | None:
        if claimed.unheard:
            await work.abandon(claimed, UNHEARD)
            return None
        workspace = claimed.delivery.workspace
        match task:
            case SayNudge():
                loop = await work.loop(workspace, task.loop)
                if loop is None or not loop.is_open or loop.nudges != task.number:
                    await work.finish(claimed)
                    return None
                if not await _may_hear(work, context, claimed, loop):
                    return None
                text, id = nudge_words(loop, task.number, due_prompt(loop, context.clock.now())), loop.conversation
            case SayThere():
                text, id = task.text, task.conversation
            case _:
                assert_never(task)
        conversation = await work.conversation(workspace, id)
        if conversation is None or not conversation.is_chat:
            await work.abandon(claimed, "the conversation is gone")
            return None
        if conversation.root is None and not conversation.whole:
            await _not_yet(work, context, claimed, conversation)
            return None
        return words_in(conversation, text) if await work.begin_call(claimed) else None

    return await transact(context, inner)


async def _may_hear(work: Work, context: Context, claimed: Claimed, loop: Loop) -> bool:
    """Whether its recipient may be reminded now. If not, the reminder waits until they may be, or is over."""
    now = context.clock.now()
    at = opens_at(now, await quiet_of(work, loop))
    if at is None:
        await work.abandon(claimed, LEFT_ALONE)
    elif at > now:
        await work.postpone(claimed, at, LEFT_ALONE, blocking=False, tried=False)
    return at == now


def words_in(conversation: Conversation, text: str) -> Say:
    """Words for a conversation as it is now."""
    return Say(
        provider=conversation.provider,
        account=conversation.account,
        channel=conversation.channel or conversation.place,
        thread=conversation.thread,
        reply_to=conversation.root if conversation.provider == Provider.TELEGRAM.value else None,
        text=text,
    )


async def _not_yet(work: Work, context: Context, claimed: Claimed, conversation: Conversation) -> None:
    """The conversation begins with a card that is not there: wait for it, or let go when it never will be."""
    loops = await work.loops_in(conversation.id)
    owed = any(loop.card is not None and loop.card.state in _OPEN for loop in loops)
    if not owed and (loops or claimed.attempts > MOST_WAITS):
        await work.abandon(claimed, "its conversation never began")
        return
    # One that begins with an alert has no loop yet: then it is waited for so many times.
    due = context.clock.now() + NOT_THERE_YET
    await work.postpone(claimed, due, "waits for its card", blocking=False, tried=not owed)


async def said(context: Context, claimed: Claimed, task: SayNudge | SayThere, words: Say, where: Posted) -> None:
    """The words are there: note their message, so that a reply to it belongs to the conversation. A reminder of an
    order that ended while it was on the wire is taken back."""

    async def inner(work: Work) -> None:
        workspace = claimed.delivery.workspace
        if isinstance(task, SayThere):
            id: str | None = task.conversation
        else:
            loop = await work.loop(workspace, task.loop)
            id = loop.conversation if loop else None
            if loop is None or not loop.is_open:
                await _take_back(work, context, workspace, words, where)
        if id is not None:
            await work.add_saying(
                Saying(
                    id=context.ids.new("msg"),
                    workspace=workspace,
                    conversation=id,
                    message=where.message,
                    text=words.text,
                    ours=True,
                    at=context.clock.now(),
                )
            )
        await work.finish(claimed)

    await transact(context, inner)


async def _take_back(work: Work, context: Context, workspace: str, words: Say, where: Posted) -> None:
    task = TakeBack(provider=words.provider, account=words.account, channel=where.channel, messages=(where.message,))
    scope = str(ChatAddress(Provider(words.provider), words.account, where.channel))
    await owe(work, context, workspace, Lane.TALK, scope, task, context.clock.now())


async def begin_prompt(context: Context, claimed: Claimed, task: AskLoopWords) -> Loop | None:
    """The loop whose words are asked for. None: it has ended, and the delivery is over."""

    async def inner(work: Work) -> Loop | None:
        loop = await work.loop(claimed.delivery.workspace, task.loop)
        if loop is None or not loop.is_open:
            await work.abandon(claimed, "the work order has ended")
            return None
        return loop

    return await transact(context, inner)


async def begin_offer(context: Context, claimed: Claimed, task: OfferAgain) -> bool:
    """Whether what is to be told is still so. If not, the delivery is over: nothing is said of what was done since,
    and nothing twice."""

    async def inner(work: Work) -> bool:
        if claimed.unheard:
            await work.abandon(claimed, UNHEARD)
            return False
        loop = await work.loop(claimed.delivery.workspace, task.loop)
        if loop is not None and (loop.is_open or loop.state is LoopState.DECLINED):
            return await work.begin_call(claimed)
        await work.abandon(claimed, "the work order was closed meanwhile")
        return False

    return await transact(context, inner)


async def prompted(context: Context, claimed: Claimed, task: AskLoopWords, where: Posted) -> None:
    """The prompt is there: a reply to it is the words asked for."""

    async def inner(work: Work) -> None:
        await work.add_loop_prompt(
            LoopPrompt(
                provider=task.provider,
                account=task.account,
                channel=where.channel,
                message=where.message,
                workspace=claimed.delivery.workspace,
                loop=task.loop,
                action=int(task.action),
                slot=task.slot,
                person=task.person,
            )
        )
        await work.finish(claimed)

    await transact(context, inner)
