"""A whole workspace, read part by part at one moment: never more than a few hundred rows at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Row, Table, and_, or_, select, text
from sqlalchemy.engine import Connection

from core.exporting import Asked, Gone, Ordered, Part
from core.store.directory import agent_of, fold_people, select_people
from core.store.kept_rows import proof_of_row, purged_of
from core.store.loop_rows import alert_of, conversation_of, loop_of, saying_of
from core.store.reads.snapshot import Reads
from core.store.rows import event_of, interaction_of, publication_of, receipt_of, task_of
from core.store.tables import (
    agents,
    alerts,
    conversations,
    events,
    interactions,
    loop_receipts,
    loops,
    people,
    proofs,
    publications,
    purged,
    receipts,
    sayings,
    tasks,
)

BATCH = 200
Rows = Sequence[Row[Any]]
Parts = Callable[[Connection, Rows], Sequence[Part]]


class ExportingReads(Reads):
    """Read everything of a workspace."""

    async def everything(self, workspace: str, since: datetime | None, until: datetime | None) -> AsyncIterator[Part]:
        batches = self._batches(workspace, since, until)
        try:
            while batch := await self._threads.run(next, batches, ()):
                for part in batch:
                    yield part
        finally:
            await self._threads.run(batches.close)

    def _batches(
        self, workspace: str, since: datetime | None, until: datetime | None
    ) -> Generator[Sequence[Part], None, None]:
        with self._engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                # Whoever reads this may be slow, and holds up nobody.
                connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            for table, moment, parts in SECTIONS:
                bounds = _within(table.c[moment], since, until) if moment else []
                for rows in _batches(connection, table, workspace, *bounds):
                    yield parts(connection, rows)
            for rows in _events(connection, workspace, since, until):
                yield [event_of(row) for row in rows]


def _within(moment: Column[Any], since: datetime | None, until: datetime | None) -> list[ColumnElement[bool]]:
    bounds = [moment >= since] if since is not None else []
    return [*bounds, moment < until] if until is not None else bounds


def _batches(connection: Connection, table: Table, workspace: str, *which: ColumnElement[bool]) -> Iterator[Rows]:
    last = ""
    while True:
        statement = select(table).where(table.c.workspace == workspace, table.c.id > last, *which)
        rows = (connection.execute(statement.order_by(table.c.id).limit(BATCH))).all()
        if not rows:
            return
        yield rows
        last = rows[-1].id


def _events(connection: Connection, workspace: str, since: datetime | None, until: datetime | None) -> Iterator[Rows]:
    table, last = events.c, 0
    made = [subject.c.created_at for subject in (interactions, loops, alerts)]
    about = [and_(*_within(moment, since, until)) for moment in made] if since or until else []
    while True:
        statement = select(events).where(table.workspace == workspace, table.position > last)
        if about:
            statement = (
                statement.outerjoin(interactions, interactions.c.id == table.interaction)
                .outerjoin(loops, loops.c.id == table.loop)
                .outerjoin(alerts, alerts.c.id == table.alert)
                .where(or_(*about))
            )
        rows = (connection.execute(statement.order_by(table.position).limit(BATCH))).all()
        if not rows:
            return
        yield rows
        last = rows[-1].position


def _people(connection: Connection, rows: Rows) -> Sequence[Part]:
    found = connection.execute(select_people(people.c.id.in_([row.id for row in rows])))
    return sorted(fold_people(found.all()), key=lambda person: person.id)


def _each(of: Callable[[Row[Any]], Part]) -> Parts:
    """Parts that are one row each."""

    def parts(_: Connection, rows: Rows) -> Sequence[Part]:
        return [of(row) for row in rows]

    return parts


def _of(connection: Connection, table: Table, column: str, rows: Rows, order: str) -> dict[str, list[Row[Any]]]:
    """The rows of another table, by which of these they belong to."""
    belongs = table.c[column]
    found: dict[str, list[Row[Any]]] = {row.id: [] for row in rows}
    for row in connection.execute(select(table).where(belongs.in_(found)).order_by(belongs, table.c[order])):
        found[getattr(row, column)].append(row)
    return found


def _asked(connection: Connection, rows: Rows) -> Sequence[Part]:
    copies = _of(connection, publications, "interaction", rows, "number")
    chains = _of(connection, receipts, "interaction", rows, "seq")
    made = _of(connection, tasks, "interaction", rows, "id")
    return [
        Asked(
            interaction_of(row),
            [publication_of(one) for one in copies[row.id]],
            [receipt_of(one) for one in chains[row.id]],
            [task_of(one) for one in made[row.id]],
        )
        for row in rows
    ]


def _ordered(connection: Connection, rows: Rows) -> Sequence[Part]:
    chains = _of(connection, loop_receipts, "loop", rows, "seq")
    ids = {row.conversation for row in rows}
    places = connection.execute(select(conversations).where(conversations.c.id.in_(ids)))
    known = {row.id: conversation_of(row) for row in places}
    return [
        Ordered(loop_of(row), known.get(row.conversation), [receipt_of(one) for one in chains[row.id]]) for row in rows
    ]


def _gone(connection: Connection, rows: Rows) -> Sequence[Part]:
    left = _of(connection, proofs, "subject", rows, "seq")
    return [Gone(purged_of(row), [proof_of_row(one) for one in left[row.id]]) for row in rows]


SECTIONS: tuple[tuple[Table, str | None, Parts], ...] = (
    # In the order of the file; the moment is what `since` and `until` are compared with.
    (people, None, _people),
    (agents, None, _each(agent_of)),
    (conversations, None, _each(conversation_of)),
    (interactions, "created_at", _asked),
    (loops, "created_at", _ordered),
    (alerts, "created_at", _each(alert_of)),
    (sayings, "at", _each(saying_of)),
    (purged, "created_at", _gone),
)
