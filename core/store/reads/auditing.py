"""The audit, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from core.audit import AuditLine
from core.store.audit_rows import audit_line_of
from core.store.reads.snapshot import Reads
from core.store.tables import audit


class AuditingReads(Reads):
    """Look at who changed what."""

    async def audited(
        self, workspace: str | None, *, since: datetime | None = None, before: str | None = None, limit: int = 100
    ) -> Sequence[AuditLine]:
        query = select(audit).order_by(audit.c.id.desc()).limit(limit)
        if workspace is not None:
            query = query.where(audit.c.workspace == workspace)
        if since is not None:
            query = query.where(audit.c.at >= since)
        if before is not None:
            query = query.where(audit.c.id < before)
        return tuple(audit_line_of(row) for row in await self._all(query))
