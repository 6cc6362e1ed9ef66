"""What must happen at a time, changed in the transaction of whatever it is about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Row, delete, or_, select, tuple_, update

from core.dues import EVERY_KIND, Due, DueKind
from core.store.tables import dues
from core.store.transaction import Transaction


def due_of(row: Row[tuple[object, ...]]) -> Due:
    """The row as a value."""
    return Due(DueKind(row.kind), row.subject, row.workspace, row.due_at, row.generation)


class DueWork(Transaction):
    """Set, look at and claim what is due."""

    async def set_due(self, kind: DueKind, subject: str, workspace: str, at: datetime | None) -> None:
        table = dues.c
        if at is None:
            own = (table.kind == kind.value, table.subject == subject, table.workspace == workspace)
            await self._later(delete(dues).where(*own))
            return
        made = self._upsert(dues).values(
            kind=kind.value, subject=subject, workspace=workspace, due_at=at, lease_until=None, generation=1
        )
        await self._later(
            made.on_conflict_do_update(
                index_elements=["kind", "subject"],
                set_={"due_at": at, "lease_until": None, "generation": table.generation + 1},
                where=table.workspace == workspace,
            )
        )

    async def due(self, kind: DueKind, subject: str) -> Due | None:
        which = (dues.c.kind == kind.value, dues.c.subject == subject)
        row = await self._one(select(dues).where(*which).with_for_update())
        return due_of(row) if row else None

    async def claim_dues(
        self, now: datetime, lease_until: datetime, limit: int, kinds: frozenset[DueKind] = EVERY_KIND
    ) -> Sequence[Due]:
        """Take what is due for `SqlDues`, longest due first."""
        table = dues.c
        free = (
            select(table.kind, table.subject)
            # What a newer program owes is left to it.
            .where(table.kind.in_(sorted(kinds)))
            .where(table.due_at <= now, or_(table.lease_until.is_(None), table.lease_until <= now))
            .order_by(table.due_at)
            .limit(limit)
            .with_for_update(skip_locked=True)
            # Bare, PostgreSQL may run it more than once and take more than `limit`.
            .cte("free")
        )
        taken = (
            update(dues)
            .where(tuple_(table.kind, table.subject).in_(select(free.c.kind, free.c.subject)))
            .values(lease_until=lease_until, generation=table.generation + 1)
            .returning(dues)
        )
        return sorted((due_of(row) for row in await self._all(taken)), key=lambda due: due.due_at)
