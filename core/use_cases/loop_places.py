"""Where a work order or an alert goes: the conversation of an address, found or made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from core.addresses import ChatAddress, PersonAddress, Provider, ReviewAddress, parse_address
from core.errors import Invalid, NotFound
from core.loops.places import Alert, Conversation, Handover
from core.loops.values import Loop, LoopCopy
from core.people import Agent, By
from core.ports import Context, Work
from core.use_cases.destinations import resolve


@dataclass(frozen=True)
class Addressed:
    """A recipient as it is kept, and where it is talked to."""

    recipient: str
    conversation: Conversation


async def address(
    work: Work,
    context: Context,
    workspace: str,
    to: str,
    now: datetime,
    *,
    sender: Agent,
    parent: str | None = None,
    pointer: str = "/to",
) -> Addressed:
    """The recipient and the conversation of an address that a program gives. Raises `Invalid`."""
    name = to.removeprefix("agent:")
    if name != to:
        agent = await work.agent_by_name(workspace, name)
        if agent is None or agent.revoked:
            raise Invalid.at(pointer, f"there is no agent called {name}")
        return Addressed(to, await _programs_alone(work, context, agent, sender, now, parent))
    parsed = parse_address(to, pointer)
    if isinstance(parsed, ReviewAddress):
        raise Invalid.at(pointer, "work is done by somebody: give a conversation, person:<handle> or agent:<name>")
    (place,) = await resolve(work, workspace, [parsed], [pointer])
    known = await work.connection_at(place.provider, place.account) if place.account else None
    if not place.account or (known is not None and known.workspace != workspace):
        # Another workspace's account is as good as none, and not a word says that there is one.
        raise Invalid.at(pointer, f"{place.provider.value} is not connected here")
    recipient = to if to.startswith("person:") else str(place)
    return Addressed(recipient, await conversation_of(work, context, workspace, place, now, parent))


async def recipient_in(work: Work, conversation: Conversation, to: str, pointer: str = "/to") -> str:
    """The recipient of an order in a conversation that is there: an agent or a person by name, or the conversation
    itself, which leaves it to whoever is in it. Raises `Invalid`."""
    name = to.removeprefix("agent:")
    if name != to:
        agent = await work.agent_by_name(conversation.workspace, name)
        if agent is None or agent.revoked:
            raise Invalid.at(pointer, f"there is no agent called {name}")
        return to
    parsed = parse_address(to, pointer)
    match parsed:
        case ReviewAddress():
            raise Invalid.at(
                pointer, "work is done by somebody: give the conversation, person:<handle> or agent:<name>"
            )
        case PersonAddress():
            if await work.person_by_handle(conversation.workspace, parsed.handle) is None:
                raise Invalid.at(pointer, f"there is nobody with the handle {parsed.handle}")
            return to
        case ChatAddress():
            account = parsed.account or conversation.account
            here = (conversation.provider, conversation.account, {conversation.place, conversation.channel})
            if (parsed.provider.value, account) != here[:2] or parsed.place not in here[2]:
                raise Invalid.at(pointer, "this is another place than the conversation that the order is to be in")
            return str(replace(parsed, account=account))
        case _:
            assert_never(parsed)


async def conversation_of(
    work: Work, context: Context, workspace: str, place: ChatAddress, now: datetime, parent: str | None = None
) -> Conversation:
    """The conversation at a place: a thread, a topic or a one-to-one chat as a whole; elsewhere one of its own, which
    begins with a message that is not there yet."""
    whole = place.is_private or place.thread is not None
    made = Conversation(
        id=context.ids.new("cnv"),
        workspace=workspace,
        provider=place.provider.value,
        account=place.account or "",
        place=place.place,
        channel=None if place.provider is Provider.SLACK and place.is_user else place.place,
        thread=None if place.is_private else place.thread,
        whole=whole,
        parent=parent,
        created_at=now,
    )
    return await _found_or_made(work, made)


async def _programs_alone(
    work: Work, context: Context, agent: Agent, sender: Agent, now: datetime, parent: str | None
) -> Conversation:
    """Where two programs talk that need no chat. Both take part in it, and nobody else."""
    made = Conversation(
        id=context.ids.new("cnv"),
        workspace=agent.workspace,
        provider="api",
        account="",
        place=agent.name,
        thread=sender.name,
        parent=parent,
        created_at=now,
    )
    found = await _found_or_made(work, made)
    await work.join(found, agent.id, now)
    return found


async def _found_or_made(work: Work, made: Conversation) -> Conversation:
    found = await work.conversation_like(made)
    if found is not None:
        return found
    await work.add_conversation(made)
    return made


async def enter(work: Work, conversation: Conversation, agent: Agent, now: datetime) -> None:
    """Let an agent take part in a conversation that begins with what it posts there, or that programs have alone.

    A thread, a topic or somebody's own chat was there before: of what is said in those, an agent hears what is its
    own, and the rest once it is named there or speaks there itself.
    """
    if not conversation.is_chat or not conversation.whole:
        await work.join(conversation, agent.id, now)


async def hears_all(work: Work, loop: Loop) -> bool:
    """Whether what is said around a loop, and not about any by name, may go to its sender: an agent that takes part
    there, or the only one with work there that is open."""
    if await _takes_part(work, loop.conversation, loop.sender):
        return True
    still = await work.loops_in(loop.conversation, open_only=True)
    return {one.sender.id for one in still} <= {loop.sender.id}


async def hears_words(work: Work, loop: Loop) -> bool:
    """The same of what is said now: with its end, work opens nothing any more of a place that was there before."""
    return (loop.is_open or await _takes_part(work, loop.conversation, loop.sender)) and await hears_all(work, loop)


async def raiser_hears_words(work: Work, alert: Alert) -> bool:
    """Whether what is said around an alert may go to whoever raised it."""
    return await _takes_part(work, alert.conversation, alert.by)


async def _takes_part(work: Work, conversation: str, by: By) -> bool:
    """People are told nothing by event, so only of a program it matters where it is."""
    return by.type != "agent" or by.id is None or await work.takes_part(conversation, by.id)


async def handed_over(work: Work, loop: Loop, event: str) -> tuple[Handover, ...]:
    """What was kept for the agents of a conversation and goes with this event of a loop: to one that takes part all of
    it, to another what was said while its work was open."""
    if not await hears_all(work, loop):
        return ()
    if await _takes_part(work, loop.conversation, loop.sender):
        return await work.take_handovers(loop.conversation, event)
    until = loop.outcome.at if loop.outcome else None
    return await work.take_handovers(loop.conversation, event, since=loop.created_at, until=until)


async def conversation_for(work: Work, workspace: str, id: str, agent: Agent, *, operator: bool) -> Conversation:
    """A conversation in which an agent may speak: it takes part, or ordered work there. Raises `NotFound`."""
    found = await work.conversation(workspace, id)
    if found is None or not (
        operator or await work.takes_part(found.id, agent.id) or await work.has_ordered_in(found.id, agent.id)
    ):
        raise NotFound("There is no such conversation.")
    return found


def copy_in(conversation: Conversation) -> LoopCopy | None:
    """A card that is owed to a conversation; None where nobody would see it."""
    if not conversation.is_chat:
        return None
    return LoopCopy(
        provider=Provider(conversation.provider),
        account=conversation.account,
        place=conversation.place,
        channel=conversation.channel,
        thread=conversation.thread,
        reply_to=conversation.root,
    )


def placed(card: LoopCopy, conversation: Conversation | None) -> LoopCopy:
    """A card that is not there yet, where its conversation is by now: that may have begun meanwhile."""
    if conversation is None:
        return card
    return card.model_copy(
        update={
            "thread": conversation.thread,
            "reply_to": conversation.root,
            "channel": conversation.channel or card.channel,
        }
    )


def rooted(conversation: Conversation, channel: str, message: str) -> Conversation:
    """The conversation once a message of ours is there: where it is, and that it begins with this message."""
    changes: dict[str, object] = {} if conversation.channel == channel else {"channel": channel}
    if not conversation.whole and conversation.root is None:
        changes["root"] = message
        if conversation.provider == Provider.SLACK.value:
            changes |= {"thread": message, "whole": True}
    return conversation.model_copy(update=changes) if changes else conversation
