"""How the statements of one transaction are run: through SQLAlchemy, or around it where they are run often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, cast

import psycopg
from sqlalchemy import CursorResult, Executable, SelectBase, Table, UpdateBase
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from core.store.exchange import Exchange, Sent
from core.store.foresight import Foresight, Question, Sees
from core.store.prepared import Found, prepared

Rows = Sequence[dict[str, Any]] | dict[str, Any] | None
_PREPARED = "sayso.prepared"
"""Where a connection keeps the names of the statements that are prepared on it."""


class Statements:
    """Those of one transaction, which begins with the first of them. Every method blocks, and may raise what
    SQLAlchemy raises."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
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

    def run(self, statement: Executable, rows: Rows, sees: Sees) -> CursorResult[Any] | Found:
        """Run a statement. What is unsent goes before it, unless none of that is in the tables that it `sees`."""
        if not isinstance(statement, SelectBase):
            self._ahead.changed(_table_of(statement))
        if not self.goes_around(statement):
            if self._is_owed(sees):
                self.send()
            return self._connection.execute(statement, rows)
        if not isinstance(rows, dict | None):
            raise TypeError("what is run often and waited for has one row of parameters")
        known = self._ahead.take(statement, rows or {})
        return known if known is not None else self._asked(Question(statement, rows or {}, sees))

    def send(self) -> None:
        """Run what is unsent."""
        self._exchange(self._leftover())

    def commit(self, last: Sequence[tuple[Executable, Mapping[str, Any]]] = ()) -> list[Found]:
        """Commit. On PostgreSQL what is unsent, the `last` statements and the commit are sent at once: what the last
        ones lock is locked no longer than the server takes to commit. Gives what they found."""
        unsent = self._leftover()
        if not self.on_postgres:
            self._connection.commit()
            return []
        sent = [*unsent, *(self._sent(statement, row) for statement, row in last)]
        found = self._exchange(sent, commit=True) if sent or self._connection.in_transaction() else []
        self._connection.commit()
        return found[len(unsent) :]

    def goes_around(self, statement: Executable) -> bool:
        """Whether it is sent by `core.store.exchange`."""
        return self.on_postgres and "often" in statement.get_execution_options()

    def _is_owed(self, sees: Sees) -> bool:
        """Whether a statement would miss something that is unsent."""
        return bool(self._unsent) and (sees is None or any(_table_of(unsent) in sees for unsent, _ in self._unsent))

    def _asked(self, question: Question) -> Found:
        """Ask, and fetch with it what is asked soon."""
        wanted, self._ahead.wanted = self._ahead.wanted, []
        owed = any(self._is_owed(one.sees) for one in (question, *wanted))
        before = self._leftover() if owed else []
        asked = [self._sent(one.statement, one.row) for one in (question, *wanted)]
        found, *ahead = self._exchange([*before, *asked])[len(before) :]
        self._ahead.known += zip(wanted, ahead, strict=True)
        return found

    def _leftover(self) -> list[Sent]:
        """What is unsent, to be sent. What SQLAlchemy runs is run now, and what comes before that."""
        unsent, self._unsent = self._unsent, []
        left: list[Sent] = []
        for statement, rows in unsent:
            if not self.goes_around(statement):
                self._exchange(left)
                left = []
                self._connection.execute(statement, rows)
                continue
            left += [self._sent(statement, row) for row in ((rows,) if isinstance(rows, dict) else rows or ())]
        return left

    def _sent(self, statement: Executable, row: Mapping[str, Any]) -> Sent:
        return Sent(prepared(statement, row, self._connection.dialect), row)

    def _exchange(self, sent: Sequence[Sent], *, commit: bool = False) -> list[Found]:
        if not sent and not commit:
            return []
        with self._around():
            return self._wire(sent, commit=commit)

    @contextmanager
    def _around(self) -> Iterator[None]:
        """Use PostgreSQL's driver as SQLAlchemy would: it begins, and says what went wrong, in the same way."""
        if not self._connection.in_transaction():
            self._connection.begin()
        try:
            yield
        except psycopg.Error as error:
            if self._wire.closed:
                self._connection.invalidate(error)
            raise DBAPIError.instance("around", None, error, psycopg.Error, hide_parameters=True) from error

    @cached_property
    def _wire(self) -> Exchange:
        proxy = self._connection.connection
        driver = cast("psycopg.Connection[Any]", proxy.driver_connection)
        return Exchange(driver, proxy.info.setdefault(_PREPARED, set()))


def _table_of(statement: Executable) -> Table | None:
    return cast("Table", statement.table) if isinstance(statement, UpdateBase) else None
