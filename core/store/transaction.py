"""One transaction: its statements, its locks, and what happens when it commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Protocol, TypeVar, cast

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import CursorResult, Executable, Row, SelectBase, Table, UpdateBase, func, literal, select
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
from core.store.foresight import Foresight, Question, Sees
from core.store.prepared import Found, Prepared, prepared
from core.store.races import races
from core.store.rows import event_row
from core.store.statements import PLACED_EVENT, Insert
from core.store.tables import interactions
from core.store.telling import CHANNEL, TELL, notice_around
from core.vault import Vault

T = TypeVar("T")
Rows = Sequence[dict[str, Any]] | dict[str, Any] | None
TAKE = "UPDATE workspaces SET position = position + %s WHERE id = %s RETURNING position"
"""Takes positions for events, and locks the others out until the commit."""
FARTHEST = 10**18
"""No position has as many digits."""


class Calls(Protocol):
    """How the connection is called, which blocks: `core.store.threads.here`, or `Threads.run`."""

    def __call__(self, function: Callable[..., T], *arguments: Any) -> Awaitable[T]:
        """Call a function."""


class Transaction:
    """What every part of the work shares. Statements run in one transaction that begins with the first of them."""

    def __init__(
        self, connection: Connection, wake: Wake, calls: Calls, vault: Vault, signer: Signer | None = None
    ) -> None:
        self._connection = connection
        self._calls = calls
        self._wake = wake
        self._vault = vault
        self._signer = signer
        self._on_postgres = connection.dialect.name == "postgresql"
        self._failed = False
        self._unsent: list[tuple[Executable, Rows]] = []
        self._ahead = Foresight()
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
        return await self._guarded(self._executed, statement, rows, sees)

    async def _later(self, statement: UpdateBase, rows: Rows = None) -> None:
        """Run a statement that nobody waits for: together with others, before the next one that somebody waits for."""
        self._ahead.changed(_table_of(statement))
        self._unsent.append((statement, rows))

    def _foresee(self, *questions: Question) -> None:
        """Let these be fetched with the next statement that is waited for: they are asked soon. SQLite is not far."""
        if self._on_postgres:
            self._ahead.wanted += questions

    async def _guarded(self, function: Callable[..., T], *arguments: Any) -> T:
        # A failed statement dooms the transaction: PostgreSQL would answer COMMIT with a silent rollback.
        try:
            with races():
                return await self._calls(function, *arguments)
        except BaseException:
            self._failed = True
            raise

    def _executed(self, statement: Executable, rows: Rows, sees: Sees) -> CursorResult[Any] | Found:
        if not self._goes_around(statement):
            self._send_before(sees)
            if not isinstance(statement, SelectBase):
                self._ahead.changed(_table_of(statement))
            return self._connection.execute(statement, rows)
        row = _one_of(rows)
        known = self._ahead.take(statement, row)
        return known if known is not None else self._asked(Question(statement, row, sees))

    def _send_before(self, sees: Sees) -> None:
        if self._is_owed(sees):
            with self._together():
                self._send()

    def _is_owed(self, sees: Sees) -> bool:
        """Whether a statement would miss something that is unsent."""
        return bool(self._unsent) and (sees is None or any(_table_of(unsent) in sees for unsent, _ in self._unsent))

    def _asked(self, question: Question) -> Found:
        """Ask, and fetch with it what is asked soon. What begins a transaction goes along too."""
        wanted, self._ahead.wanted = self._ahead.wanted, []
        owed = any(self._is_owed(one.sees) for one in (question, *wanted))
        if isinstance(question.statement, UpdateBase):
            self._ahead.changed(_table_of(question.statement))
        if not wanted and not owed and self._driver.pgconn.transaction_status == TransactionStatus.INTRANS:
            with self._around():
                return self._prepared(question.statement, question.row).found(self._cursor)
        asked = [(one, self._driver.cursor()) for one in (question, *wanted)]
        with self._together():
            if owed:
                self._send()
            sent = [(one, self._prepared(one.statement, one.row, cursor), cursor) for one, cursor in asked]
        (_, first, cursor), *ahead = sent
        self._ahead.known += [(one, known.found(own)) for one, known, own in ahead]
        return first.found(cursor)

    def _send(self) -> None:
        unsent, self._unsent = self._unsent, []
        for statement, rows in unsent:
            if not self._goes_around(statement):
                self._connection.execute(statement, rows)
                continue
            for row in (rows,) if isinstance(rows, dict) else rows or ():
                self._prepared(statement, row)

    def _goes_around(self, statement: Executable) -> bool:
        return self._on_postgres and "often" in statement.get_execution_options()

    def _prepared(
        self, statement: Executable, row: Mapping[str, Any], cursor: psycopg.Cursor[Any] | None = None
    ) -> Prepared:
        """Run an `OFTEN` statement inside `_around`, or send it inside `_together`, where each that finds something has
        a cursor of its own."""
        known = prepared(statement, row, self._connection.dialect)
        known.send(cursor or self._cursor, row)
        return known

    @contextmanager
    def _together(self) -> Iterator[None]:
        """On PostgreSQL everything inside is sent at once and waited for at the end, so its results cannot be read."""
        if not self._on_postgres:
            yield
            return
        with self._around(), self._driver.pipeline():
            yield

    @contextmanager
    def _around(self) -> Iterator[None]:
        """Use PostgreSQL's driver as SQLAlchemy would: it begins, and says what went wrong, in the same way."""
        if not self._connection.in_transaction():
            self._connection.begin()
        try:
            yield
        except psycopg.Error as error:
            if self._driver.closed:
                self._connection.invalidate(error)
            raise DBAPIError.instance("around", None, error, psycopg.Error, hide_parameters=True) from error

    @cached_property
    def _driver(self) -> psycopg.Connection[Any]:
        return cast("psycopg.Connection[Any]", self._connection.connection.driver_connection)

    @cached_property
    def _cursor(self) -> psycopg.Cursor[Any]:
        return self._driver.cursor()

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
        change = await self._guarded(self._commit)
        self._forget_changes()
        if change != Committed():
            self._wake(change)

    def _commit(self) -> Committed:
        wanted = Counter(event.workspace for event in self._events)
        last = self._commit_together(wanted) if self._on_postgres else self._commit_in_turn(wanted)
        self._connection.commit()
        return self._change(last)

    def _change(self, last: Mapping[str, int]) -> Committed:
        """What is committed, where these are the newest positions."""
        return Committed(
            interactions=tuple(sorted(self._touched)),
            positions=tuple(sorted(last.items())),
            lanes=tuple(lane for lane in Lane if lane in self._lanes),
            dropped=tuple(self._dropped),
            events=tuple(self._events),
        )

    def _commit_together(self, wanted: Counter[str]) -> dict[str, int]:
        """Send what is unsent, the events and the commit at once: the workspace is locked no longer than the server
        takes to commit. So the server fills in the positions, which are read only afterwards."""
        unplaced = self._change(dict.fromkeys(wanted, FARTHEST))
        try:
            with self._together():
                self._send()
                taken = self._take_positions(wanted)
                for event, behind in self._behind(wanted):
                    row = {**event_row(event, 0), "behind": behind}
                    del row["position"]
                    self._prepared(PLACED_EVENT, row)
                if unplaced != Committed():
                    self._driver.execute(TELL, (CHANNEL, *notice_around(unplaced)))
                self._driver.commit()
        except DBAPIError as error:
            if isinstance(error.orig, psycopg.errors.NotNullViolation) and error.orig.diag.column_name == "position":
                raise LookupError(f"there is no workspace among {sorted(wanted)}") from error
            raise
        return {one: int(fetched()[0]) for one, fetched in taken.items()}

    def _commit_in_turn(self, wanted: Counter[str]) -> dict[str, int]:
        self._send()
        found = {one: fetched() for one, fetched in self._take_positions(wanted).items()}
        last = {one: int(row[0]) for one, row in found.items() if row is not None}
        if len(last) < len(found):
            raise LookupError(f"there is no workspace among {sorted(wanted)}")
        for event, behind in self._behind(wanted):
            self._connection.execute(Insert.EVENT, event_row(event, last[event.workspace] - behind))
        return last

    def _behind(self, wanted: Counter[str]) -> Iterator[tuple[Event, int]]:
        """Each event with how many of its workspace come after it."""
        left = Counter(wanted)
        for event in self._events:
            left[event.workspace] -= 1
            yield event, left[event.workspace]

    def _take_positions(self, wanted: Counter[str]) -> dict[str, Callable[[], Any]]:
        """Take so many positions of each workspace; what it gives fetches a row with the last one of them."""
        if self._on_postgres:
            return {one: self._driver.execute(TAKE, (wanted[one], one)).fetchone for one in sorted(wanted)}
        spelled = TAKE.replace("%s", "?")
        return {one: self._connection.exec_driver_sql(spelled, (wanted[one], one)).one_or_none for one in wanted}


def _one_of(rows: Rows) -> Mapping[str, Any]:
    if not isinstance(rows, dict | None):
        raise TypeError("what is run often and waited for has one row of parameters")
    return rows or {}


def _table_of(statement: Executable) -> Any:
    return statement.table if isinstance(statement, UpdateBase) else None
