"""One way to PostgreSQL and back, for as many statements as there are: on the driver's connection but around its
cursors, which take longer for a statement than the server does.

Statements are prepared once for each connection and sent at once, in the pipeline mode of libpq. The driver is told not
to prepare any itself: after a rollback it drops all that a connection has.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg.waiting import Ready, Wait

from core.store.prepared import Found, Prepared

T = TypeVar("T")
FAILED = (ExecStatus.FATAL_ERROR, ExecStatus.BAD_RESPONSE)


Steps: TypeAlias = PQGen[T]
"""What is to be sent and received, in turn with waiting for the connection: whoever drives it waits."""


class Sent(NamedTuple):
    """A statement with its parameters."""

    statement: Prepared
    row: Mapping[str, Any]


class Exchange:
    """What is sent over one connection, for as long as that lives."""

    def __init__(self, driver: psycopg.Connection[Any]) -> None:
        self.driver = driver
        self._pgconn = driver.pgconn
        self._types = Transformer(driver)
        self._ready: set[bytes] = set()
        """The names that the server knows statements by."""

    @property
    def closed(self) -> bool:
        """Whether the connection is of no use any more."""
        return bool(self.driver.closed)

    @property
    def in_transaction(self) -> bool:
        """Whether one has begun."""
        return self._pgconn.transaction_status != TransactionStatus.IDLE

    def __call__(self, sent: Sequence[Sent], *, commit: bool = False) -> Steps[list[Found]]:
        """Run these in the transaction, which begins with the first, and give what each found. Raises the
        `psycopg.Error` of the first that failed."""
        # Before anything is sent: a value that cannot be written leaves the connection as it was.
        given = [self._types.dump_sequence(statement.parameters(row), statement.formats) for statement, row in sent]
        asked: list[bytes | Prepared | None] = []
        """What each result is of: a statement, the name of one that is prepared, the transaction itself."""
        self._pgconn.enter_pipeline_mode()
        try:
            if not self.in_transaction:
                self._pgconn.send_query_params(b"BEGIN", None)
                asked.append(None)
            for (statement, _), values in zip(sent, given, strict=True):
                if statement.name not in self._ready and statement.name not in asked:
                    self._pgconn.send_prepare(statement.name, statement.text)
                    asked.append(statement.name)
                self._pgconn.send_query_prepared(statement.name, values)
                asked.append(statement)
            if commit:
                self._pgconn.send_query_params(b"COMMIT", None)
                asked.append(None)
            self._pgconn.pipeline_sync()
            results = yield from _exchanged(self._pgconn)
        finally:
            if self._pgconn.status != ConnStatus.BAD:
                self._pgconn.exit_pipeline_mode()
        # What was prepared stays so, whatever became of the transaction.
        self._ready.update(
            one
            for one, result in zip(asked, results, strict=False)
            if isinstance(one, bytes) and result.status == ExecStatus.COMMAND_OK
        )
        self._check(results)
        return [
            self._found(one, result) for one, result in zip(asked, results, strict=True) if isinstance(one, Prepared)
        ]

    def _check(self, results: Sequence[PGresult]) -> None:
        for result in results:
            if result.status in FAILED:
                if not result.error_field(DiagnosticField.SQLSTATE):
                    # The driver's own word, not the server's: there is no server any more.
                    raise psycopg.OperationalError(result.error_message.decode(errors="replace").strip())
                raise error_from_result(result, encoding=self.driver.info.encoding)
        if self._pgconn.status == ConnStatus.BAD:
            raise psycopg.OperationalError("the connection to the server is lost")

    def _found(self, statement: Prepared, result: PGresult) -> Found:
        rows: Sequence[tuple[Any, ...]] = ()
        if result.status == ExecStatus.TUPLES_OK and result.ntuples:
            self._types.set_pgresult(result)
            rows = self._types.load_rows(0, result.ntuples, tuple)
        return statement.found(rows, result.command_tuples or 0)


def _exchanged(pgconn: PGconn) -> Steps[list[PGresult]]:
    """Send what is unsent, and receive until the server has answered all of it, or is gone: then what it said last."""
    results: list[PGresult] = []
    with contextlib.suppress(psycopg.OperationalError):
        while pgconn.flush():
            if (yield Wait.RW) & Ready.R:
                pgconn.consume_input()
        while pgconn.status != ConnStatus.BAD:
            while pgconn.is_busy():
                if (yield Wait.R) & Ready.R:
                    pgconn.consume_input()
            result = pgconn.get_result()
            if result is None:
                continue  # the end of one statement
            if result.status == ExecStatus.PIPELINE_SYNC:
                return results
            results.append(result)
    while (result := pgconn.get_result()) is not None:
        results.append(result)
    return results
