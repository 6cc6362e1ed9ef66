"""The bookkeeping around sending a reminder: the state is read again just before the call, and one whose outcome nobody
knows is never sent again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from core.channels import Posted
from core.notices import Named, ReminderNotice
from core.outbox import Claimed, EndReminder, Remind
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.reminding import LEFT_ALONE, Reminder, ReminderState, changed
from core.use_cases.recipients import account_on, recipient_of, zone_of_person
from core.use_cases.recording import owe_end
from core.use_cases.showing import card_of
from core.use_cases.transact import transact

UNHEARD = "nobody knows whether it arrived, so it is not sent again"


@dataclass(frozen=True)
class ReadyReminder:
    """A reminder to send, or to make say that its card is settled."""

    reminder: Reminder
    publication: Publication
    notice: ReminderNotice


async def begin_remind(context: Context, claimed: Claimed, task: Remind, link_ok: bool) -> ReadyReminder | None:
    """Note that a call is about to be made. None: there is nothing to remind of any more, and the delivery is over."""

    async def inner(work: Work) -> ReadyReminder | None:
        interaction = await work.interaction(claimed.delivery.workspace, task.interaction)
        reminder = await work.reminder(task.reminder)
        publication = await work.publication(reminder.publication) if reminder is not None else None
        if interaction is None or reminder is None or publication is None:
            await work.abandon(claimed, "the card is gone")
            return None
        if reminder.state is ReminderState.SENDING:
            await work.save_reminder(changed(reminder, ReminderState.DROPPED, UNHEARD))
            await work.abandon(claimed, UNHEARD)
            return None
        why_not = _why_not(interaction, reminder, publication, context.clock.now())
        if why_not is not None:
            if reminder.state is ReminderState.OWED:
                await work.save_reminder(changed(reminder, ReminderState.DROPPED, why_not))
            await work.finish(claimed)
            return None
        at = await _hears_at(work, interaction, reminder, publication, context.clock.now())
        if at is None:
            await work.save_reminder(changed(reminder, ReminderState.DROPPED, LEFT_ALONE))
            await work.finish(claimed)
            return None
        if at > context.clock.now():
            # It was kept back until nobody wants to be reminded any more: it waits as it would have from the start.
            await work.save_reminder(replace(reminder, at=at, reason=LEFT_ALONE))
            await work.postpone(claimed, at, LEFT_ALONE, blocking=False, tried=False)
            return None
        sending = changed(reminder, ReminderState.SENDING)
        await work.save_reminder(sending)
        return await _ready(work, context, interaction, sending, publication, link_ok)

    return await transact(context, inner)


def _why_not(interaction: Interaction, reminder: Reminder, publication: Publication, now: datetime) -> str | None:
    """Why a reminder is not sent after all; None: it is."""
    if reminder.state is not ReminderState.OWED:
        return "it was let go of"
    if not interaction.is_pending or interaction.is_due(now):
        return "the card is settled"
    if interaction.dismissed_at is not None:
        return "the card was set aside"
    if publication.message is None:
        return "the card is not there any more"
    return None


async def _hears_at(
    work: Work, interaction: Interaction, reminder: Reminder, publication: Publication, now: datetime
) -> datetime | None:
    """When a reminder may go out, from `now` on; None: it never may, or another one takes its place."""
    if reminder.person is not None:
        # They chose the moment. Whoever put it off again meanwhile is reminded then, and whoever voted not at all.
        if interaction.has_voted(reminder.person):
            return None
        again = interaction.reminding.snoozed_until(reminder.person)
        return None if again is not None and again > now else now
    recipient = await recipient_of(work, interaction, publication)
    return recipient.hears_at(interaction, now, await work.calendar(interaction.workspace))


async def _ready(
    work: Work,
    context: Context,
    interaction: Interaction,
    reminder: Reminder,
    publication: Publication,
    link_ok: bool,
) -> ReadyReminder:
    now = context.clock.now()
    recipient = await recipient_of(work, interaction, publication)
    calls, zones = recipient.calls(interaction, now), recipient.zones
    if reminder.person is not None:
        person = await work.person(interaction.workspace, reminder.person)
        account = account_on(person, publication) if person is not None else None
        calls = (Named(account, person.name),) if person is not None and account is not None else ()
        zone = await zone_of_person(work, person, publication) if person is not None else None
        zones = (zone,) if zone is not None else zones
    calendar = await work.calendar(interaction.workspace)
    usual = calendar.zone if calendar else "UTC"
    card = await card_of(work, context, interaction, publication, link_ok)
    # Among people of several zones, the one that all of them know.
    zone = zones[0] if len(zones) == 1 else usual
    return ReadyReminder(reminder, publication, ReminderNotice(card, reminder.number, reminder.of, calls, now, zone))


async def reminded(context: Context, claimed: Claimed, ready: ReadyReminder, where: Posted) -> None:
    """The chat has it. Was the card settled meanwhile, it is to say so at once."""

    async def inner(work: Work) -> None:
        interaction = await work.interaction(claimed.delivery.workspace, ready.reminder.interaction)
        sent = replace(ready.reminder, state=ReminderState.SENT, channel=where.channel, message=where.message)
        await work.save_reminder(sent)
        await work.finish(claimed)
        if interaction is not None and not interaction.is_pending:
            await owe_end(work, context, ready.publication, sent, context.clock.now())

    await transact(context, inner)


async def not_reminded(
    context: Context, claimed: Claimed, ready: ReadyReminder, error: str, due_at: datetime | None
) -> None:
    """It was certainly not sent: owe it again at `due_at`, or (None) let go of it."""

    async def inner(work: Work) -> None:
        await work.interaction(claimed.delivery.workspace, ready.reminder.interaction)
        if due_at is not None and await work.postpone(claimed, due_at, error):
            await work.save_reminder(changed(ready.reminder, ReminderState.OWED, error))
        elif due_at is None and await work.abandon(claimed, error):
            await work.save_reminder(changed(ready.reminder, ReminderState.DROPPED, error))

    await transact(context, inner)


async def begin_end(context: Context, claimed: Claimed, task: EndReminder, link_ok: bool) -> ReadyReminder | None:
    """What a reminder that was sent must say now. None: nothing, and the delivery is over. Its card is open only where
    the database went back to when it was."""

    async def inner(work: Work) -> ReadyReminder | None:
        interaction = await work.interaction(claimed.delivery.workspace, task.interaction)
        reminder = await work.reminder(task.reminder)
        publication = await work.publication(reminder.publication) if reminder is not None else None
        if interaction is None or reminder is None or publication is None:
            await work.abandon(claimed, "the card is gone")
            return None
        if reminder.message is None or reminder.state is not ReminderState.SENT:
            await work.finish(claimed)
            return None
        return await _ready(work, context, interaction, reminder, publication, link_ok)

    return await transact(context, inner)


async def ended(context: Context, claimed: Claimed, ready: ReadyReminder) -> None:
    """The reminder says how the card stands, or is gone. One that reminds of an open card does so until that ends."""

    async def inner(work: Work) -> None:
        await work.interaction(claimed.delivery.workspace, ready.reminder.interaction)
        if not ready.notice.card.interaction.is_pending:
            await work.save_reminder(changed(ready.reminder, ReminderState.OVER))
        await work.finish(claimed)

    await transact(context, inner)
