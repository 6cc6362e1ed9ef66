"""Work orders by API and page: opened, moved, dispatched again, one transaction each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.errors import IdempotencyConflict, Invalid, NotFound
from core.loops.access import AgentSpeaks, PersonSpeaks
from core.loops.acts import LoopAct
from core.loops.asking import AgainBody, Order, due_of
from core.loops.values import Loop, Slot
from core.loops.wording import unknown_words
from core.people import Agent, AgentRole, Via, by_agent
from core.ports import Context, Work
from core.use_cases.loop_copies import answer_alert
from core.use_cases.loop_moving import Moved, may_read, move_in
from core.use_cases.loop_opening import Opening, again_in, open_in
from core.use_cases.loop_places import Addressed, address, conversation_for, enter, recipient_in
from core.use_cases.loop_recording import shown
from core.use_cases.transact import transact


@dataclass(frozen=True)
class Dispatched:
    """The answer to an order. `replayed`: this key and body were seen before, and this is the first answer again."""

    snapshot: dict[str, Any]
    replayed: bool


async def dispatch(
    context: Context, order: Order, agent: Agent, idempotency: tuple[str, str] | None = None
) -> Dispatched:
    """Open a work order for a program. `idempotency` is its key and the digest of the body.

    Raises `Invalid`, `IdempotencyConflict`, `NotFound`.
    """

    async def inner(work: Work) -> Dispatched:
        known = await replayed(work, agent, idempotency)
        if known is not None:
            return Dispatched(known, replayed=True)
        now = context.clock.now()
        parent = await _parent(work, agent, order.parent)
        addressed = await _where(work, context, order, agent, now, parent.conversation if parent else None)
        conversation = addressed.conversation
        if order.conversation is None:
            await enter(work, conversation, agent, now)
        loop = await open_in(
            work,
            context,
            conversation,
            Opening(
                by=by_agent(agent),
                via=Via.API,
                recipient=addressed.recipient,
                title=order.title,
                body=order.body,
                name=order.id,
                priority=order.priority,
                due_at=due_of(order.due, now),
                sender_label=order.sender_label,
                slots=tuple(Slot(number=number) for number in range(1, order.slots + 1)),
                reminders=order.nudges,
                continuation=order.continuation,
                parent=order.parent,
                from_alert=order.alert,
            ),
        )
        if order.alert is not None:
            await _answer(work, context, agent, order.alert, loop)
        snapshot = shown(context, loop, conversation)
        await remember(work, context, agent, idempotency, snapshot)
        return Dispatched(snapshot, replayed=False)

    return await transact(context, inner)


async def replayed(work: Work, agent: Agent, idempotency: tuple[str, str] | None) -> dict[str, Any] | None:
    """The first answer to this key. Raises `IdempotencyConflict` when the body was another."""
    known = await work.remembered(agent.id, idempotency[0]) if idempotency is not None else None
    if known is None or idempotency is None:
        return None
    if known[0] != idempotency[1]:
        raise IdempotencyConflict("This Idempotency-Key was used with another body.")
    return known[1]


async def remember(
    work: Work, context: Context, agent: Agent, idempotency: tuple[str, str] | None, answer: dict[str, Any]
) -> None:
    """Keep the first answer to a key."""
    if idempotency is not None:
        await work.remember_order(agent.id, idempotency[0], idempotency[1], answer, context.clock.now())


async def _parent(work: Work, agent: Agent, name: str | None) -> Loop | None:
    if name is None:
        return None
    found = await work.loop_named(agent.workspace, name)
    if found is None or not await may_read(work, found, agent):
        raise Invalid.at("/parent", f"there is no work order {name}")
    return found


async def _where(
    work: Work, context: Context, order: Order, agent: Agent, now: datetime, parent: str | None
) -> Addressed:
    if order.conversation is None:
        return await address(work, context, agent.workspace, order.to, now, sender=agent, parent=parent)
    operator = agent.role is AgentRole.OPERATOR
    conversation = await conversation_for(work, agent.workspace, order.conversation, agent, operator=operator)
    recipient = await recipient_in(work, conversation, order.to)
    if order.to.startswith("agent:") and (operator or await work.takes_part(conversation.id, agent.id)):
        named = await work.agent_by_name(agent.workspace, order.to.removeprefix("agent:"))
        if named is not None:
            await work.join(conversation, named.id, now)
    return Addressed(recipient, conversation)


async def _answer(work: Work, context: Context, agent: Agent, id: str, loop: Loop) -> None:
    alert = await work.alert(agent.workspace, id)
    is_there = alert is not None and (alert.by.id == agent.id or await work.takes_part(alert.conversation, agent.id))
    if alert is None or not (is_there or agent.role is AgentRole.OPERATOR):
        raise Invalid.at("/alert", "there is no such alert")
    await answer_alert(work, context, alert, loop)


async def move(context: Context, workspace: str, name: str, act: LoopAct, agent: Agent) -> Moved:
    """Move a loop as a program. Raises `NotFound` for one that it may not know of, and any `Refused`."""

    async def inner(work: Work) -> Moved:
        loop = await work.loop_named(workspace, name)
        if loop is None or not await may_read(work, loop, agent):
            raise NotFound(unknown_words(name))
        speaker = AgentSpeaks(agent, takes_part=await work.takes_part(loop.conversation, agent.id))
        return await move_in(work, context, loop, act, speaker)

    return await transact(context, inner)


async def move_as(context: Context, workspace: str, name: str, act: LoopAct, speaker: PersonSpeaks) -> Moved:
    """Move a loop as a person, on its page. Raises any `Refused`."""

    async def inner(work: Work) -> Moved:
        loop = await work.loop_named(workspace, name)
        if loop is None:
            raise NotFound(unknown_words(name))
        return await move_in(work, context, loop, act, speaker)

    return await transact(context, inner)


async def dispatch_again_as(context: Context, workspace: str, name: str, speaker: PersonSpeaks) -> Loop:
    """Open a declined or escalated order anew, as a person on its page. Raises any `Refused`."""

    async def inner(work: Work) -> Loop:
        loop = await work.loop_named(workspace, name)
        if loop is None:
            raise NotFound(unknown_words(name))
        return await again_in(work, context, loop, speaker)

    return await transact(context, inner)


async def dispatch_again(
    context: Context, name: str, body: AgainBody, agent: Agent, idempotency: tuple[str, str] | None = None
) -> Dispatched:
    """Open a declined or escalated order anew, as a program. Raises any `Refused`, and `IdempotencyConflict`."""

    async def inner(work: Work) -> Dispatched:
        known = await replayed(work, agent, idempotency)
        if known is not None:
            return Dispatched(known, replayed=True)
        now, workspace = context.clock.now(), agent.workspace
        loop = await work.loop_named(workspace, name)
        if loop is None or not await may_read(work, loop, agent):
            raise NotFound(unknown_words(name))
        speaker = AgentSpeaks(agent, takes_part=await work.takes_part(loop.conversation, agent.id))
        elsewhere = await address(work, context, workspace, body.to, now, sender=agent) if body.to is not None else None
        made = await again_in(work, context, loop, speaker, elsewhere=elsewhere, due_at=due_of(body.due, now))
        conversation = await work.conversation(workspace, made.conversation)
        if conversation is not None and elsewhere is not None:
            await enter(work, conversation, agent, now)
        snapshot = shown(context, made, conversation)
        await remember(work, context, agent, idempotency, snapshot)
        return Dispatched(snapshot, replayed=False)

    return await transact(context, inner)
