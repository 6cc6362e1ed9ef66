"""Lines of the audit, and taking an account from a person."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, insert, select

from core.audit import AuditLine
from core.people import Identity, Role
from core.store.audit_rows import audit_row
from core.store.directory import is_identity
from core.store.tables import audit, identities, people, sessions
from core.store.transaction import Transaction


class AuditingWork(Transaction):
    """Note changes."""

    async def note(self, line: AuditLine) -> None:
        await self._run(insert(audit).values(audit_row(line)))

    async def locked_operators(self, workspace: str) -> Sequence[str]:
        which = (people.c.workspace == workspace, people.c.role == Role.OPERATOR.value)
        query = select(people.c.id).where(*which).order_by(people.c.id).with_for_update()
        return tuple(row.id for row in await self._all(query))

    async def remove_identity(self, person: str, workspace: str, identity: Identity) -> None:
        own = (is_identity(workspace, identity), identities.c.person == person)
        if await self._changed(delete(identities).where(*own)) != 1:
            raise LookupError(f"{person} has no such account")
        await self._run(delete(sessions).where(sessions.c.person == person, sessions.c.identity == str(identity)))
