"""Putting a pseudonym in the place of a person, table by table, in short transactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, Text, and_, cast, delete, false, insert, or_, select, update

from core.people import Person
from core.pseudonyms import names_of, without
from core.publications import PublicationState
from core.store.tables import (
    alerts,
    answerers,
    audit,
    events,
    follow_ups,
    handovers,
    interactions,
    loop_receipts,
    loops,
    outbox,
    publications,
    receipts,
    sayings,
    tasks,
    tool_calls,
)
from core.store.transaction import Transaction

STEPS: tuple[tuple[Table, tuple[str, ...]], ...] = (
    # Which columns of which table may name somebody. Chains come last, as their lines stand for what the rows were.
    (
        interactions,
        (
            "audience", "policy", "addresses", "creator", "votes", "ticks", "verdicts", "connecting", "reminding",
            "delegations", "outcome",
        ),
    ),
    (publications, ()),
    (events, ("data",)),
    (tasks, ("by", "assignee")),
    (tool_calls, ("by", "identity")),
    (outbox, ("task",)),
    (loops, ("recipient", "sender", "slots", "acknowledged", "claimed", "started", "outcome", "card")),
    (sayings, ("by",)),
    (handovers, ("by",)),
    (follow_ups, ("by",)),
    (alerts, ("by",)),
    (audit, ("actor", "about", "before", "after")),
    (receipts, ("line",)),
    (loop_receipts, ("line",)),
)  # fmt: skip
CHAINS = (receipts, loop_receipts)
GONE = "Whoever this was sent to was forgotten."


class RedactingWork(Transaction):
    """Redact in batches, each a transaction of its own."""

    async def redact_person(self, person: Person, alias: str, now: datetime, after: str, limit: int) -> str | None:
        step, _, last = after.partition("/")
        at = int(step or 0)
        table, columns = STEPS[at]
        which = _is_to(person) if table is publications else _names(table, columns, person)
        rows = await self._all(
            select(table)
            .where(table.c.workspace == person.workspace, table.c.id > last, which)
            .order_by(table.c.id)
            .limit(limit)
            .with_for_update()
        )
        for row in rows:
            values = _private(row, alias) if table is publications else _changed(row, columns, person, alias)
            if table in CHAINS and values:
                values |= {"by_identity": None, "salt": None, "redacted_at": now}
            if values:
                await self._run(update(table).where(table.c.id == row.id).values(values))
            if table is interactions:
                await self._rename_answerers(row.id, person, alias)
            if table is loops and values:
                # What was ordered is in its digest with who ordered it of whom.
                first = (loop_receipts.c.loop == row.id, loop_receipts.c.seq == 1)
                await self._run(update(loop_receipts).where(*first).values(salt=None, redacted_at=now))
        if len(rows) == limit:
            return f"{at}/{rows[-1].id}"
        return f"{at + 1}/" if at + 1 < len(STEPS) else None

    async def _rename_answerers(self, interaction: str, person: Person, alias: str) -> None:
        table = answerers.c
        theirs = (table.interaction == interaction, table.answerer.in_(names_of(person)))
        row = await self._first(select(answerers).where(*theirs))
        if row is not None:
            await self._run(delete(answerers).where(*theirs))
            renamed = {"interaction": interaction, "workspace": row.workspace, "answerer": f"person:{alias}"}
            await self._run(insert(answerers).values(renamed))


def _names(table: Table, columns: Sequence[str], person: Person) -> ColumnElement[bool]:
    """The condition for rows that may name a person; `without` says whether they do."""
    needles = (person.id, *names_of(person), *((person.handle,) if table is tasks else ()))
    spelled = [cast(table.c[column], Text) for column in columns]
    return or_(*(column.contains(needle, autoescape=True) for column in spelled for needle in needles))


def _is_to(person: Person) -> ColumnElement[bool]:
    """The condition for copies that were sent to a person alone."""
    table = publications.c
    users = [(one.provider, one.user) for one in person.identities]
    return or_(false(), *(and_(table.provider == provider, table.place == user) for provider, user in users))


def _changed(row: Row[Any], columns: Sequence[str], person: Person, alias: str) -> dict[str, Any]:
    found = {column: (getattr(row, column), without(getattr(row, column), person, alias)) for column in columns}
    values = {column: after for column, (before, after) in found.items() if after != before}
    if "assignee" in columns and row.assignee == person.handle:
        values["assignee"] = alias
    return values


def _private(row: Row[Any], alias: str) -> dict[str, Any]:
    where = f"{row.provider}:{row.account}.{alias}"
    ended = {"state": PublicationState.FAILED.value, "reason": GONE}
    return {"place": alias, "channel": None, "message": None, "conversation": where, **ended}
