"""What the databases say when another transaction was first, as one error of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from core.errors import Raced

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


def is_race(error: DBAPIError) -> bool:
    """Whether doing the whole transaction again from what then stands can succeed."""
    original = error.orig
    return (
        getattr(original, "sqlstate", None) in POSTGRES_RACES
        or getattr(original, "sqlite_errorname", None) in SQLITE_RACES
    )


@contextmanager
def races() -> Iterator[None]:
    """Turn a database error that means a race into `Raced`; others pass."""
    try:
        yield
    except DBAPIError as error:
        if is_race(error):
            raise Raced(f"another transaction was first: {type(error.orig).__name__}") from error
        raise
