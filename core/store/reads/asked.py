"""Interactions, their copies and receipts, and what concerns a person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, exists, or_, select
from sqlalchemy.engine import Connection

from core.drafts import Draft
from core.kinds import Kind
from core.people import Agent, Person
from core.publications import Publication
from core.reading import Whole
from core.receipts import Receipt
from core.records import Interaction, Status
from core.store.reads.snapshot import Reads, is_visible_to
from core.store.rows import draft_of, interaction_of, publication_of, receipt_of, task_of
from core.store.tables import PENDING, drafts, interactions, publications, receipts, tasks
from core.store.waiting import select_open_for, select_unseen
from core.tasks import Task
from core.urgency import Urgency


class AskedReads(Reads):
    """Look at interactions."""

    async def interaction(self, workspace: str, id: str, visible_to: Agent | None) -> Whole | None:
        statement = select(interactions).where(
            interactions.c.workspace == workspace, interactions.c.id == id, *is_visible_to(visible_to)
        )
        found = await self._look(lambda connection: _with_copies(connection, statement))
        return found[0] if found else None

    async def interactions(
        self,
        workspace: str,
        visible_to: Agent | None,
        *,
        after: str | None = None,
        limit: int = 50,
        statuses: Sequence[Status] = (),
        kinds: Sequence[Kind] = (),
    ) -> Sequence[Whole]:
        table = interactions.c
        statement = select(interactions).where(table.workspace == workspace, *is_visible_to(visible_to))
        if after is not None:
            statement = statement.where(table.id < after)
        if statuses:
            statement = statement.where(table.status.in_([status.value for status in statuses]))
        if kinds:
            statement = statement.where(table.kind.in_([kind.value for kind in kinds]))
        newest = statement.order_by(table.id.desc()).limit(limit)
        return await self._look(lambda connection: _with_copies(connection, newest))

    async def receipts(self, workspace: str, interaction: str) -> tuple[Receipt, ...]:
        rows = await self._all(
            select(receipts)
            .where(receipts.c.workspace == workspace, receipts.c.interaction == interaction)
            .order_by(receipts.c.seq)
        )
        return tuple(receipt_of(row) for row in rows)

    async def draft(self, workspace: str, interaction: str, scope: str) -> Draft | None:
        own = and_(interactions.c.id == drafts.c.interaction, interactions.c.workspace == workspace)
        rows = await self._all(
            select(drafts).join(interactions, own).where(drafts.c.interaction == interaction, drafts.c.scope == scope)
        )
        return draft_of(rows[0]) if rows else None

    async def live_drafts(self, workspace: str, interaction: str) -> tuple[Draft, ...]:
        own = and_(interactions.c.id == drafts.c.interaction, interactions.c.workspace == workspace)
        rows = await self._all(
            select(drafts)
            .join(interactions, own)
            .where(drafts.c.interaction == interaction, drafts.c.live)
            .order_by(drafts.c.updated_at)
        )
        return tuple(draft_of(row) for row in rows)

    async def due_interactions(self, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        table = interactions.c
        rows = await self._all(
            select(table.workspace, table.id)
            .where(table.status == PENDING, table.due_at <= now)
            .order_by(table.due_at, table.id)
            .limit(limit)
        )
        return [(row.workspace, row.id) for row in rows]

    async def lapsed_drafts(self, before: datetime, limit: int) -> Sequence[Draft]:
        rows = await self._all(
            select(drafts).where(drafts.c.live, drafts.c.updated_at < before).order_by(drafts.c.updated_at).limit(limit)
        )
        return [draft_of(row) for row in rows]

    async def tasks(
        self,
        workspace: str,
        visible_to: Agent | None,
        *,
        interaction: str | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> Sequence[Task]:
        own = and_(interactions.c.id == tasks.c.interaction, interactions.c.workspace == workspace)
        statement = (
            select(tasks).join(interactions, own).where(tasks.c.workspace == workspace, *is_visible_to(visible_to))
        )
        if interaction is not None:
            statement = statement.where(tasks.c.interaction == interaction)
        if after is not None:
            statement = statement.where(tasks.c.id < after)
        rows = await self._all(statement.order_by(tasks.c.id.desc()).limit(limit))
        return [task_of(row) for row in rows]

    async def has_acted(self, workspace: str, interaction: str, person: Person) -> bool:
        table = receipts.c
        return bool(
            await self._all(
                select(table.id)
                .where(table.workspace == workspace, table.interaction == interaction, _is_by(person))
                .limit(1)
            )
        )

    async def open_for(
        self, workspace: str, person: Person, *, after: Urgency | None = None, limit: int = 50
    ) -> Sequence[Interaction]:
        return [interaction_of(row) for row in await self._all(select_open_for(workspace, person, after, limit))]

    async def unseen_places(self, workspace: str, person: Person, limit: int) -> Sequence[Publication]:
        return [publication_of(row) for row in await self._all(select_unseen(workspace, person, limit))]

    async def past_for(
        self, workspace: str, person: Person, *, after: str | None = None, limit: int = 50
    ) -> Sequence[Interaction]:
        table = interactions.c
        acted = exists().where(receipts.c.interaction == table.id, _is_by(person))
        statement = select(interactions).where(table.workspace == workspace, table.status != PENDING, acted)
        if after is not None:
            statement = statement.where(table.id < after)
        return [interaction_of(row) for row in await self._all(statement.order_by(table.id.desc()).limit(limit))]


def _is_by(person: Person) -> Any:
    """Receipts of a person: by id, or by an account that is theirs now and was an automatic member's then."""
    table = receipts.c
    identities = [str(identity) for identity in person.identities]
    return and_(table.workspace == person.workspace, or_(table.by_id == person.id, table.by_identity.in_(identities)))


def _with_copies(connection: Connection, statement: Select[Any]) -> list[Whole]:
    rows = connection.execute(statement).all()
    if not rows:
        return []
    copies: dict[str, list[Publication]] = {row.id: [] for row in rows}
    found = connection.execute(
        select(publications).where(publications.c.interaction.in_(copies)).order_by(publications.c.number)
    )
    for row in found:
        copies[row.interaction].append(publication_of(row))
    return [Whole(interaction_of(row), tuple(copies[row.id])) for row in rows]
