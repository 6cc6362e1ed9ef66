"""Alerts: raised by a program or a sentence, shown to all in a conversation, and answered by a work order."""

from __future__ import annotations

from typing import Any

from core.errors import NotFound
from core.events import LoopEventType
from core.loops.access import AgentSpeaks, PersonSpeaks, Speaker, check_may_speak
from core.loops.asking import AlertBody, AlertOrder, due_of
from core.loops.owed import PostAlert
from core.loops.places import Alert, Conversation
from core.loops.values import LONGEST_TITLE, Loop
from core.outbox import Lane
from core.people import Agent, AgentRole, By, Membership
from core.ports import Context, Work
from core.records import Continuation
from core.replies import Reply, Saved, Told
from core.use_cases.loop_arrivals import LoopPress, shown_once
from core.use_cases.loop_copies import answer_alert, check_unanswered
from core.use_cases.loop_opening import Opening, open_in
from core.use_cases.loop_places import address, copy_in, enter
from core.use_cases.loop_recording import announce_alert, shown
from core.use_cases.loops import remember, replayed
from core.use_cases.people import recognise
from core.use_cases.recording import owe
from core.use_cases.transact import transact

UNHEARD = Continuation()
"""Nobody waits to hear of it."""
UNKNOWN_ALERT = "I do not know this alert, so nothing was done."


async def raise_alert(
    context: Context, body: AlertBody, agent: Agent, idempotency: tuple[str, str] | None = None
) -> tuple[dict[str, Any], bool]:
    """Raise an alert as a program; returns it as the API shows it, and whether this was the first answer once more.

    Raises `Invalid`, `IdempotencyConflict`.
    """

    async def inner(work: Work) -> tuple[dict[str, Any], bool]:
        known = await replayed(work, agent, idempotency)
        if known is not None:
            return known, True
        now = context.clock.now()
        where = await address(work, context, agent.workspace, body.to, now, sender=agent)
        await enter(work, where.conversation, agent, now)
        speaker = AgentSpeaks(agent, takes_part=True)
        alert = await raise_in(
            work, context, where.conversation, body.severity, body.message, speaker.by, body.continuation
        )
        answer = alert.wire()
        if body.order is not None:
            order = AlertOrder() if body.order is True else body.order
            loop = await order_in(work, context, alert, where.conversation, speaker, order, where.recipient)
            answer = {
                **alert.model_copy(update={"order": loop.name}).wire(),
                "loop": shown(context, loop, where.conversation),
            }
        await remember(work, context, agent, idempotency, answer)
        return answer, False

    return await transact(context, inner)


async def raise_in(
    work: Work,
    context: Context,
    conversation: Conversation,
    severity: str,
    message: str,
    by: By,
    continuation: Continuation = UNHEARD,
) -> Alert:
    """Raise an alert in a conversation, inside the caller's transaction. Its event is for the agents there, and goes to
    the webhook of its raiser."""
    now = context.clock.now()
    alert = Alert(
        id=context.ids.new("alr"),
        workspace=conversation.workspace,
        conversation=conversation.id,
        severity=severity,
        message=message,
        by=by,
        created_at=now,
        card=copy_in(conversation),
        continuation=continuation,
    )
    await work.add_alert(alert)
    await announce_alert(work, context, alert, LoopEventType.ALERT, {}, now)
    if alert.card is not None:
        task = PostAlert(alert=alert.id, where=alert.card.where)
        await owe(work, context, alert.workspace, Lane.POST, alert.card.where, task, now)
    return alert


async def order_from_alert(context: Context, id: str, order: AlertOrder, agent: Agent) -> dict[str, Any]:
    """Open a work order from an alert as a program; returns the loop. Raises `NotFound`, `Invalid`."""

    async def inner(work: Work) -> dict[str, Any]:
        alert = await work.alert(agent.workspace, id)
        conversation = await work.conversation(agent.workspace, alert.conversation) if alert else None
        if alert is None or conversation is None:
            raise NotFound("There is no such alert.")
        may = alert.by.id == agent.id or await work.takes_part(conversation.id, agent.id)
        if not may and agent.role is not AgentRole.OPERATOR:
            raise NotFound("There is no such alert.")
        speaker = AgentSpeaks(agent, takes_part=may)
        loop = await order_in(work, context, alert, conversation, speaker, order, None)
        return shown(context, loop, conversation)

    return await transact(context, inner)


async def order_in(
    work: Work,
    context: Context,
    alert: Alert,
    conversation: Conversation,
    speaker: Speaker,
    order: AlertOrder,
    recipient: str | None,
    provider_event: str | None = None,
) -> Loop:
    """Open the work order of an alert, once, inside the caller's transaction. Raises any `Refused`."""
    check_may_speak(speaker)
    check_unanswered(alert)
    now = context.clock.now()
    title = order.title or _title(alert)
    loop = await open_in(
        work,
        context,
        conversation,
        Opening(
            by=speaker.by,
            via=speaker.via,
            recipient=recipient or _recipient(conversation),
            title=title,
            body=order.body or f"{alert.severity}: {alert.message}",
            name=order.id,
            priority=order.priority,
            due_at=due_of(order.due, now),
            reminders=order.nudges,
            continuation=order.continuation,
            from_alert=alert.id,
            provider_event=provider_event,
        ),
    )
    await answer_alert(work, context, alert, loop)
    return loop


def _title(alert: Alert) -> str:
    """The alert on one line, when that is short enough to be a title."""
    line = " ".join(f"{alert.severity}: {alert.message}".split())
    return line if len(line) <= LONGEST_TITLE else f"{alert.severity} alert"


def _recipient(conversation: Conversation) -> str:
    return conversation.address if conversation.is_chat else f"agent:{conversation.place}"


async def order_by_press(work: Work, context: Context, arrival: LoopPress) -> Reply:
    """Open the work order of an alert by the button on its card. Raises any `Refused`."""
    alert = await work.alert(arrival.workspace, arrival.control.subject)
    conversation = await work.conversation(arrival.workspace, alert.conversation) if alert else None
    if alert is None or conversation is None:
        return Told(UNKNOWN_ALERT)
    card = await shown_once(work, context, alert.card, arrival)
    if card is not alert.card:
        alert = alert.model_copy(update={"card": card})
        await work.save_alert(alert)
    person = await recognise(work, context, arrival.workspace, arrival.identity, arrival.standing)
    await work.note_seen(arrival.workspace, person.id, arrival.conversation, context.clock.now())
    speaker = PersonSpeaks(person, arrival.identity, arrival.standing, Membership.YES, arrival.via)
    loop = await order_in(work, context, alert, conversation, speaker, AlertOrder(), None, arrival.key)
    return Saved(f"The work order {loop.name} was opened.")
