"""How the statements of one transaction are run: through SQLAlchemy, or around it where they are run often."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeVar, cast

import psycopg
from sqlalchemy import CursorResult, Executable, SelectBase, Table, UpdateBase
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from core.store.exchange import Exchange, Sent, Steps
from core.store.foresight import Foresight, Question, Sees
from core.store.prepared import Found, prepared

Rows = Sequence[dict[str, Any]] | dict[str, Any] | None
T = TypeVar("T")
_WIRE = "sayso.wire"
"""Where a connection of the driver's keeps its own `Exchange`, for as long as it lives."""


class Calls(Protocol):
    """How the database is called: `core.store.threads.Driven`, or `OneByOne`."""

    def call(self, function: Callable[..., T], *arguments: Any) -> Coroutine[Any, Any, T]:
        """Call a function that blocks."""

    def talk(self, driver: psycopg.Connection[Any], steps: Steps[T]) -> Coroutine[Any, Any, T]:
        """Wait for an exchange with PostgreSQL."""


class Statements:
    """Those of one transaction, which begins with the first of them. Whatever runs any may raise what SQLAlchemy
    raises."""

    def __init__(self, connection: Connection, calls: Calls) -> None:
        self._connection = connection
        self._calls = calls
        self._unsent: list[tuple[UpdateBase, Rows]] = []
        self._ahead = Foresight()
        self.on_postgres = connection.dialect.name == "postgresql"

    def later(self, statement: UpdateBase, rows: Rows) -> None:
        """Run a statement that nobody waits for: together with others, before the next one that somebody waits for."""
        self._ahead.changed(_table_of(statement))
        self._unsent.append((statement, rows))

    def foresee(self, questions: Sequence[Question]) -> None:
        """Let these be fetched with the next statement that is waited for: they are asked soon. SQLite is not far."""
        if self.on_postgres:
            self._ahead.wanted += questions

    async def run(self, statement: Executable, rows: Rows, sees: Sees = None) -> CursorResult[Any] | Found:
        """Run a statement. What is unsent goes before it, unless none of that is in the tables that it `sees`."""
        if not isinstance(statement, SelectBase):
            self._ahead.changed(_table_of(statement))
        if not self.goes_around(statement):
            if self._is_owed(sees):
                await self.send()
            return await self._calls.call(self._connection.execute, statement, rows)
        if not isinstance(rows, dict | None):
            raise TypeError("what is run often and waited for has one row of parameters")
        known = self._ahead.take(statement, rows or {})
        return known if known is not None else await self._asked(Question(statement, rows or {}, sees))

    async def send(self) -> None:
        """Run what is unsent."""
        await self._exchange(await self._leftover())

    async def commit(self, last: Sequence[tuple[Executable, Mapping[str, Any]]] = ()) -> list[Found]:
        """Commit. On PostgreSQL what is unsent, the `last` statements and the commit are sent at once: what the last
        ones lock is locked no longer than the server takes to commit. Gives what they found."""
        unsent = await self._leftover()
        if not self.on_postgres:
            await self._calls.call(self._connection.commit)
            return []
        sent = [*unsent, *(self._sent(statement, row) for statement, row in last)]
        found = await self._exchange(sent, commit=True) if sent or self._wire.in_transaction else []
        if self._connection.in_transaction():
            # The server knows of it already, so that it is not asked.
            self._connection.commit()
        return found[len(unsent) :]

    def goes_around(self, statement: Executable) -> bool:
        """Whether it is sent by `core.store.exchange`."""
        return self.on_postgres and "often" in statement.get_execution_options()

    def _is_owed(self, sees: Sees) -> bool:
        """Whether a statement would miss something that is unsent."""
        return bool(self._unsent) and (sees is None or any(_table_of(unsent) in sees for unsent, _ in self._unsent))

    async def _asked(self, question: Question) -> Found:
        """Ask, and fetch with it what is asked soon."""
        wanted, self._ahead.wanted = self._ahead.wanted, []
        owed = any(self._is_owed(one.sees) for one in (question, *wanted))
        before = await self._leftover() if owed else []
        asked = [self._sent(one.statement, one.row) for one in (question, *wanted)]
        found, *ahead = (await self._exchange([*before, *asked]))[len(before) :]
        self._ahead.known += zip(wanted, ahead, strict=True)
        return found

    async def _leftover(self) -> list[Sent]:
        """What is unsent, to be sent. What SQLAlchemy runs is run now, and what comes before that."""
        unsent, self._unsent = self._unsent, []
        left: list[Sent] = []
        for statement, rows in unsent:
            if not self.goes_around(statement):
                await self._exchange(left)
                left = []
                await self._calls.call(self._connection.execute, statement, rows)
                continue
            left += [self._sent(statement, row) for row in ((rows,) if isinstance(rows, dict) else rows or ())]
        return left

    def _sent(self, statement: Executable, row: Mapping[str, Any]) -> Sent:
        return Sent(prepared(statement, row, self._connection.dialect), row)

    async def _exchange(self, sent: Sequence[Sent], *, commit: bool = False) -> list[Found]:
        """Use PostgreSQL's driver, and say what went wrong in the way of SQLAlchemy."""
        if not sent and not commit:
            return []
        try:
            return await self._calls.talk(self._wire.driver, self._wire(sent, commit=commit))
        except psycopg.Error as error:
            if self._wire.closed:
                self._connection.invalidate(error)
            raise DBAPIError.instance("around", None, error, psycopg.Error, hide_parameters=True) from error

    @cached_property
    def _wire(self) -> Exchange:
        return wire_of(self._connection)


def wire_of(connection: Connection) -> Exchange:
    """The way around SQLAlchemy, to PostgreSQL."""
    proxy = connection.connection
    if _WIRE not in proxy.info:
        proxy.info[_WIRE] = Exchange(cast("psycopg.Connection[Any]", proxy.driver_connection))
    found: Exchange = proxy.info[_WIRE]
    return found


def _table_of(statement: Executable) -> Table | None:
    return cast("Table", statement.table) if isinstance(statement, UpdateBase) else None
