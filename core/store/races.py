"""What the databases say when another transaction was first, and when they cannot go on, as errors of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError

from core.errors import Away, Raced

POSTGRES_RACES = frozenset(
    {
        "23505",  # unique_violation: someone inserted the same meanwhile
        "40001",  # serialization_failure
        "40P01",  # deadlock_detected: the other one went on
        "55P03",  # lock_not_available: waited too long
    }
)
SQLITE_RACES = frozenset(
    {
        "SQLITE_BUSY",  # another process held the file for too long
        "SQLITE_BUSY_SNAPSHOT",
        "SQLITE_BUSY_RECOVERY",
        "SQLITE_BUSY_TIMEOUT",
        "SQLITE_LOCKED",
        "SQLITE_CONSTRAINT_UNIQUE",
        "SQLITE_CONSTRAINT_PRIMARYKEY",
    }
)
UNREACHED = (psycopg.OperationalError, psycopg.InterfaceError)
POSTGRES_AWAY = (
    "08",  # the connection is lost
    "25P03",  # a transaction that was idle for too long was ended
    "25P04",  # or one that took too long
    "53",  # too many connections, no memory, no disk
    "57",  # it shuts down, starts up, or was told to end this session or statement
    "58",  # its files are not what they should be
)
"""Beginnings of the SQLSTATE of what the server cannot do just now, whatever it is asked. Its driver gives none where
the server is not reached."""
SQLITE_AWAY = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_NOMEM")
"""Beginnings of what SQLite calls such things."""


def is_away(error: DBAPIError) -> bool:
    """Whether the database itself is what is wrong, and not what it was asked."""
    original = error.orig
    if isinstance(original, psycopg.Error):
        state = original.sqlstate or ""
        return state.startswith(POSTGRES_AWAY) or (not state and isinstance(original, UNREACHED))
    return str(getattr(original, "sqlite_errorname", None) or "").startswith(SQLITE_AWAY)


def is_race(error: DBAPIError) -> bool:
    """Whether doing the whole transaction again from what then stands can succeed."""
    original = error.orig
    return (
        getattr(original, "sqlstate", None) in POSTGRES_RACES
        or getattr(original, "sqlite_errorname", None) in SQLITE_RACES
    )


@contextmanager
def races() -> Iterator[None]:
    """Turn a database error that means a race into `Raced`, and one that means that the database cannot go on into
    `Away`; others pass."""
    try:
        yield
    except DBAPIError as error:
        if is_race(error):
            raise Raced(f"another transaction was first: {type(error.orig).__name__}") from error
        if is_away(error):
            said = (str(error.orig).strip().splitlines() or [type(error.orig).__name__])[0]
            raise Away(f"the database does not answer: {said}") from error
        raise
