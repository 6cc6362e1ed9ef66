"""Deliver an event to its asker's webhook once more, under the same id and with the same body."""

from __future__ import annotations

from core.errors import Invalid, NotFound
from core.events import LOOP_WEBHOOK_TYPES, WEBHOOK_TYPES, Event
from core.outbox import Hear, Lane
from core.people import By
from core.ports import Context, Work
from core.use_cases.recording import owe
from core.use_cases.transact import transact


async def replay(context: Context, workspace: str, id: str) -> Event:
    """Owe the delivery of an event again. Raises `NotFound`, or `Invalid` when no webhook is to hear of it."""

    async def inner(work: Work) -> Event:
        event = await work.event(id)
        heard = await _hearer(work, workspace, event) if event else None
        if event is None or heard is None:
            raise NotFound(f"There is no event {id}.")
        subject, by, webhook = heard
        if webhook is None:
            raise Invalid.at("", f"whoever asked {subject} named no webhook")
        if event.type not in WEBHOOK_TYPES | LOOP_WEBHOOK_TYPES:
            raise Invalid.at("", f"webhooks carry no {event.type}")
        task = Hear(event=event.id, agent=by.id or "", url=webhook)
        await owe(work, context, workspace, Lane.HEAR, subject, task, context.clock.now())
        return event

    return await transact(context, inner)


async def _hearer(work: Work, workspace: str, event: Event) -> tuple[str, By, str | None] | None:
    """What the event is about, who asked for it, and where they hear of it."""
    if event.interaction is not None:
        interaction = await work.interaction(workspace, event.interaction)
        return (interaction.id, interaction.creator, interaction.continuation.webhook) if interaction else None
    if event.loop is not None:
        loop = await work.loop(workspace, event.loop)
        return (loop.id, loop.sender, loop.continuation.webhook) if loop else None
    if event.alert is not None:
        alert = await work.alert(workspace, event.alert)
        return (alert.id, alert.by, alert.continuation.webhook) if alert else None
    return None
