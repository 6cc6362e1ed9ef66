"""Reminders and lists on their way out. What may have been sent is never sent again."""

from __future__ import annotations

from bot.chats import DEAD_WAIT
from bot.errands.noting import Notes
from bot.listing import Listing
from core.addresses import ChatAddress, Provider
from core.channels import Posted
from core.errors import ChannelError, InstallationDead, MessageGone, PlaceMoved, Transient
from core.notices import DigestNotice
from core.outbox import Claimed, EndReminder, Remind, SendDigest
from core.people import Identity, Membership, Person
from core.use_cases import digests, reminders
from core.use_cases.recipients import zone_of_person
from core.use_cases.transact import transact
from core.waiting import by_patience

MOST_LISTED = 10
"""Cards and work orders in one list; the inbox has the rest."""


class ReminderErrands:
    """Sends reminders and lists, and ends reminders. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(self, notes: Notes, listing: Listing, *, link_ok: bool) -> None:
        self._notes = notes
        self._listing = listing
        self._link_ok = link_ok

    async def remind(self, claimed: Claimed, task: Remind) -> None:
        """Send a reminder, unless nothing is to be reminded of any more."""
        ready = await reminders.begin_remind(self._notes.context, claimed, task, self._link_ok)
        if ready is None:
            return
        own = ready.publication
        try:
            where = await (await self._notes.channel(claimed, own.provider, own.account)).remind(ready.notice, own)
        except (Transient, InstallationDead, PlaceMoved) as error:
            # It was certainly not sent.
            await self._notes.failed(claimed, error)
            if isinstance(error, PlaceMoved):
                await self._notes.moved(own.provider, own.account, own.channel or own.place, error.place)
            due = self._notes.due_again(claimed, error.retry_after if isinstance(error, Transient) else None)
            if due is not None:
                self._notes.telemetry.not_yet(claimed, error, due)
            await reminders.not_reminded(self._notes.context, claimed, ready, str(error), due)
            return
        except ChannelError as error:
            await self._notes.failed(claimed, error)
            await reminders.not_reminded(self._notes.context, claimed, ready, f"{type(error).__name__}: {error}", None)
            return
        await reminders.reminded(self._notes.context, claimed, ready, where)
        self._notes.telemetry.delivered(claimed)

    async def end(self, claimed: Claimed, task: EndReminder) -> None:
        """Make a reminder say how its card stands."""
        ready = await reminders.begin_end(self._notes.context, claimed, task, self._link_ok)
        if ready is None:
            return
        own, sent = ready.publication, ready.reminder
        where = Posted(channel=sent.channel or own.channel or own.place, message=sent.message or "")
        try:
            await (await self._notes.channel(claimed, own.provider, own.account)).end_reminder(ready.notice, own, where)
        except MessageGone:
            pass
        except ChannelError as error:
            if isinstance(error, Transient | InstallationDead):
                await self._notes.again(claimed, error, own)
            else:
                await self._notes.failed(claimed, error)
                await self._notes.end(claimed, f"{type(error).__name__}: {error}")
            return
        await reminders.ended(self._notes.context, claimed, ready)
        self._notes.telemetry.delivered(claimed)

    async def send_digest(self, claimed: Claimed, task: SendDigest) -> None:
        """Send the list of what waits now; nothing when nothing does."""
        if claimed.unheard:
            await self._notes.end(claimed, reminders.UNHEARD)
            return
        digest = await self._digest(claimed, task)
        if digest is None or not await transact(self._notes.context, lambda work: work.begin_call(claimed)):
            return
        try:
            await (await self._notes.channel(claimed, Provider(task.provider), task.account)).digest(digest, task)
        except (Transient, InstallationDead) as error:
            await self._not_yet(claimed, task, error)
            return
        except ChannelError as error:
            await self._notes.failed(claimed, error)
            await self._notes.end(claimed, f"{type(error).__name__}: {error}")
            return
        await self._notes.done(claimed)

    async def _not_yet(self, claimed: Claimed, task: SendDigest, error: Transient | InstallationDead) -> None:
        """It was certainly not sent: give it back, while it is worth anything."""
        await self._notes.failed(claimed, error)
        after = error.retry_after if isinstance(error, Transient) else DEAD_WAIT.total_seconds()
        due = self._notes.due_again(claimed, after)
        if due is None or (due > task.until and not task.is_held):
            await self._notes.end(claimed, str(error))
            return
        self._notes.telemetry.not_yet(claimed, error, due)
        await transact(self._notes.context, lambda work: work.postpone(claimed, due, str(error), unsent=True))

    async def _digest(self, claimed: Claimed, task: SendDigest) -> DigestNotice | None:
        """The list as it is now; None: there is none to send, and that is noted."""
        context, workspace = self._notes.context, claimed.delivery.workspace
        now = context.clock.now()
        async with context.work() as work:
            person = await work.person(workspace, task.person) if task.person is not None else None
            calendar = await work.calendar(workspace)
            usual = calendar.zone if calendar else "UTC"
            zone = (await zone_of_person(work, person) if person is not None else None) or usual
        if task.is_held:
            things = await digests.begin_list(context, claimed, task)
            entries = await self._listing.entries_of(workspace, things, person, *_reader(person, task))
        else:
            of_whom = person if now <= task.until else None
            page = await self._listing.page_of(of_whom, _account(of_whom, task)) if of_whom is not None else None
            entries = page.entries if page is not None else ()
            if not entries:
                await self._notes.done(claimed)
        if not entries:
            return None
        return DigestNotice(
            entries=by_patience(entries)[:MOST_LISTED],
            more=max(0, len(entries) - MOST_LISTED),
            held=task.is_held,
            now=now,
            zone=zone,
            inbox_url=context.inbox_url,
            link_ok=self._link_ok,
        )


def _reader(person: Person | None, task: SendDigest) -> tuple[Identity, dict[str, Membership]]:
    """Who reads a list, and in which conversation whoever is there does."""
    own = _account(person, task) if person is not None else None
    there = ChatAddress(Provider(task.provider), task.account, task.channel)
    whoever = {"provider": task.provider, "account": task.account, "user": task.channel}
    reader = own or Identity.model_validate(whoever)
    return reader, {} if person is not None else {str(there): Membership.YES}


def _account(person: Person, task: SendDigest) -> Identity | None:
    """Their account whose chat the list goes to: what it is there decides what waits for them."""
    chat = (task.provider, task.channel)
    return next((one for one in person.identities if (one.provider, one.user) == chat), None)
