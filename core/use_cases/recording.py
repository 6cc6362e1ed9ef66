"""Write what a decision led to: state, receipts, events, and everything owed, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.acts import Quoted, Stamp
from core.addresses import ChatAddress, Provider
from core.controls import Action
from core.deciding import Decision
from core.dues import DueKind
from core.events import WEBHOOK_TYPES, Event, EventType
from core.outbox import Delivery, EndReminder, Hear, Lane, PostCard, RedrawCard, TakeBack
from core.people import By, Via
from core.ports import Context, Work
from core.publications import Publication, PublicationState
from core.records import Interaction
from core.reminding import Reminder, ReminderState, changed
from core.tools.reviewing import reviewed_call
from core.use_cases.held import seen
from core.use_cases.schedule import schedule

_FILLS_FORM = frozenset({Action.WRITE, Action.OTHER, Action.SEARCH})
_SHOWN = frozenset({PublicationState.POSTED, PublicationState.SETTLED, PublicationState.UNKNOWN})


def stamp_for(
    context: Context,
    by: By,
    via: Via,
    provider_event: str | None = None,
    *,
    more_receipts: int = 0,
    tasks: int = 0,
    quoted: Quoted | None = None,
) -> Stamp:
    """Bring the moment and fresh ids to an act."""
    return Stamp(
        now=context.clock.now(),
        by=by,
        via=via,
        receipt=context.ids.new("rcp"),
        provider_event=provider_event,
        more_receipts=tuple(context.ids.new("rcp") for _ in range(more_receipts)),
        tasks=tuple(context.ids.new("tsk") for _ in range(tasks)),
        quoted=quoted,
    )


async def record(
    work: Work,
    context: Context,
    before: Interaction | None,
    decision: Decision,
    publications: Sequence[Publication],
    now: datetime,
    *,
    timed: bool = True,
) -> dict[str, Any]:
    """Write a decision and return the interaction's snapshot. `before` is None for a new one; `timed` makes
    the write itself refuse an interaction whose time is over."""
    after = decision.after
    if before is not None and after is not before:
        if not after.is_pending:
            await work.foresee_end(after.id, publications)
        await work.save_interaction(before, after, now if timed else None)
    for line in decision.receipts:
        await work.record(line, after.id)
    if decision.tasks:
        await work.add_tasks(decision.tasks)
    if after.policy.nudges is not None or after.reminding.snoozes:
        await schedule(work, before, after)
        if not after.is_pending:
            await end_reminders(work, context, after, now)
    if not after.is_pending:
        # What was filled in and not sent is of no use to anybody any more.
        await work.drop_drafts(after.id)
        await take_back_prompts(work, context, after, publications, now)
        call = reviewed_call(after)
        if call is not None and before is not None and before.is_pending:
            await work.set_due(DueKind.TOOL, call, after.workspace, now)
    shown = await seen(work, context, after, publications, now)
    for type_ in decision.events:
        await announce(work, context, after, type_, {"interaction": shown, **decision.said}, now)
    if before is not None and after.version != before.version:
        await redraw_all(work, context, after, publications, now)
    return shown


async def take_back_prompts(
    work: Work,
    context: Context,
    interaction: Interaction,
    copies: Sequence[Publication],
    now: datetime,
    *,
    form_of: str | None = None,
) -> None:
    """Owe the deletion of prompts in the conversations of these copies: of all, as nobody may answer them any more, or
    of those for the form that a person (`form_of`) had open. A late reply is told what stands while a card is settled;
    a form that is closed takes no words, so its prompts are forgotten."""
    for place in dict.fromkeys((one.provider.value, one.account, one.channel or one.place) for one in copies):
        asked = await work.prompts_in(interaction.id, *place)
        if form_of is not None:
            asked = tuple(one for one in asked if one.person == form_of and one.action in _FILLS_FORM)
            for one in asked:
                await work.drop_prompt(one)
        if asked:
            provider, account, channel = place
            messages = tuple(one.message for one in asked)
            task = TakeBack(provider=provider, account=account, channel=channel, messages=messages)
            scope = str(ChatAddress(Provider(provider), account, channel))
            await owe(work, context, interaction.workspace, Lane.TALK, scope, task, now)


async def take_out(
    work: Work, context: Context, workspace: str, provider: str, account: str, where: tuple[str, str], now: datetime
) -> None:
    """Owe the deletion of one message, `where` being its channel and id, from a chat that is to be named no more."""
    channel, message = where
    task = TakeBack(provider=provider, account=account, channel=channel, messages=(message,))
    await owe(work, context, workspace, Lane.TALK, message, task, now)


async def announce(
    work: Work, context: Context, interaction: Interaction, type_: EventType, data: dict[str, Any], now: datetime
) -> None:
    """Append an event, with the asker's `state`, and owe it to their webhook when that carries this type."""
    continuation = interaction.continuation
    event = Event(
        id=context.ids.new("evt"),
        workspace=interaction.workspace,
        position=0,
        type=type_,
        at=now,
        interaction=interaction.id,
        data={**data, "state": continuation.state},
    )
    await work.announce(event)
    if continuation.webhook and type_ in WEBHOOK_TYPES:
        task = Hear(event=event.id, agent=interaction.creator.id or "", url=continuation.webhook)
        await owe(work, context, interaction.workspace, Lane.HEAR, interaction.id, task, now)


async def redraw_all(
    work: Work, context: Context, interaction: Interaction, publications: Sequence[Publication], now: datetime
) -> None:
    """Owe a redraw to every copy that people can see."""
    for publication in publications:
        if publication.state in _SHOWN and publication.message:
            task = RedrawCard(publication=publication.id, where=publication.conversation)
            await owe(work, context, interaction.workspace, Lane.REDRAW, publication.id, task, now)


async def end_reminders(work: Work, context: Context, settled: Interaction, now: datetime) -> None:
    """Nothing is waited for any more: what was sent is to say so, and what was not sent never will be."""
    for reminder in await work.reminders(settled.id):
        if reminder.state is ReminderState.HELD:
            await work.save_reminder(changed(reminder, ReminderState.DROPPED, "the card is settled"))
        publication = await work.publication(reminder.publication)
        if reminder.state is ReminderState.SENT and publication is not None:
            await owe_end(work, context, publication, reminder, now)


async def owe_end(work: Work, context: Context, publication: Publication, reminder: Reminder, now: datetime) -> None:
    """Owe the edit that makes a reminder say how its card ended, or that it is open after all."""
    task = EndReminder(interaction=reminder.interaction, reminder=reminder.id, where=publication.conversation)
    await owe(work, context, publication.workspace, Lane.REDRAW, reminder.id, task, now)


async def post(work: Work, context: Context, publication: Publication, now: datetime) -> None:
    """Owe a copy's first post. Cards to one conversation go out in the order they were asked."""
    task = PostCard(publication=publication.id, where=publication.conversation)
    await owe(work, context, publication.workspace, Lane.POST, publication.conversation, task, now)


async def owe(work: Work, context: Context, workspace: str, lane: Lane, key: str, task: Any, now: datetime) -> None:
    """Add one delivery to the outbox, due at `now`."""
    delivery = Delivery(id=context.ids.new("dlv"), workspace=workspace, lane=lane, key=key, task=task, due_at=now)
    await work.owe(delivery)
