"""Reminders that were sent, and what says when people and workspaces want to be left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, insert, select, union_all, update

from core.dues import DueKind
from core.held import Queued
from core.people import Identity, Person
from core.quiet import WorkingCalendar
from core.reminding import LoopReminder, Reminder, ReminderState
from core.store.named import calendar, people_named, profile_zone, profile_zones
from core.store.queued import queued_of
from core.store.tables import HELD, dues, loop_reminders, reminders, workspaces
from core.store.transaction import Transaction


def _reminder_of(row: Row[Any]) -> Reminder:
    values = {name: getattr(row, name) for name in Reminder.__dataclass_fields__}
    return Reminder(**{**values, "state": ReminderState(row.state)})


def _reminder_row(value: Reminder) -> dict[str, Any]:
    return {**asdict(value), "state": value.state.value}


_COUNTED = [state.value for state in (ReminderState.OWED, ReminderState.SENDING, ReminderState.SENT)]


class RemindersWork(Transaction):
    """Keep reminders, calendars and zones."""

    async def add_reminder(self, reminder: Reminder) -> None:
        await self._run(insert(reminders).values(_reminder_row(reminder)))

    async def save_reminder(self, reminder: Reminder) -> None:
        await self._run(update(reminders).where(reminders.c.id == reminder.id).values(_reminder_row(reminder)))

    async def reminder(self, id: str) -> Reminder | None:
        row = await self._one(select(reminders).where(reminders.c.id == id).with_for_update())
        return _reminder_of(row) if row else None

    async def reminders(self, interaction: str) -> tuple[Reminder, ...]:
        rows = await self._all(
            select(reminders).where(reminders.c.interaction == interaction).order_by(reminders.c.at, reminders.c.id)
        )
        return tuple(_reminder_of(row) for row in rows)

    async def held_reminders(self, workspace: str, recipient: str) -> tuple[Reminder, ...]:
        table = reminders.c
        which = (table.workspace == workspace, table.recipient == recipient, table.state == HELD)
        rows = await self._all(select(reminders).where(*which).order_by(table.at, table.id))
        return tuple(_reminder_of(row) for row in rows)

    async def add_loop_reminder(self, reminder: LoopReminder) -> None:
        await self._run(insert(loop_reminders).values({**asdict(reminder), "state": reminder.state.value}))

    async def save_loop_reminder(self, reminder: LoopReminder) -> None:
        values = {**asdict(reminder), "state": reminder.state.value}
        await self._run(update(loop_reminders).where(loop_reminders.c.id == reminder.id).values(values))

    async def held_loop_reminders(self, workspace: str, recipient: str) -> tuple[LoopReminder, ...]:
        table = loop_reminders.c
        which = (table.workspace == workspace, table.recipient == recipient, table.state == HELD)
        rows = await self._all(select(loop_reminders).where(*which).order_by(table.at, table.id))
        held = ReminderState.HELD
        return tuple(LoopReminder(row.id, row.workspace, row.loop, row.recipient, row.at, held) for row in rows)

    async def held_loops(self, workspace: str, loops: Sequence[str]) -> dict[str, datetime]:
        table = loop_reminders.c
        listed = and_(dues.c.kind == DueKind.HELD.value, dues.c.subject == table.recipient)
        which = (table.loop.in_(loops), table.workspace == workspace, table.state == HELD)
        rows = await self._all(select(table.loop, dues.c.due_at).join(dues, listed).where(*which))
        return {row.loop: row.due_at for row in rows}

    async def reminded_at(self, workspace: str, recipient: str, since: datetime) -> tuple[datetime, ...]:
        # Those of other transactions that are to come to an end first are counted as well.
        await self._lock_name(f"reminders {workspace} {recipient}")
        counted = union_all(
            *(
                select(one.c.at).where(
                    one.c.workspace == workspace,
                    one.c.recipient == recipient,
                    one.c.at > since,
                    one.c.state.in_(_COUNTED),
                )
                for one in (reminders, loop_reminders)
            )
        )
        return tuple(sorted(row.at for row in await self._all(counted)))

    async def calendar(self, workspace: str) -> WorkingCalendar | None:
        return await calendar(self._all, workspace)

    async def save_calendar(self, workspace: str, calendar: WorkingCalendar | None) -> None:
        kept = calendar.model_dump(mode="json") if calendar else None
        await self._run(update(workspaces).where(workspaces.c.id == workspace).values(calendar=kept))

    async def queued_reminders(self, workspace: str, interactions: Sequence[str]) -> dict[str, Queued]:
        return await queued_of(self._all, workspace, interactions)

    async def people_named(self, workspace: str, handles: Sequence[str], users: Sequence[str]) -> tuple[Person, ...]:
        return await people_named(self._all, workspace, handles, users)

    async def profile_zones(self, workspace: str, identities: Sequence[Identity]) -> dict[Identity, str]:
        return await profile_zones(self._all, workspace, identities)

    async def profile_zone(self, workspace: str, identity: Identity) -> str | None:
        return await profile_zone(self._all, workspace, identity)
