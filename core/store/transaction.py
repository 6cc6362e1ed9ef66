"""One transaction: its statements, its locks, and what happens when it commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import psycopg
from sqlalchemy import CursorResult, Executable, Row, Table, UpdateBase, func, literal, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from core.errors import Raced
from core.events import Event
from core.outbox import Lane
from core.people import Identity
from core.ports import Committed, Wake
from core.receipts import Receipt
from core.signing import Signer
from core.store.columns import Words
from core.store.foresight import Question, Sees
from core.store.prepared import Found
from core.store.races import races
from core.store.rows import event_row
from core.store.running import Calls, Rows, Statements
from core.store.statements import PLACED_EVENT, TAKE_POSITIONS, Insert
from core.store.tables import interactions
from core.store.telling import TELL, notice_around
from core.vault import Vault

T = TypeVar("T")
FARTHEST = 10**18
"""No position has as many digits."""


class Transaction:
    """What every part of the work shares. Statements run in one transaction that begins with the first of them."""

    def __init__(
        self, connection: Connection, wake: Wake, calls: Calls, vault: Vault, signer: Signer | None = None
    ) -> None:
        self._wake = wake
        self._vault = vault
        self._signer = signer
        self._statements = Statements(connection, calls)
        self._on_postgres = self._statements.on_postgres
        self._failed = False
        self._forget_changes()

    def _forget_changes(self) -> None:
        self._locked: dict[str, str | None] = {}
        self._receipted: dict[str, Receipt | None] = {}
        self._events: list[Event] = []
        self._touched: set[str] = set()
        self._lanes: set[Lane] = set()
        self._dropped: list[tuple[str, Identity]] = []

    async def _run(self, statement: Executable, rows: Rows = None, *, sees: Sees = None) -> CursorResult[Any] | Found:
        """Run a statement. What is unsent goes before it, unless none of that is in the tables that it `sees`."""
        return await self._guarded(self._statements.run(statement, rows, sees))

    async def _later(self, statement: UpdateBase, rows: Rows = None) -> None:
        """Run a statement that nobody waits for: together with others, before the next one that somebody waits for."""
        self._statements.later(statement, rows)

    def _foresee(self, *questions: Question) -> None:
        """Let these be fetched with the next statement that is waited for: they are asked soon."""
        self._statements.foresee(questions)

    async def _guarded(self, work: Awaitable[T]) -> T:
        # A failed statement dooms the transaction: PostgreSQL would answer COMMIT with a silent rollback.
        try:
            with races():
                return await work
        except BaseException:
            self._failed = True
            raise

    async def _one(self, statement: Executable, rows: Rows = None, *, sees: Sees = None) -> Row[Any] | None:
        return (await self._run(statement, rows, sees=sees)).one_or_none()

    async def _first(self, statement: Executable, rows: Rows = None, *, sees: Sees = None) -> Row[Any] | None:
        return (await self._run(statement, rows, sees=sees)).first()

    async def _all(self, statement: Executable, rows: Rows = None, *, sees: Sees = None) -> Sequence[Row[Any]]:
        return (await self._run(statement, rows, sees=sees)).all()

    async def _changed(self, statement: Executable, rows: Rows = None, *, sees: Sees = None) -> int:
        """Run a statement and return how many rows it changed."""
        return (await self._run(statement, rows, sees=sees)).rowcount

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
        change = await self._guarded(self._commit())
        self._forget_changes()
        if change != Committed():
            self._wake(change)

    async def _commit(self) -> Committed:
        wanted = Counter(event.workspace for event in self._events)
        commit = self._commit_at_once if self._on_postgres else self._commit_in_turn
        return self._change(await commit(wanted))

    def _change(self, last: Mapping[str, int]) -> Committed:
        """What is committed, where these are the newest positions."""
        return Committed(
            interactions=tuple(sorted(self._touched)),
            positions=tuple(sorted(last.items())),
            lanes=tuple(lane for lane in Lane if lane in self._lanes),
            dropped=tuple(self._dropped),
            events=tuple(self._events),
        )

    async def _commit_at_once(self, wanted: Counter[str]) -> dict[str, int]:
        """The workspace is locked no longer than the server takes to commit, so the server fills in the positions,
        which are read only afterwards."""
        names = sorted(wanted)
        last: list[tuple[Executable, Mapping[str, Any]]] = [(TAKE_POSITIONS, _taken(one, wanted)) for one in names]
        for event, behind in self._behind(wanted):
            row = {**event_row(event, 0), "behind": behind}
            del row["position"]
            last.append((PLACED_EVENT, row))
        unplaced = self._change(dict.fromkeys(wanted, FARTHEST))
        if unplaced != Committed():
            last.append((TELL, notice_around(unplaced)))
        try:
            found = await self._statements.commit(last)
        except DBAPIError as error:
            if isinstance(error.orig, psycopg.errors.NotNullViolation) and error.orig.diag.column_name == "position":
                raise LookupError(f"there is no workspace among {names}") from error
            raise
        return {one: int(taken.scalar_one()) for one, taken in zip(names, found, strict=False)}

    async def _commit_in_turn(self, wanted: Counter[str]) -> dict[str, int]:
        run = self._statements.run
        await self._statements.send()
        found = {one: (await run(TAKE_POSITIONS, _taken(one, wanted))).scalar_one_or_none() for one in wanted}
        last = {one: int(position) for one, position in found.items() if position is not None}
        if len(last) < len(found):
            raise LookupError(f"there is no workspace among {sorted(wanted)}")
        for event, behind in self._behind(wanted):
            await run(Insert.EVENT, event_row(event, last[event.workspace] - behind))
        await self._statements.commit()
        return last

    def _behind(self, wanted: Counter[str]) -> Iterator[tuple[Event, int]]:
        """Each event with how many of its workspace come after it."""
        left = Counter(wanted)
        for event in self._events:
            left[event.workspace] -= 1
            yield event, left[event.workspace]


def _taken(workspace: str, wanted: Counter[str]) -> dict[str, Any]:
    return {"own_id": workspace, "taken": wanted[workspace]}
