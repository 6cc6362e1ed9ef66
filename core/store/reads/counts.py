"""How things stand: numbers for `doctor`, readiness and the metrics, and when there is something to do next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, case, func, or_, select
from sqlalchemy.engine import Connection

from core.dues import DueKind
from core.outbox import Lane
from core.reading import Counts
from core.store.claims import next_due_statement
from core.store.reads.snapshot import Reads
from core.store.tables import (
    ABANDONED,
    CLAIMED,
    PENDING,
    UNKNOWN,
    WAITING,
    dues,
    inbox,
    interactions,
    outbox,
    publications,
)


class CountsReads(Reads):
    """Count."""

    async def counts(self, now: datetime, workspace: str | None = None) -> Counts:
        asked_here = [interactions.c.workspace == workspace] if workspace else []
        owed_here = [outbox.c.workspace == workspace] if workspace else []
        due = interactions.c.due_at <= now
        asked = select(
            func.count().label("pending"),
            func.count(case((due, 1))).label("overdue"),
            func.min(case((due, interactions.c.due_at))).label("overdue_since"),
        ).where(interactions.c.status == PENDING, *asked_here)
        unknown = select(func.count()).where(publications.c.state == UNKNOWN)
        if workspace:
            unknown = unknown.join(interactions, interactions.c.id == publications.c.interaction).where(*asked_here)
        # What arrived and is not handled belongs to no workspace yet.
        arrived = select(func.count()).where(inbox.c.state == WAITING)
        is_open = or_(outbox.c.state == WAITING, outbox.c.state == CLAIMED)
        is_late = and_(is_open, outbox.c.due_at <= now)
        owed = (
            select(
                outbox.c.lane,
                func.count(case((is_open, 1))).label("waiting"),
                func.count(case((and_(is_open, outbox.c.attempts > 0), 1))).label("retrying"),
                func.count(case((outbox.c.state == ABANDONED, 1))).label("abandoned"),
                func.min(case((is_late, outbox.c.due_at))).label("late_since"),
            )
            .where(or_(is_open, outbox.c.state == ABANDONED), *owed_here)
            .group_by(outbox.c.lane)
        )
        due_here = [dues.c.workspace == workspace] if workspace else []
        undone = (
            select(dues.c.kind, func.min(dues.c.due_at).label("since"))
            .where(dues.c.due_at <= now, dues.c.kind.in_([kind.value for kind in DueKind]), *due_here)
            .group_by(dues.c.kind)
        )

        def see(connection: Connection) -> Counts:
            first = connection.execute(asked).one()
            lanes = connection.execute(owed).all()
            return Counts(
                pending=first.pending,
                overdue=first.overdue,
                overdue_since=first.overdue_since,
                unknown_posts=connection.execute(unknown).scalar_one(),
                waiting_arrivals=0 if workspace else connection.execute(arrived).scalar_one(),
                abandoned=sum(row.abandoned for row in lanes),
                retrying=sum(row.retrying for row in lanes),
                waiting={Lane(row.lane): row.waiting for row in lanes},
                late_since={Lane(row.lane): row.late_since for row in lanes if row.late_since is not None},
                undone_since={DueKind(row.kind): row.since for row in connection.execute(undone)},
            )

        return await self._look(see)

    async def next_due(self, lanes: Sequence[Lane]) -> datetime | None:
        """As `core.ports.Outbox.next_due`."""
        row = await self._one(next_due_statement(tuple(lanes)))
        moment: datetime | None = row[0] if row else None
        return moment

    async def is_due_row(self, now: datetime, kinds: frozenset[DueKind]) -> bool:
        """Whether a row of these kinds is due, held or not. What is not due yet is not looked at."""
        due = (dues.c.due_at <= now, dues.c.kind.in_(sorted(kinds)))
        return await self._one(select(dues.c.due_at).where(*due).order_by(dues.c.due_at).limit(1)) is not None

    async def next_due_row(self) -> datetime | None:
        """As `core.dues.Dues.next_due`."""
        known = dues.c.kind.in_([kind.value for kind in DueKind])
        row = await self._one(select(dues.c.due_at).where(known).order_by(dues.c.due_at).limit(1))
        moment: datetime | None = row[0] if row else None
        return moment
