"""What may stand in the chats while the database went back, and what may have been done already."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import delete, insert, select, update

from core.loops.outcomes import OPEN_STATES
from core.loops.places import Alert
from core.loops.values import Loop
from core.outbox import AskWords, Lane, Say
from core.records import Interaction
from core.reminding import ReminderState
from core.restoring import LEASE, Timeline
from core.store.loop_rows import alert_of, loop_of
from core.store.rows import delivery_of, interaction_of
from core.store.tables import (
    CLAIMED,
    PENDING,
    WAITING,
    alerts,
    events,
    inbox,
    install_states,
    interactions,
    invitations,
    leases,
    links,
    loops,
    outbox,
    reminders,
    sessions,
    signins,
    timelines,
    workspaces,
)
from core.store.timeline_rows import OLDEST_FIRST, timeline_of
from core.store.transaction import Transaction

STALE = "the database went back, and nobody waits for these words now"

ENDED_AT_ONCE = 500
"""Deliveries that one statement names."""


class RestoringWork(Transaction):
    """Timelines, and everything that is open."""

    async def timelines(self) -> tuple[Timeline, ...]:
        return tuple(timeline_of(row) for row in await self._all(OLDEST_FIRST))

    async def add_timeline(self, timeline: Timeline) -> None:
        await self._run(insert(timelines).values(asdict(timeline)))

    async def settle_timeline(self, id: str, home: str) -> None:
        await self._run(update(timelines).where(timelines.c.id == id).values(home=home))

    async def newest(self) -> tuple[datetime | None, dict[str, int]]:
        last = await self._first(select(events.c.at).order_by(events.c.id.desc()).limit(1))
        rows = await self._all(select(workspaces.c.id, workspaces.c.position))
        return (last.at if last else None), {row.id: row.position for row in rows}

    async def doubt(self, now: datetime) -> None:
        await self._run(delete(sessions))
        for table in (signins, links, install_states, invitations):
            await self._run(update(table).where(table.c.expires_at > now).values(expires_at=now))
        owed = outbox.c.state.in_((WAITING, CLAIMED))
        await self._run(update(outbox).where(owed).values(calling=True))
        # Whoever had something in hand when the copy was made is gone. The one who calls this has a lease itself.
        await self._run(update(outbox).where(outbox.c.state == CLAIMED).values(lease_until=now))
        await self._run(update(leases).where(leases.c.name != LEASE).values(until=now))
        await self._run(update(inbox).where(inbox.c.state == WAITING).values(lease_until=now))
        sending = (ReminderState.OWED.value, ReminderState.SENDING.value)
        await self._run(
            update(reminders).where(reminders.c.state.in_(sending)).values(state=ReminderState.SENDING.value)
        )
        # Prompts, hints and codes were for that moment. What an asker said to people still is to be said.
        rows = await self._all(select(outbox).where(owed, outbox.c.lane == Lane.TALK.value))
        stale = [row.seq for row in rows if _was_for_the_moment(delivery_of(row).task)]
        ended = {"state": "abandoned", "ended_at": now, "owner": None, "lease_until": None, "last_error": STALE}
        for start in range(0, len(stale), ENDED_AT_ONCE):
            some = stale[start : start + ENDED_AT_ONCE]
            await self._run(update(outbox).where(outbox.c.seq.in_(some)).values(ended))

    async def pending_after(self, id: str, limit: int) -> tuple[Interaction, ...]:
        rows = await self._all(
            select(interactions)
            .where(interactions.c.status == PENDING, interactions.c.id > id)
            .order_by(interactions.c.id)
            .limit(limit)
            .with_for_update(key_share=True)
        )
        # They are locked by that: a receipt for each does not ask again.
        self._locked.update((row.id, row.workspace) for row in rows)
        return tuple(interaction_of(row) for row in rows)

    async def open_orders_after(self, id: str, limit: int) -> tuple[Loop, ...]:
        is_open = loops.c.state.in_([state.value for state in OPEN_STATES])
        statement = select(loops).where(is_open, loops.c.id > id).order_by(loops.c.id).limit(limit)
        return tuple(loop_of(row) for row in await self._all(statement.with_for_update(key_share=True)))

    async def alerts_after(self, id: str, limit: int) -> tuple[Alert, ...]:
        statement = select(alerts).where(alerts.c.order.is_(None), alerts.c.id > id).order_by(alerts.c.id).limit(limit)
        return tuple(alert_of(row) for row in await self._all(statement.with_for_update(key_share=True)))


def _was_for_the_moment(task: object) -> bool:
    return isinstance(task, AskWords) or (isinstance(task, Say) and task.interaction is None)
