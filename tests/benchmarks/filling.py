"""Open cards and work orders by the hundred thousand, put in by the database itself out of one of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Table, Text, cast, func, insert, literal, literal_column, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from core.kinds import Kind
from core.loops.places import Conversation
from core.loops.values import Loop
from core.people import by_agent
from core.policy import Nudges, Policy
from core.publications import PublicationState
from core.store import Store
from core.store.columns import Words
from core.store.loop_rows import conversation_row, loop_row
from core.store.rows import interaction_row, publication_row
from core.store.tables import conversations, dues, interactions, loops, publications
from tests.store.making import BUILDER, HERE, ask, copy_of, named

EVERY = timedelta(days=300)
"""The gap after which a card or a work order is reminded of; until then nothing is due."""
_CARD, _LOOP = "int", "loop"
_DIGITS = len(named("", 0)) - 1
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Rows:
    """One of each, from which the others are made."""

    card: Row
    copy: Row
    loop: Row
    due: Row


def card_id(number: int) -> str:
    """The id of a card that was put in."""
    return named(_CARD, number)


def loop_id(number: int) -> str:
    """The id of a work order that was put in."""
    return named(_LOOP, number)


async def prepare(store: Store) -> Rows:
    """Make the conversation of the work orders. Everything is reminded of, and expires, far from now."""
    now = datetime.now(UTC)
    example = ask(1, Kind.CONFIRMATION, policy=Policy(expires_in="365d", nudges=Nudges(every="300d", max=1)))
    copy = copy_of(ask(1), channel="C1", message="1").model_copy(update={"state": PublicationState.POSTED})
    place = Conversation(
        id="con_1", workspace=HERE, provider="slack", account="T1", place="C1", channel="C1", created_at=now
    )
    loop = Loop.model_validate(
        {
            "id": "loop_1",
            "workspace": HERE,
            "name": "wo-1",
            "conversation": place.id,
            "title": "Audit the endpoints",
            "sender": by_agent(BUILDER),
            "recipient": "slack:C1",
            "reminders": {"every": "300d"},
            "created_at": now,
        }
    )
    async with store.engine.begin() as connection:
        await connection.execute(insert(conversations).values(conversation_row(place)))
    return Rows(
        card=interaction_row(example.model_copy(update={"started_at": now, "expires_at": now + EVERY * 1.2})),
        copy=publication_row(copy),
        loop=loop_row(loop),
        due={"workspace": HERE, "due_at": now + EVERY, "lease_until": None, "generation": 1},
    )


async def fill(store: Store, rows: Rows, first: int, beyond: int) -> None:
    """Put in the cards `first` to `beyond`, posted and due, and as many work orders. Afterwards the database looks at
    what it has, as PostgreSQL does by itself once a table has grown."""
    async with store.engine.begin() as connection:
        card, loop = _numbered(_CARD), _numbered(_LOOP)
        await _copies(connection, interactions, rows.card, {"id": card}, first, beyond)
        shown = {"id": _numbered("pub"), "interaction": card, "message": card, "channel": card}
        await _copies(connection, publications, rows.copy, shown, first, beyond)
        await _copies(connection, loops, rows.loop, {"id": loop, "name": _numbered("wo")}, first, beyond)
        for kind, subject in (("nudge", card), ("loop", loop)):
            await _copies(connection, dues, {**rows.due, "kind": kind}, {"subject": subject}, first, beyond)
        await connection.execute(text("ANALYZE"))


async def _copies(
    connection: AsyncConnection,
    table: Table,
    row: Row,
    different: Mapping[str, ColumnElement[Any]],
    first: int,
    beyond: int,
) -> None:
    """One row for each number: what differs is an expression over the number."""
    columns = [column for column in table.columns if column.name in row or column.name in different]
    wanted = [
        different[column.name] if column.name in different else literal(row[column.name], column.type)
        for column in columns
    ]
    counted = select(literal(first, BigInteger()).label("n")).cte("numbers", recursive=True)
    counted = counted.union_all(select(counted.c.n + 1).where(counted.c.n < beyond - 1))
    statement = insert(table).from_select(columns, select(*wanted).select_from(counted))
    await connection.execute(statement)


def _numbered(prefix: str) -> ColumnElement[str]:
    """The id of the number `n`, spelled as `named` does."""
    digits = cast(literal_column("n", BigInteger()), Text())
    padded = func.substr(literal("0" * _DIGITS, Words()).concat(digits), func.length(digits) + 1)
    return literal(f"{prefix}_", Words()).concat(padded)
