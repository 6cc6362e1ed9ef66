"""Everything that counts from moments which a clock that went back has before it again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Table, and_, delete, func, or_, select, update

from core.access import ROTATION
from core.dues import Due, DueKind
from core.installations import STATE_GOOD_FOR, TOKEN_LASTS
from core.nudging import CAP_SPAN
from core.outbox import LONGEST_GAP, Lane
from core.publications import PublicationState
from core.restoring import LEASE, SKEW
from core.store.tables import (
    WAITING,
    agent_keys,
    agent_secrets,
    drafts,
    dues,
    events,
    follow_ups,
    inbox,
    install_states,
    installations,
    invitations,
    leases,
    links,
    loop_reminders,
    outbox,
    paces,
    publications,
    reminders,
    sessions,
    signins,
)
from core.store.transaction import Transaction
from core.store.work.dues import due_of
from core.turned_back import LONGEST_CLAIM

LONGEST_JITTER: Final = 1.5
"""By how much the gap before another try may be stretched."""

LONGEST_TURN: Final = timedelta(minutes=1)
"""How far ahead turns are taken in the usual course."""

NEWEST: Final = 1_000
"""Events that are looked at to find out whether a clock was ahead: what a process does after its clock went back has
later ids than what it did before."""

_LOST = (PublicationState.SENDING.value, PublicationState.UNKNOWN.value)


class TurnedBackWork(Transaction):
    """Bring moments near."""

    async def was_ahead(self, now: datetime) -> bool:
        newest = select(events.c.at).order_by(events.c.id.desc()).limit(NEWEST).subquery()
        last = await self._one(select(func.max(newest.c.at).label("at")))
        if last is not None and last.at is not None and last.at > now + SKEW:
            return True
        longest = now + LONGEST_CLAIM + SKEW
        done = select(outbox.c.seq).where(outbox.c.ended_at > longest).limit(1)
        held = select(leases.c.name).where(leases.c.name != LEASE, leases.c.until > longest).limit(1)
        return await self._first(done) is not None or await self._first(held) is not None

    async def draw_near(self, now: datetime) -> None:
        await self._owe_soon(now)
        await self._end_claims(now)
        await self._remember_as_of(now)
        await self._count_dues_from(now)

    async def _owe_soon(self, now: datetime) -> None:
        """What waits to be sent waits no longer than it would, had it just failed, and no turn is taken far ahead."""
        for lane in Lane:
            # A reminder that waits for people to wake finds that out again.
            furthest = now if lane is Lane.NUDGE else now + LONGEST_GAP[lane] * LONGEST_JITTER
            late = or_(outbox.c.due_at > furthest, and_(outbox.c.due_at > now, outbox.c.last_error.is_(None)))
            waits = (outbox.c.lane == lane.value, outbox.c.state == WAITING, late)
            await self._run(update(outbox).where(*waits).values(due_at=now))
        if self._on_postgres:
            # Turns are counted by the database's own clock. Where they are taken again too soon, the provider says so.
            await self._run(delete(paces).where(paces.c.free_at > func.clock_timestamp() + LONGEST_TURN))

    async def _end_claims(self, now: datetime) -> None:
        claimed = now + LONGEST_CLAIM
        for table in (outbox, dues, inbox):
            await self._lower(table.c.lease_until, claimed)
        await self._lower(leases.c.until, claimed, leases.c.name != LEASE)

    async def _remember_as_of(self, now: datetime) -> None:
        """What was said, written or tried ahead was so now."""
        for table in (reminders, loop_reminders):
            await self._lower(table.c.at, now)
        await self._lower(drafts.c.updated_at, now)
        # From then on a lost post has the usual time to be found.
        await self._lower(publications.c.attempt_at, now, publications.c.state.in_(_LOST))

    async def _count_dues_from(self, now: datetime) -> None:
        for kind, furthest in ((DueKind.HELD, now + CAP_SPAN), (DueKind.TOOL, now)):
            late_rows = update(dues).where(dues.c.kind == kind.value, dues.c.due_at > furthest)
            await self._run(late_rows.values(due_at=furthest, generation=dues.c.generation + 1))
        for row in await self._begun_after(follow_ups, "due_at", now):
            due_at = now + (row.due_at - row.created_at)
            await self._run(update(follow_ups).where(follow_ups.c.id == row.id).values(created_at=now, due_at=due_at))
            own = (dues.c.kind == DueKind.FOLLOWUP.value, dues.c.subject == row.id)
            await self._run(update(dues).where(*own).values(due_at=due_at, generation=dues.c.generation + 1))

    async def admit_as_of(self, now: datetime) -> None:
        for table in (signins, sessions, links, invitations):
            (key,) = table.primary_key.columns
            for row in await self._begun_after(table, "expires_at", now):
                begun = {"created_at": now, "expires_at": now + (row.expires_at - row.created_at)}
                await self._run(update(table).where(key == getattr(row, key.name)).values(begun))
        await self._lower(install_states.c.expires_at, now + STATE_GOOD_FOR)
        for table in (agent_keys, agent_secrets):
            await self._lower(table.c.ends_at, now + ROTATION)
        await self._run(
            update(installations).where(installations.c.expires_at > now + TOKEN_LASTS).values(expires_at=now)
        )

    async def dues_after(self, kind: DueKind, subject: str, limit: int) -> Sequence[Due]:
        which = (dues.c.kind == kind.value, dues.c.subject > subject)
        return [
            due_of(row) for row in await self._all(select(dues).where(*which).order_by(dues.c.subject).limit(limit))
        ]

    async def _begun_after(self, table: Table, ends: str, now: datetime) -> Sequence[Any]:
        """Rows of what was begun after `now`: their key, when that was, and when it ends."""
        (key,) = table.primary_key.columns
        columns = (key, table.c.created_at, table.c[ends])
        return await self._all(select(*columns).where(table.c.created_at > now).order_by(key).with_for_update())

    async def _lower(self, column: Column[datetime], to: datetime, *where: ColumnElement[bool]) -> None:
        await self._run(update(column.table).where(column > to, *where).values({column: to}))
