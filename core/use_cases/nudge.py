"""The timer reminds people of a card, and brings in others once nobody answered. One transaction each time: the state
is looked at again in it, so nothing is recorded or owed for a card that is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.acts import Nudge
from core.dues import Due, DueKind
from core.interactions import decide
from core.nudging import CAP, CAP_SPAN, next_nudge, plan_of
from core.outbox import Lane, Remind
from core.people import TIMER, Via
from core.ports import Context, Work
from core.publications import Publication, PublicationState
from core.records import Interaction
from core.reminding import Reminder, ReminderState, changed
from core.use_cases.escalate import escalate_in, others_hear_at
from core.use_cases.recipients import Recipient, account_on, recipient_of
from core.use_cases.recording import owe, record, stamp_for
from core.use_cases.schedule import schedule, snooze_key


@dataclass(frozen=True)
class _Wanted:
    """One copy that is to be reminded, and when its people may be."""

    recipient: Recipient
    opens_at: datetime


async def fire_nudge(work: Work, context: Context, due: Due) -> None:
    """Do what the plan of an interaction wants now, and say when to look again."""
    interaction = await work.interaction(due.workspace, due.subject)
    if not await is_still(work, due) or interaction is None:
        return
    now = context.clock.now()
    wanted = next_nudge(interaction)
    if wanted is None or interaction.is_due(now):
        await work.set_due(DueKind.NUDGE, due.subject, due.workspace, None)
        return
    if wanted > now:
        # The clock went back, or the card changed: what stands is what counts.
        await work.set_due(DueKind.NUDGE, due.subject, due.workspace, wanted)
        return
    publications = await work.publications(interaction.id)
    reached = [at for at in plan_of(interaction).reminders if at <= now]
    again: datetime | None = None
    if reached and reached[-1] != interaction.reminding.done_to:
        again = await _remind(work, context, interaction, publications, reached[-1], now)
        interaction = await work.interaction(due.workspace, due.subject) or interaction
    others = await _bring_in(work, context, interaction, publications, now)
    if again is not None or others is not None:
        # Something was put off, so it is looked at again when that or what comes next in the plan is due.
        coming = [at for at in plan_of(interaction).reminders if at > now][:1]
        next_at = min(at for at in (again, others, *coming) if at is not None)
        await work.set_due(DueKind.NUDGE, due.subject, due.workspace, next_at)


async def _bring_in(
    work: Work, context: Context, interaction: Interaction, publications: Sequence[Publication], now: datetime
) -> datetime | None:
    """Bring in others once the plan says so, whoever else wants to be left alone. Returns when that is to be, if not
    now."""
    planned = plan_of(interaction).escalation
    if planned is None or interaction.reminding.escalated_at is not None:
        return None
    at = planned if planned > now else await others_hear_at(work, interaction, now)
    if at <= now:
        await escalate_in(work, context, interaction, publications)
        return None
    return at


async def is_still(work: Work, due: Due) -> bool:
    """Whether the row is still the one that was claimed. What it is about must be locked by then."""
    current = await work.due(due.kind, due.subject)
    return current is not None and current.generation == due.generation


async def _remind(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    done_to: datetime,
    now: datetime,
) -> datetime | None:
    """Remind of it on every copy. Returns when to try again if nobody may be reminded now."""
    moments, earlier = plan_of(interaction).reminders, await work.reminders(interaction.id)
    number, of = moments.index(done_to) + 1, len(moments)
    if any(one.number == number for one in earlier):
        # It went out before its time, while the clock was ahead.
        reminding = interaction.reminding.model_copy(update={"done_to": done_to})
        await _go_on(work, interaction, interaction.model_copy(update={"reminding": reminding}), now)
        return None
    calendar = await work.calendar(interaction.workspace)
    found: list[_Wanted] = []
    for publication in publications:
        if publication.state is not PublicationState.POSTED or publication.message is None:
            continue
        recipient = await recipient_of(work, interaction, publication)
        opens = recipient.hears_at(interaction, now, calendar)
        if opens is not None:
            found.append(_Wanted(recipient, opens))
    found = _once_each(found)
    if found and all(one.opens_at > now for one in found):
        return min(one.opens_at for one in found)
    stamp = stamp_for(context, TIMER, Via.TIMER)
    act = Nudge(number, of, done_to, tuple(one.recipient.publication.conversation for one in found))
    decision = decide(interaction, act, stamp)
    if not found:
        # There is nobody to remind in any chat; that moment of the plan is over all the same.
        await _go_on(work, interaction, decision.after, now)
        return None
    await record(work, context, interaction, decision, publications, now)
    await _drop_owed(work, earlier, [one.recipient.publication for one in found])
    # In one order, so that transactions which count for the same recipients do not wait for each other in a circle.
    for one in sorted(found, key=lambda wanted: wanted.recipient.key):
        await _send(work, context, decision.after, one, (number, of), now)
    return None


async def _go_on(work: Work, before: Interaction, after: Interaction, now: datetime) -> None:
    """Leave a moment of the plan behind."""
    await work.save_interaction(before, after, now)
    await schedule(work, before, after)


def _once_each(found: Sequence[_Wanted]) -> list[_Wanted]:
    """Whoever has the card in several chats of their own is reminded in the one they prefer."""
    preferred: dict[str, _Wanted] = {}
    for one in found:
        recipient = one.recipient
        key = recipient.key if recipient.publication.is_private else recipient.publication.id
        best = preferred.get(key)
        if best is None or (recipient.people and _rank(recipient) < _rank(best.recipient)):
            preferred[key] = one
    return list(preferred.values())


def _rank(recipient: Recipient) -> int:
    """How far behind the chat of a copy is among those of the person alone there."""
    accounts = recipient.people[0].identities
    account = account_on(recipient.people[0], recipient.publication)
    return accounts.index(account) if account in accounts else len(accounts)


async def _drop_owed(work: Work, reminders: Sequence[Reminder], copies: Sequence[Publication]) -> None:
    """Let go of reminders that were not sent yet where another one goes. One that somebody asked for in a conversation
    with others stays theirs."""
    private = {copy.id: copy.is_private for copy in copies}
    for earlier in reminders:
        waits = earlier.state in (ReminderState.OWED, ReminderState.HELD)
        if waits and earlier.publication in private and (earlier.person is None or private[earlier.publication]):
            await work.save_reminder(changed(earlier, ReminderState.DROPPED, "another reminder took its place"))


async def _send(
    work: Work, context: Context, interaction: Interaction, wanted: _Wanted, count: tuple[int, int], now: datetime
) -> None:
    """Owe a reminder on one copy, or hold it where its recipient had too many: those become one message."""
    publication, key = wanted.recipient.publication, wanted.recipient.key
    until = await held_until(work, interaction.workspace, key, now)
    reminder = Reminder(
        id=context.ids.new("rem"),
        workspace=interaction.workspace,
        interaction=interaction.id,
        publication=publication.id,
        recipient=key,
        number=count[0],
        of=count[1],
        at=now,
        state=ReminderState.HELD if until is not None else ReminderState.OWED,
        reason="more than three reminders within an hour go out as one message" if until is not None else None,
    )
    await work.add_reminder(reminder)
    if until is not None:
        await work.set_due(DueKind.HELD, key, interaction.workspace, until)
    else:
        await owe_reminder(work, context, interaction, publication, reminder, wanted.opens_at)


async def held_until(work: Work, workspace: str, recipient: str, now: datetime) -> datetime | None:
    """When one more reminder goes out in a list, because its recipient had too many within the hour; None: it may go
    out by itself."""
    recent = await work.reminded_at(workspace, recipient, now - CAP_SPAN)
    return recent[-CAP] + CAP_SPAN if len(recent) >= CAP else None


async def owe_reminder(
    work: Work, context: Context, interaction: Interaction, publication: Publication, reminder: Reminder, at: datetime
) -> None:
    """Put a reminder into the outbox, to go out at `at`."""
    task = Remind(interaction=interaction.id, reminder=reminder.id, where=publication.conversation)
    await owe(work, context, interaction.workspace, Lane.NUDGE, publication.id, task, at)


async def fire_snooze(work: Work, context: Context, due: Due) -> None:
    """Somebody wanted to hear of it again now."""
    id, _, person = due.subject.partition("/")
    interaction = await work.interaction(due.workspace, id)
    if not await is_still(work, due) or interaction is None:
        return
    await work.set_due(DueKind.SNOOZE, due.subject, due.workspace, None)
    now = context.clock.now()
    snooze = next((one for one in interaction.reminding.snoozes if one.by.id == person), None)
    if snooze is None or not interaction.is_pending or interaction.is_due(now) or interaction.dismissed_at is not None:
        return
    if interaction.has_voted(person):
        return
    if snooze.until > now:
        await work.set_due(DueKind.SNOOZE, snooze_key(id, person), due.workspace, snooze.until)
        return
    publications = await work.publications(id)
    shown = [one for one in publications if one.state is PublicationState.POSTED and one.message is not None]
    own = next((one for one in shown if one.number == snooze.publication), None)
    copy = own or next((one for one in shown if one.is_private), None) or next(iter(shown), None)
    if copy is None:
        return
    reminder = Reminder(
        id=context.ids.new("rem"),
        workspace=due.workspace,
        interaction=id,
        publication=copy.id,
        recipient=person,
        number=0,
        of=0,
        at=now,
        person=person,
    )
    if copy.is_private:
        await _drop_owed(work, await work.reminders(id), [copy])
    await work.add_reminder(reminder)
    await owe_reminder(work, context, interaction, copy, reminder, now)
