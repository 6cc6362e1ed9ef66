"""Interactions: loaded under a lock, written under a condition."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, insert, select

from core.asked_again import sameness
from core.errors import Raced
from core.records import Interaction
from core.store.rows import answerer_rows, changeable, interaction_of, interaction_row, task_row
from core.store.statements import FREE_REQUEST, INTERACTION, SAVE_INTERACTION, SAVE_INTERACTION_IN_TIME, Insert
from core.store.tables import PENDING, answerers, interactions, tasks
from core.store.transaction import Transaction
from core.tasks import Task


class InteractionsWork(Transaction):
    """Load, insert and conditionally write interactions."""

    async def interaction(self, workspace: str, id: str) -> Interaction | None:
        row = await self._one(INTERACTION, {"workspace": workspace, "id": id}, sees=(interactions,))
        if row is None:
            return None
        self._locked[id] = workspace
        return interaction_of(row)

    async def add_interaction(self, interaction: Interaction) -> None:
        await self._later(Insert.INTERACTION, interaction_row(interaction))
        await self._later(Insert.ANSWERERS, answerer_rows(interaction))
        self._receipted[interaction.id] = None
        self._locked[interaction.id] = interaction.workspace
        self._touched.add(interaction.id)

    async def save_interaction(self, before: Interaction, after: Interaction, now: datetime | None) -> None:
        if after.id != before.id or after.workspace != before.workspace or after.version < before.version:
            raise ValueError(f"{after.id} at version {after.version} is no successor of {before.id}")
        own = {
            "own_id": before.id,
            "own_workspace": before.workspace,
            "own_version": before.version,
            "own_status": before.status.value,
        }
        row = {**changeable(interaction_row(after, since=before)), **own}
        statement = SAVE_INTERACTION
        if before.is_pending and now is not None:
            statement, row["own_now"] = SAVE_INTERACTION_IN_TIME, now
        if await self._changed(statement, row, sees=(interactions,)) != 1:
            raise self._lost(f"{before.id} is no longer at version {before.version}, pending and in time")
        if after.audience != before.audience:
            await self._later(delete(answerers).where(answerers.c.interaction == after.id))
            await self._later(Insert.ANSWERERS, answerer_rows(after))
        if before.is_pending and not after.is_pending:
            await self._later(FREE_REQUEST, {"interaction": after.id})
        self._touched.add(after.id)

    def _lost(self, why: str) -> Raced:
        self._failed = True
        return Raced(why)

    async def pending_by_key(self, workspace: str, creator: str, key: str) -> Interaction | None:
        return await self._pending_with("supersede", interactions.c.supersede_key, workspace, creator, key)

    async def pending_by_sole_key(self, workspace: str, creator: str, key: str) -> Interaction | None:
        return await self._pending_with("sole", interactions.c.sole_key, workspace, creator, key)

    async def rejected_like(self, asked: Interaction, limit: int) -> tuple[Interaction, ...]:
        table = interactions.c
        same = (
            table.workspace == asked.workspace,
            table.creator_id == asked.creator.id,
            table.rejected_key == sameness(asked),
        )
        rows = await self._all(select(interactions).where(*same).order_by(table.id.desc()).limit(limit))
        return tuple(interaction_of(row) for row in rows)

    async def _pending_with(
        self, name: str, column: ColumnElement[str | None], workspace: str, creator: str, key: str
    ) -> Interaction | None:
        await self._lock_name(f"{name} {workspace} {creator} {key}")
        table = interactions.c
        row = await self._one(
            select(interactions)
            .where(table.workspace == workspace, table.creator_id == creator, column == key, table.status == PENDING)
            .with_for_update(key_share=True)
        )
        if row is None:
            return None
        self._locked[row.id] = workspace
        return interaction_of(row)

    async def add_tasks(self, new: Sequence[Task]) -> None:
        await self._later(insert(tasks), [task_row(task) for task in new])
