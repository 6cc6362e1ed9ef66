"""Pending interactions looked up by whom they concern."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, select

from core.people import Person
from core.records import Interaction
from core.store.rows import answerer_key, interaction_of
from core.store.tables import PENDING, answerers, interactions
from core.store.transaction import Transaction
from core.store.waiting import select_open_for


class AudienceWork(Transaction):
    """Find pending interactions by creator, by answerer, by who may be waited for."""

    async def pending_by(self, workspace: str, creator: str) -> Sequence[str]:
        return await self._pending(workspace, interactions.c.creator_id == creator)

    async def pending_naming(self, workspace: str, answerer: str) -> Sequence[str]:
        named = (
            select(answerers.c.interaction)
            .where(answerers.c.workspace == workspace, answerers.c.answerer == answerer_key(answerer))
            .scalar_subquery()
        )
        return await self._pending(workspace, interactions.c.id.in_(named))

    async def _pending(self, workspace: str, which: ColumnElement[bool]) -> Sequence[str]:
        table = interactions.c
        rows = await self._all(
            select(table.id).where(table.workspace == workspace, table.status == PENDING, which).order_by(table.id)
        )
        return [row.id for row in rows]

    async def open_for(self, workspace: str, person: Person, limit: int) -> Sequence[Interaction]:
        rows = await self._all(select_open_for(workspace, person, None, limit))
        return [interaction_of(row) for row in rows]
