"""What would be purged, and where purged events were."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Table, func, select, union_all
from sqlalchemy.engine import Connection

from core.retention import Swept
from core.store.reads.snapshot import Reads
from core.store.retiring import is_over, loop_is_over, others
from core.store.tables import events, interactions, loops, past_events


class RetainingReads(Reads):
    """Look at what is past its time."""

    async def purgeable(self, workspace: str, before: datetime) -> Swept:
        def see(connection: Connection) -> Swept:
            def count(table: Table, which: ColumnElement[bool]) -> int:
                return int(connection.execute(select(func.count()).select_from(table).where(which)).scalar_one())

            return Swept(
                interactions=count(interactions, is_over(workspace, before)),
                loops=count(loops, loop_is_over(workspace, before)),
                others=sum(count(table, which) for table, which in others(workspace, before)),
            )

        return await self._look(see)

    async def position_of(self, workspace: str, event: str) -> int | None:
        either = union_all(
            *(
                select(table.c.position).where(table.c.workspace == workspace, table.c.id == event)
                for table in (events, past_events)
            )
        )
        row = await self._one(either)
        return row.position if row else None
