"""A whole copy of an SQLite database that is in use: of one moment, readable by one user, in its place once whole."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from core.errors import Invalid, Misconfigured
from core.restoring import UNSETTLED
from core.store.engine import BUSY_SECONDS

BESIDE = ("-wal", "-shm", "-journal", "-mark")
"""What stands beside a database file, by the end of its name."""


def copy_sqlite(database: Path, target: Path) -> int:
    """Copy it and return how many bytes that are. Nobody who writes waits, and the copy says itself that it is one, so
    whoever starts on it notices. Raises `Misconfigured` and `Invalid`."""
    if not database.is_file():
        raise Misconfigured(f"There is no database {database}: check SAYSO_DATABASE_URL.")
    own = {database.resolve(), *(database.with_name(database.name + end).resolve() for end in BESIDE)}
    if target.resolve() in own:
        raise Invalid.at("/target", f"{target} is the database itself; name another file")
    if target.is_dir():
        raise Invalid.at("/target", f"{target} is a folder; name a file in it")
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        # Made first, so that nobody else can read it at any moment; SQLite fills what is empty.
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise Invalid.at("/target", f"{target} cannot be written: {error.strerror}") from None
    try:
        _fill(database, draft)
        _mark_and_check(draft)
        _to_disk(draft)
        size = draft.stat().st_size
        draft.replace(target)
        _to_disk(target.parent)
    except sqlite3.Error as error:
        raise Misconfigured(f"{database} could not be copied: {error}.") from None
    except OSError as error:
        raise Invalid.at("/target", f"{target} cannot be written: {error.strerror}") from None
    finally:
        for left in (draft, *(draft.with_name(draft.name + end) for end in BESIDE)):
            left.unlink(missing_ok=True)
    return size


def _fill(database: Path, draft: Path) -> None:
    with contextlib.closing(sqlite3.connect(database, timeout=BUSY_SECONDS, isolation_level=None)) as source:
        source.execute("VACUUM INTO ?", (str(draft),))


def _mark_and_check(draft: Path) -> None:
    with contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as copy:
        known = copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'timelines'").fetchone()
        if known is not None:
            copy.execute("UPDATE timelines SET home = ?", (UNSETTLED,))
        found = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != ("ok",):
            raise sqlite3.DatabaseError(f"the copy is not whole: {found[0]}")


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
