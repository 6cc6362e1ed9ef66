"""Events in the order of commit, and how their deliveries went."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import or_, select

from core.events import Event, EventType
from core.people import Agent
from core.reading import Announced
from core.store.loop_rows import is_alert_visible_to, is_loop_visible_to
from core.store.reads.snapshot import Reads, is_visible_to
from core.store.rows import event_of
from core.store.tables import alerts, attempts, events, interactions, loops, workspaces
from core.upkeep import Attempt


class EventsReads(Reads):
    """Look at events."""

    async def event(self, workspace: str, id: str) -> Event | None:
        row = await self._one(select(events).where(events.c.workspace == workspace, events.c.id == id))
        return event_of(row) if row else None

    async def events(
        self,
        workspace: str,
        visible_to: Agent | None,
        *,
        after: int = 0,
        limit: int = 100,
        types: Sequence[str] = (),
    ) -> Sequence[Event]:
        table = events.c
        statement = select(events).where(table.workspace == workspace, table.position > after)
        if visible := is_visible_to(visible_to):
            statement = (
                statement.outerjoin(interactions, interactions.c.id == table.interaction)
                .outerjoin(loops, loops.c.id == table.loop)
                .outerjoin(alerts, alerts.c.id == table.alert)
                .where(or_(*visible, *is_loop_visible_to(visible_to), *is_alert_visible_to(visible_to)))
            )
        if types:
            statement = statement.where(table.type.in_(types))
        return [event_of(row) for row in await self._all(statement.order_by(table.position).limit(limit))]

    async def last_position(self, workspace: str) -> int:
        row = await self._one(select(workspaces.c.position).where(workspaces.c.id == workspace))
        return row.position if row else 0

    async def announced(self, workspace: str, interaction: str) -> tuple[Announced, ...]:
        heard, tried = events.c, attempts.c
        of_it = (heard.workspace == workspace, heard.interaction == interaction)
        lines = select(heard.id, heard.type, heard.at).where(*of_it).order_by(heard.position)
        deliveries = select(attempts).join(events, heard.id == tried.event).where(*of_it).order_by(tried.seq)
        rows, tries = await self._look(lambda at: (at.execute(lines).all(), at.execute(deliveries).all()))
        went: dict[str, list[Attempt]] = {row.id: [] for row in rows}
        for row in tries:
            went[row.event].append(Attempt(row.event, row.number, row.at, row.status, row.error))
        return tuple(Announced(row.id, EventType(row.type), row.at, tuple(went[row.id])) for row in rows)

    async def attempts(self, event: str) -> Sequence[Attempt]:
        table = attempts.c
        rows = await self._all(select(attempts).where(table.event == event).order_by(table.seq))
        return [Attempt(row.event, row.number, row.at, row.status, row.error) for row in rows]
