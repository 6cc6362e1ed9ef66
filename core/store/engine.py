"""Opening a database: an SQLite file or a PostgreSQL server, behaving as alike as they can."""

from __future__ import annotations

import contextlib
import json
import os
import select
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import psycopg
from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from core.errors import Misconfigured

DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
BUSY_SECONDS = 10
"""How long one process waits for another's write on SQLite, and for a lock on PostgreSQL."""
SQLITE_PRAGMAS = (
    f"busy_timeout={BUSY_SECONDS * 1000}",  # first: the others may have to wait already
    "journal_mode=WAL",  # readers and one writer at the same time
    "synchronous=FULL",  # what was acknowledged survives a power cut
    "foreign_keys=ON",
)
POSTGRES_SETTINGS = (
    f"SET lock_timeout = '{BUSY_SECONDS}s'",
    # A process that stops inside a transaction would hold up everybody who waits for its locks.
    "SET idle_in_transaction_session_timeout = '60s'",
    "SET TIME ZONE 'UTC'",
)


def _spell(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


COMMON: dict[str, Any] = {
    "json_serializer": _spell,
    "hide_parameters": True,  # an error message ends up in a log, and parameters hold secrets
}


WRITERS, READERS, PACERS = 8, 4, 2
"""How many transactions a process has at PostgreSQL at once, how many looks at a database, and how many turns it asks
for. More threads than that do no more: they wait for each other."""
ALIVE: dict[str, str] = {
    # A server, or the way to it, that goes without a word is noticed within 20 seconds; as the system has it, whoever
    # waits for an answer would wait for hours. What the address says itself wins.
    "connect_timeout": "10",  # seconds, for each of its hosts
    "keepalives_idle": "5",  # seconds; whoever waits for an answer says nothing
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",  # milliseconds; what was said is not confirmed
}
POSTGRES: dict[str, Any] = {
    "pool_size": (WRITERS + READERS + PACERS) // 2,
    "max_overflow": (WRITERS + READERS + PACERS) // 2,
    "connect_args": {"application_name": "sayso"},
}
UNPREPARED: dict[str, Any] = {
    **POSTGRES,
    # `core.store.exchange` prepares what is run often; the driver would drop that too at each rollback.
    "connect_args": {**POSTGRES["connect_args"], "prepare_threshold": None},
}
_BACKEND = "sayso.backend"
PINGED: dict[str, Any] = {"pool_pre_ping": True}  # a server that was restarted costs nobody an error


def parse_url(text: str) -> URL:
    """Read a database address and name the driver that is used. Raises `Misconfigured`."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise Misconfigured(
            "The database address cannot be read: write it like postgresql://user@host/name or sqlite:///sayso.sqlite3."
        ) from None
    if url.drivername not in DRIVERS:
        raise Misconfigured(f"{url.drivername} is no database of sayso: use sqlite:/// or postgresql://.")
    if url.drivername.startswith("sqlite") and url.database in (None, "", ":memory:"):
        raise Misconfigured("The database must be a file: memory would forget every answer.")
    return url.set(drivername=DRIVERS[url.drivername])


def alive(url: URL) -> URL:
    """An address of PostgreSQL with which it is noticed when nobody is at the other end any more."""
    return url.update_query_dict({name: value for name, value in ALIVE.items() if name not in url.query})


def open_engine(text: str) -> AsyncEngine:
    """Open the database at an address such as `sqlite:///file`, `postgresql://…` or `postgres://…`.

    Connections are made when they are first needed. Transactions on SQLite begin IMMEDIATE, unless the execution
    option `sqlite_begin` says DEFERRED, which is for those that only read. The caller disposes of the engine.
    """
    url = parse_url(text)
    if url.get_backend_name() == "sqlite":
        return _open_sqlite(url)
    return _open_postgres(url)


AnyEngine = TypeVar("AnyEngine", Engine, AsyncEngine)


def reading(engine: AnyEngine) -> AnyEngine:
    """The same database for those that only read: one unchanging moment per transaction, and no writer waits."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(sqlite_begin="DEFERRED")
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def blocking(engine: AsyncEngine) -> Engine:
    """The same database for those who work in threads. The caller disposes of this one too."""
    if engine.dialect.name == "sqlite":
        url = engine.url.set(drivername="sqlite+pysqlite")
        return _as_sqlite(create_engine(url, **COMMON, connect_args={"timeout": BUSY_SECONDS}))
    made = _as_postgres(create_engine(alive(engine.url), **COMMON, **UNPREPARED))
    event.listen(made, "checkout", _check)
    return made


def _check(connection: Any, _record: object, _proxy: object) -> None:
    """Take no connection that the server has ended: a restart costs nobody an error."""
    if has_ended(connection):
        raise DisconnectionError("the server ended this connection")


def has_ended(connection: psycopg.Connection[Any]) -> bool:
    """Whether the server has ended a connection. It tells nothing to those who ask nothing, unless it ends, so it need
    not be asked each time whether it is still there."""
    told = select.poll()
    told.register(connection.pgconn.socket, select.POLLIN)
    return bool(told.poll(0))


def backends_of(engine: Engine) -> set[int]:
    """The process ids of the server's side of its connections, which come and go; on SQLite there are none."""
    found: set[int] = set()

    def made(connection: Any, record: ConnectionPoolEntry) -> None:
        record.info[_BACKEND] = connection.info.backend_pid
        found.add(connection.info.backend_pid)

    def closed(_connection: Any, record: ConnectionPoolEntry) -> None:
        found.discard(record.info[_BACKEND])  # one that is closed already does not know any more

    if engine.dialect.name == "postgresql":
        event.listen(engine, "connect", made)
        event.listen(engine, "close", closed)
    return found


def _open_sqlite(url: URL) -> AsyncEngine:
    Path(str(url.database)).absolute().parent.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(url, **COMMON, connect_args={"timeout": BUSY_SECONDS})
    _as_sqlite(engine.sync_engine)
    return engine


def _privately(_dialect: object, _record: object, where: Sequence[Any], _how: object) -> None:
    """Make a file that is not there yet readable by its owner alone; what SQLite puts beside it goes by the file."""
    with contextlib.suppress(OSError):  # it is there, or cannot be made, of which SQLite tells
        os.close(os.open(where[0], os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _as_sqlite(engine: Engine) -> Engine:
    """Let its connections behave as `SQLITE_PRAGMAS` says, and its transactions begin as they were told."""

    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for pragma in SQLITE_PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get('sqlite_begin', 'IMMEDIATE')}")

    event.listen(engine, "do_connect", _privately)
    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine


def _open_postgres(url: URL) -> AsyncEngine:
    engine = create_async_engine(alive(url), **COMMON, **POSTGRES, **PINGED)
    _as_postgres(engine.sync_engine)
    return engine


def _as_postgres(engine: Engine) -> Engine:
    """Let its connections behave as `POSTGRES_SETTINGS` says."""

    def prepare(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        for setting in POSTGRES_SETTINGS:
            cursor.execute(setting)
        cursor.close()
        connection.commit()

    event.listen(engine, "connect", prepare)
    return engine
