"""Write what a decision on a loop led to: state, receipts, events, what is owed and when it is due again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.dues import DueKind
from core.events import LOOP_WEBHOOK_TYPES, Event, LoopEventType
from core.loops.decisions import LoopDecision
from core.loops.owed import PostLoop, RedrawLoop, SayThere
from core.loops.places import Alert, Conversation, HandoverKind
from core.loops.timing import Next, goes_to_others, next_step, waking
from core.loops.values import Loop
from core.loops.wire import snapshot
from core.outbox import Hear, Lane
from core.people import Person
from core.ports import Context, Work
from core.publications import PublicationState
from core.quiet import Window, WorkingCalendar, working
from core.use_cases.loop_places import handed_over
from core.use_cases.loop_telling import brought_in
from core.use_cases.recipients import people_among, zone_of_person
from core.use_cases.recording import owe

_SHOWN = frozenset({PublicationState.POSTED, PublicationState.SETTLED, PublicationState.UNKNOWN})


def loop_url(context: Context, name: str) -> str:
    """Where a loop's page is."""
    return context.review_base.removesuffix("review/") + f"loops/{name}"


def shown(context: Context, loop: Loop, conversation: Conversation | None) -> dict[str, Any]:
    """A loop as programs see it."""
    return snapshot(loop, conversation, loop_url(context, loop.name))


async def record_decision(
    work: Work,
    context: Context,
    before: Loop | None,
    decision: LoopDecision,
    conversation: Conversation,
    now: datetime,
) -> dict[str, Any]:
    """Write a decision and return the loop's snapshot. `before` is None for a new one."""
    after = decision.after
    if before is None:
        await work.add_loop(after)
    elif after is not before:
        await work.save_loop(before, after)
    for line in decision.receipts:
        await work.record_loop(line, after.id)
    now_shown = shown(context, after, conversation)
    for type_ in decision.events:
        await announce_loop(work, context, after, type_, {"loop": now_shown, **decision.said}, now)
    if decision.receipts:
        await schedule_loop(work, after)
    if before is not None and after.version != before.version:
        await redraw_loop(work, context, after, now)
    return now_shown


async def announce_loop(
    work: Work, context: Context, loop: Loop, type_: LoopEventType, data: Mapping[str, Any], now: datetime
) -> Event:
    """Append an event, and owe it to the sender's webhook when that carries this type.

    What was kept for the agents of the conversation goes with the first event that a webhook would carry, of one who
    may hear all that is said there.
    """
    id = context.ids.new("evt")
    handed: dict[str, list[str]] = {"directives": [], "runtime": []}
    if type_ in LOOP_WEBHOOK_TYPES:
        kept = await handed_over(work, loop, id)
        handed = {
            "directives": [one.text for one in kept if one.kind is HandoverKind.DIRECTIVE],
            "runtime": [one.text for one in kept if one.kind is HandoverKind.RUNTIME],
        }
    event = Event(
        id=id,
        workspace=loop.workspace,
        position=0,
        type=type_,
        at=now,
        loop=loop.id,
        data={**data, "state": loop.continuation.state, "context": handed},
    )
    await work.announce(event)
    if loop.continuation.webhook and type_ in LOOP_WEBHOOK_TYPES:
        task = Hear(event=id, agent=loop.sender.id or "", url=loop.continuation.webhook)
        await owe(work, context, loop.workspace, Lane.HEAR, loop.id, task, now)
    return event


async def announce_alert(
    work: Work, context: Context, alert: Alert, type_: LoopEventType, data: Mapping[str, Any], now: datetime
) -> Event:
    """Append an event about an alert, for the agents of its conversation and the webhook of its raiser."""
    heard_by = alert.continuation
    event = Event(
        id=context.ids.new("evt"),
        workspace=alert.workspace,
        position=0,
        type=type_,
        at=now,
        alert=alert.id,
        data={"alert": alert.wire(), **data, "state": heard_by.state},
    )
    await work.announce(event)
    if heard_by.webhook:
        task = Hear(event=event.id, agent=alert.by.id or "", url=heard_by.webhook)
        await owe(work, context, alert.workspace, Lane.HEAR, alert.id, task, now)
    return event


async def post_loop(work: Work, context: Context, loop: Loop, now: datetime) -> None:
    """Owe a card's first post. Cards and words to one conversation go out in the order they were asked."""
    if loop.card is not None:
        task = PostLoop(loop=loop.id, where=loop.card.where)
        await owe(work, context, loop.workspace, Lane.POST, loop.card.where, task, now)


async def redraw_loop(work: Work, context: Context, loop: Loop, now: datetime) -> None:
    """Owe a redraw to a card that people can see."""
    if loop.card is not None and loop.card.message is not None and loop.card.state in _SHOWN:
        task = RedrawLoop(loop=loop.id, where=loop.card.where)
        await owe(work, context, loop.workspace, Lane.REDRAW, loop.id, task, now)


async def say_there(work: Work, context: Context, conversation: Conversation, text: str, now: datetime) -> None:
    """Owe words to a conversation, after what is owed to it already. Programs alone read theirs by event."""
    if conversation.is_chat:
        task = SayThere(conversation=conversation.id, text=text, where=conversation.where)
        await owe(work, context, conversation.workspace, Lane.POST, conversation.where, task, now)


async def schedule_loop(work: Work, loop: Loop) -> None:
    """Set when time does something to a loop next, or that it does nothing any more."""
    step = await coming(work, loop)
    await work.set_due(DueKind.LOOP, loop.id, loop.workspace, step.at if step else None)


async def coming(work: Work, loop: Loop) -> Next | None:
    """What time does next to a loop, when those it is done to are awake; None: nothing any more."""
    if not goes_to_others(loop):
        return next_step(loop, await quiet_of(work, loop))
    calendar = await work.calendar(loop.workspace)
    people = await brought_in(work, loop)
    return next_step(loop, (), [await _quiet(work, person, calendar) for person in people])


async def quiet_of(work: Work, loop: Loop) -> tuple[Window, ...]:
    """When whoever is to be reminded of a loop is left alone: outside their waking hours, and the workspace's work.

    A program is never asleep. A conversation's people wake by the workspace's calendar, if it has one.
    """
    if loop.recipient.startswith("agent:"):
        return ()
    return await _quiet(work, await whose(work, loop), await work.calendar(loop.workspace))


async def _quiet(work: Work, person: Person | None, calendar: WorkingCalendar | None) -> tuple[Window, ...]:
    """When somebody is left alone; None: whoever is in a conversation."""
    zone = await zone_of_person(work, person) if person is not None else None
    zones = [zone] if zone else [calendar.zone] if calendar else []
    return (*waking(zones), *((working(calendar),) if calendar else ()))


async def whose(work: Work, loop: Loop) -> Person | None:
    """The person who has the work, else the one it is for or whose own chat it is in; None: a program's, or that of
    whoever is in the conversation."""
    if loop.claimed is not None and loop.claimed.by.type == "person" and loop.claimed.by.id:
        found = await work.person(loop.workspace, loop.claimed.by.id)
        if found is not None:
            return found
    return next(iter(await people_among(work, loop.workspace, [loop.recipient])), None)
