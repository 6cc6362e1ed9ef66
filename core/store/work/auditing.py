"""Lines of the audit, and who may not all be taken away."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert, select

from core.audit import AuditLine
from core.people import Role
from core.store.audit_rows import audit_row
from core.store.tables import audit, people
from core.store.transaction import Transaction


class AuditingWork(Transaction):
    """Note changes."""

    async def note(self, line: AuditLine) -> None:
        await self._run(insert(audit).values(audit_row(line)))

    async def locked_operators(self, workspace: str) -> Sequence[str]:
        which = (people.c.workspace == workspace, people.c.role == Role.OPERATOR.value)
        query = select(people.c.id).where(*which).order_by(people.c.id).with_for_update()
        return tuple(row.id for row in await self._all(query))
