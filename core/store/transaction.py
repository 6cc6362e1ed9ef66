"""One transaction: its statements, its locks, and what happens when it commits."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import CursorResult, Executable, Row, Table, func, insert, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from core.errors import Raced
from core.events import Event
from core.outbox import Lane
from core.ports import Committed, Wake
from core.signing import Signer
from core.store.columns import Words
from core.store.races import races
from core.store.rows import event_row
from core.store.tables import events, interactions, workspaces

CHANNEL = "sayso"
"""The PostgreSQL channel on which processes tell each other what was committed."""
LONGEST_NOTICE = 7_900
"""PostgreSQL refuses notices of 8000 bytes."""


T = TypeVar("T")


class Calls(Protocol):
    """How the connection is called, which blocks: `core.store.threads.here`, or `Threads.run`."""

    def __call__(self, function: Callable[..., T], *arguments: Any) -> Awaitable[T]:
        """Call a function."""


class Transaction:
    """What every part of the work shares. Statements run in one transaction that begins with the first of them."""

    def __init__(self, connection: Connection, wake: Wake, calls: Calls, signer: Signer | None = None) -> None:
        self._connection = connection
        self._calls = calls
        self._wake = wake
        self._signer = signer
        self._on_postgres = connection.dialect.name == "postgresql"
        self._failed = False
        self._forget_changes()

    def _forget_changes(self) -> None:
        self._locked: dict[str, str | None] = {}
        self._events: list[Event] = []
        self._touched: set[str] = set()
        self._lanes: set[Lane] = set()

    async def _run(self, statement: Executable, rows: Sequence[dict[str, Any]] | None = None) -> CursorResult[Any]:
        # A failed statement dooms the transaction: PostgreSQL would answer COMMIT with a silent rollback.
        try:
            with races():
                return await self._calls(self._connection.execute, statement, rows)
        except BaseException:
            self._failed = True
            raise

    async def _one(self, statement: Executable) -> Row[Any] | None:
        return (await self._run(statement)).one_or_none()

    async def _first(self, statement: Executable) -> Row[Any] | None:
        return (await self._run(statement)).first()

    async def _all(self, statement: Executable) -> Sequence[Row[Any]]:
        return (await self._run(statement)).all()

    async def _changed(self, statement: Executable) -> int:
        """Run a statement and return how many rows it changed."""
        return (await self._run(statement)).rowcount

    def _upsert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """An INSERT that can say what to do about a row that is there already."""
        return postgresql.insert(table) if self._on_postgres else sqlite.insert(table)

    async def _lock(self, interaction: str) -> str | None:
        """Lock an interaction until the end and return its workspace; None when there is none.

        Others may still insert rows that refer to it. On SQLite the whole transaction is such a lock.
        """
        if interaction not in self._locked:
            statement = (
                select(interactions.c.workspace).where(interactions.c.id == interaction).with_for_update(key_share=True)
            )
            row = await self._one(statement)
            self._locked[interaction] = row.workspace if row else None
        return self._locked[interaction]

    async def _lock_name(self, name: str) -> None:
        """Hold a name until the end, for what has no row to lock yet. SQLite's one writer holds them all."""
        if self._on_postgres:
            await self._run(select(func.pg_advisory_xact_lock(func.hashtextextended(literal(name, Words()), 0))))

    async def commit(self) -> None:
        """Give the events their positions, tell other processes, make all of it durable, then wake who waits here.

        The row of the workspace is locked last and held only until the end, so positions become visible in their
        order: a later one cannot be committed before an earlier one.
        """
        if self._failed:
            raise Raced("this transaction failed before; nothing of it is kept")
        positions = tuple([await self._place(workspace) for workspace in sorted({e.workspace for e in self._events})])
        change = Committed(
            interactions=tuple(sorted(self._touched)),
            positions=positions,
            lanes=tuple(lane for lane in Lane if lane in self._lanes),
            events=tuple(self._events),
        )
        changes_something = change != Committed()
        if self._on_postgres and changes_something:
            await self._run(select(func.pg_notify(CHANNEL, notice(change))))
        try:
            with races():
                await self._calls(self._connection.commit)
        except BaseException:
            self._failed = True
            raise
        self._forget_changes()
        if changes_something:
            self._wake(change)

    async def _place(self, workspace: str) -> tuple[str, int]:
        own = [event for event in self._events if event.workspace == workspace]
        taken = await self._one(
            update(workspaces)
            .where(workspaces.c.id == workspace)
            .values(position=workspaces.c.position + len(own))
            .returning(workspaces.c.position)
        )
        if taken is None:
            raise LookupError(f"there is no workspace {workspace}")
        last: int = taken.position
        first = last - len(own) + 1
        await self._run(insert(events), [event_row(event, position) for position, event in enumerate(own, first)])
        return workspace, last


def notice(change: Committed) -> str:
    """Spell a change for other processes; one too long to send says that anything may have changed."""
    words = {"i": change.interactions, "p": change.positions, "l": [lane.value for lane in change.lanes]}
    text = json.dumps(words, separators=(",", ":"))
    return text if len(text) <= LONGEST_NOTICE else "{}"


def read_notice(text: str) -> Committed:
    """Read what `notice` spelled. Anything else means that anything may have changed."""
    try:
        words = json.loads(text)
        return Committed(
            interactions=tuple(words["i"]),
            positions=tuple((str(workspace), int(position)) for workspace, position in words["p"]),
            lanes=tuple(Lane(lane) for lane in words["l"]),
        )
    except (ValueError, KeyError, TypeError):
        return Committed(missed=True)
