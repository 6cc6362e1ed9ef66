"""One way to PostgreSQL and back, for as many statements as there are: on the driver's connection but around its
cursors, which take longer for a statement than the server does.

Statements are prepared once for each connection and sent at once, in the pipeline mode of libpq. The driver is told not
to prepare any itself: after a rollback it drops all that a connection has.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping, Sequence
from typing import Any, NamedTuple

import psycopg
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg.waiting import Ready, Wait

from core.store.prepared import Found, Prepared

FAILED = (ExecStatus.FATAL_ERROR, ExecStatus.BAD_RESPONSE)


class Sent(NamedTuple):
    """A statement with its parameters."""

    statement: Prepared
    row: Mapping[str, Any]


class Exchange:
    """What is sent over one connection. `ready` are the names that it knows statements by, for as long as it lives."""

    def __init__(self, driver: psycopg.Connection[Any], ready: set[bytes]) -> None:
        self._driver = driver
        self._pgconn = driver.pgconn
        self._ready = ready
        self._types = Transformer(driver)

    @property
    def closed(self) -> bool:
        """Whether the connection is of no use any more."""
        return bool(self._driver.closed)

    def __call__(self, sent: Sequence[Sent], *, commit: bool = False) -> list[Found]:
        """Run these in the transaction, which begins with the first, and give what each found. Raises the
        `psycopg.Error` of the first that failed."""
        begin = self._pgconn.transaction_status == TransactionStatus.IDLE
        made: set[bytes] = set()
        self._pgconn.enter_pipeline_mode()
        try:
            if begin:
                self._pgconn.send_query_params(b"BEGIN", None)
            for statement, row in sent:
                if statement.name not in self._ready and statement.name not in made:
                    made.add(statement.name)
                    self._pgconn.send_prepare(statement.name, statement.text)
                values = statement.parameters(row)
                given = self._types.dump_sequence(values, statement.formats)
                self._pgconn.send_query_prepared(statement.name, given)
            if commit:
                self._pgconn.send_query_params(b"COMMIT", None)
            self._pgconn.pipeline_sync()
            results = self._driver.wait(_exchanged(self._pgconn))
            self._check(results)
        finally:
            if self._pgconn.status != ConnStatus.BAD:
                self._pgconn.exit_pipeline_mode()
        return self._found(sent, made, results[begin:])

    def _check(self, results: Sequence[PGresult]) -> None:
        for result in results:
            if result.status in FAILED:
                raise error_from_result(result, encoding=self._driver.info.encoding)
        if self._pgconn.status == ConnStatus.BAD:
            raise psycopg.OperationalError("the connection to the server is lost")

    def _found(self, sent: Sequence[Sent], made: set[bytes], results: Sequence[PGresult]) -> list[Found]:
        found, left = [], iter(results)
        for statement, _ in sent:
            if statement.name in made:
                made.discard(statement.name)
                self._ready.add(statement.name)
                next(left)
            result = next(left)
            rows: Sequence[tuple[Any, ...]] = ()
            if result.status == ExecStatus.TUPLES_OK and result.ntuples:
                self._types.set_pgresult(result)
                rows = self._types.load_rows(0, result.ntuples, tuple)
            found.append(statement.found(rows, result.command_tuples or 0))
        return found


def _exchanged(pgconn: PGconn) -> Generator[Wait, Ready, list[PGresult]]:
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
