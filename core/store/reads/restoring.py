"""Which database this is, and how far it has come."""

from __future__ import annotations

from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from core.restoring import Timeline
from core.store.reads.snapshot import Reads
from core.store.tables import workspaces
from core.store.timeline_rows import OLDEST_FIRST, timeline_of

TABLES = "SELECT oid || '/' || 'workspaces'::regclass::oid FROM pg_database WHERE datname = current_database()"
"""A dump that is restored makes its tables anew, under other numbers."""
SERVER = "SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) FROM pg_control_system()"
"""A server that was brought back to a moment, or a standby that took over, is on another timeline."""


class RestoringReads(Reads):
    """Look at what it is."""

    async def home(self) -> str:
        if self._engine.dialect.name != "postgresql":
            return ""
        parts = []
        for statement in (SERVER, TABLES):
            try:
                row = await self._one(text(statement))
            except DBAPIError:
                # Some hosted servers do not say.
                continue
            parts += [str(row[0])] if row is not None else []
        return "/".join(parts)

    async def timelines(self) -> tuple[Timeline, ...]:
        return tuple(timeline_of(row) for row in await self._all(OLDEST_FIRST))

    async def positions(self) -> dict[str, int]:
        rows = await self._all(select(workspaces.c.id, workspaces.c.position))
        return {row.id: row.position for row in rows}
