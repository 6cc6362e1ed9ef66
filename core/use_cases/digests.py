"""Lists of what waits for somebody: in the morning for those who want it, and instead of too many reminders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from core.addresses import ChatAddress, PersonAddress, parse_address
from core.dues import Due, DueKind
from core.errors import Invalid
from core.loops.outcomes import LoopState
from core.loops.values import Loop
from core.outbox import Claimed, Lane, SendDigest
from core.people import Person
from core.ports import Context, Work
from core.quiet import FURTHEST, Window, opens_at, zone_of
from core.records import Interaction
from core.reminding import LEFT_ALONE, ReminderState, changed
from core.use_cases.destinations import resolve
from core.use_cases.loop_recording import quiet_of
from core.use_cases.nudge import is_still
from core.use_cases.recipients import Lookups, recipient_of, zone_of_person
from core.use_cases.recording import owe
from core.use_cases.transact import transact

USUAL_TIME = "09:00"
MORNING = timedelta(hours=3)
"""How long after its time a morning list is still one."""


@dataclass(frozen=True)
class Listed:
    """Ids of what a list is made of; of none where it is made of all that waits."""

    interactions: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()


async def fire_held(work: Work, context: Context, due: Due) -> None:
    """Reminders were held because they were too many: their recipient gets one list instead."""
    if not await is_still(work, due):
        return
    now, workspace = context.clock.now(), due.workspace
    await work.set_due(DueKind.HELD, due.subject, workspace, None)
    held = await work.held_reminders(workspace, due.subject)
    for reminder in held:
        await work.save_reminder(changed(reminder, ReminderState.OVER, "it went out in a list"))
    of_work = await work.held_loop_reminders(workspace, due.subject)
    for one in of_work:
        await work.save_loop_reminder(replace(one, state=ReminderState.OVER))
    listed = Listed(_ids(one.interaction for one in held), _ids(one.loop for one in of_work))
    if listed.interactions or listed.loops:
        await _owe_digest(work, context, workspace, due.subject, listed, now + timedelta(hours=1))


def _ids(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


async def begin_list(context: Context, claimed: Claimed, task: SendDigest) -> tuple[Interaction | Loop, ...]:
    """The cards and work orders of a list that takes the place of reminders: those that would still be reminded of.
    With none of them the delivery is over; while its recipient is to be left alone with all of them it waits."""

    async def inner(work: Work) -> tuple[Interaction | Loop, ...]:
        now, found = context.clock.now(), list[tuple[datetime, Interaction | Loop]]()
        for id in task.interactions:
            interaction = await work.interaction(claimed.delivery.workspace, id)
            at = await _hears_at(work, interaction, claimed.delivery.key, now) if interaction is not None else None
            if interaction is not None and at is not None:
                found.append((at, interaction))
        for id in task.loops:
            loop = await work.loop(claimed.delivery.workspace, id)
            at = await _hears_of(work, loop, now) if loop is not None else None
            if loop is not None and at is not None:
                found.append((at, loop))
        if not found:
            await work.finish(claimed)
            return ()
        earliest = min(at for at, _ in found)
        if earliest > now:
            await work.postpone(claimed, earliest, LEFT_ALONE, blocking=False, tried=False)
            return ()
        # Whoever put a card off hears of it when they said; quiet hours of one card do not hide it among others.
        return tuple(one for _, one in found)

    return await transact(context, inner)


async def _hears_at(work: Work, interaction: Interaction, key: str, now: datetime) -> datetime | None:
    """When a recipient would be reminded of a card, from `now` on; None: not any more, or when they asked for it."""
    if not interaction.is_pending or interaction.is_due(now) or interaction.dismissed_at is not None:
        return None
    calendar, found = await work.calendar(interaction.workspace), list[datetime]()
    for publication in await work.publications(interaction.id):
        recipient = await recipient_of(work, interaction, publication)
        snoozed = recipient.snoozed_until(interaction)
        if publication.message is None or recipient.key != key or (snoozed is not None and snoozed > now):
            continue
        at = recipient.hears_at(interaction, now, calendar)
        found += [at] if at is not None else []
    return min(found, default=None)


async def _hears_of(work: Work, loop: Loop, now: datetime) -> datetime | None:
    """When somebody would be reminded of a work order, from `now` on; None: not any more."""
    if not loop.is_open or (loop.state is not LoopState.OPEN and loop.overdue_at is None):
        return None
    return opens_at(now, await quiet_of(work, loop))


async def fire_digest(work: Work, context: Context, due: Due) -> None:
    """It is somebody's morning, unless nobody was awake for so long that it is over: the next one has the same."""
    person = await work.person(due.workspace, due.subject)
    if not await is_still(work, due):
        return
    if person is None or person.digest is None:
        await work.set_due(DueKind.DIGEST, due.subject, due.workspace, None)
        return
    now = context.clock.now()
    morning = await next_digest(work, person, now - MORNING)
    if morning is not None and morning <= now:
        await _owe_digest(work, context, due.workspace, person.id, Listed(), morning + MORNING)
    await work.set_due(DueKind.DIGEST, person.id, person.workspace, await next_digest(work, person, now))


async def next_digest(work: Lookups, person: Person, now: datetime) -> datetime | None:
    """The next morning of somebody who wants the list: after `now`, on a day on which the workspace works."""
    if person.digest is None:
        return None
    calendar = await work.calendar(person.workspace)
    zone = zone_of(await zone_of_person(work, person) or (calendar.zone if calendar else "UTC"))
    clock = time.fromisoformat(person.digest)
    days = (
        Window(zone, days=frozenset(calendar.days), holidays=frozenset(calendar.holidays)) if calendar else Window(zone)
    )
    today = now.astimezone(zone).date()
    for ahead in range(FURTHEST.days):
        # Of a time that a clock change repeats the first counts; of one that it leaves out, what clocks show instead.
        at = datetime.combine(today + timedelta(days=ahead), clock, tzinfo=zone).astimezone(UTC)
        if at > now and days.next_open(at) == at:
            return at
    return None


async def _owe_digest(
    work: Work, context: Context, workspace: str, recipient: str, listed: Listed, until: datetime
) -> None:
    """Owe a list to a person, in the chat they prefer, or to a conversation."""
    is_person = recipient.startswith("per_")
    address = parse_address(recipient) if not is_person else None
    if is_person:
        person = await work.person(workspace, recipient)
        address = PersonAddress(person.handle) if person is not None else None
    if not isinstance(address, ChatAddress | PersonAddress):
        return
    try:
        (place,) = await resolve(work, workspace, [address], [""])
    except Invalid:
        # They have no chat here, or not any more: their inbox has the list.
        return
    task = SendDigest(
        provider=place.provider.value,
        account=place.account or "",
        channel=place.place,
        person=recipient if is_person else None,
        interactions=listed.interactions,
        loops=listed.loops,
        until=until,
    )
    await owe(work, context, workspace, Lane.NUDGE, recipient, task, context.clock.now())
