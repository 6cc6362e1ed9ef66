"""Deliver an event to its asker's webhook once more, under the same id and with the same body."""

from __future__ import annotations

from core.errors import Invalid, NotFound
from core.events import WEBHOOK_TYPES, Event
from core.outbox import Hear, Lane
from core.ports import Context, Work
from core.use_cases.recording import owe
from core.use_cases.transact import transact


async def replay(context: Context, workspace: str, id: str) -> Event:
    """Owe the delivery of an event again. Raises `NotFound`, or `Invalid` when no webhook is to hear of it."""

    async def inner(work: Work) -> Event:
        event = await work.event(id)
        interaction = await work.interaction(workspace, event.interaction) if event else None
        if event is None or interaction is None:
            raise NotFound(f"There is no event {id}.")
        webhook = interaction.continuation.webhook
        if webhook is None:
            raise Invalid.at("", f"whoever asked {interaction.id} named no webhook")
        if event.type not in WEBHOOK_TYPES:
            raise Invalid.at("", f"webhooks carry no {event.type}")
        task = Hear(event=event.id, agent=interaction.creator.id or "", url=webhook)
        await owe(work, context, workspace, Lane.HEAR, interaction.id, task, context.clock.now())
        return event

    return await transact(context, inner)
