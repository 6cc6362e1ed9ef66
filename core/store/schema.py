"""The tables of a database: bringing them up to date, and refusing a database from the future.

In a rolling deploy, replicas of the older program go on while the newer one has migrated already. A revision says in
its name which programs can: on the tables of `0012_0009` every program from revision 0009 on works, because since then
everything only added (expand). One that takes away (contract) names a later one. One without a mark works with nothing
older.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from functools import cache
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from core.errors import Misconfigured
from core.store.engine import reading

MIGRATION_LOCK = 7_246_974_321
"""The number under which PostgreSQL lets one process migrate at a time. On SQLite the transaction itself does."""

MARKED: Final = re.compile(r"[0-9]{4}_(?P<oldest>[0-9]{4})")
"""How a revision is named on whose tables older programs work, from that of revision `oldest` on."""


LOCKED: Final = "locked"
OPENINGS, BETWEEN_OPENINGS = 100, 0.1
"""Tries to open a new SQLite file that others open as well, and seconds between them. While one of them makes it a
database that is read and written at once, SQLite turns the others away without waiting."""


class Unmigrated(Misconfigured):
    """The database is empty or older than this program, which `migrate` mends."""


async def migrate(engine: AsyncEngine) -> None:
    """Bring an empty or older database up to date, in one transaction; any number of processes may do so at once.

    Raises `Misconfigured` when the database cannot be opened, or is of a newer program and this one cannot work on it.
    """
    async with _opened(engine) as connection, _foreign_keys_off(connection):
        await connection.run_sync(_upgrade)
        await connection.commit()


async def check_schema(engine: AsyncEngine) -> None:
    """Raise `Misconfigured` (`Unmigrated` if that is all) unless this program works on the database as it is."""
    async with reading(engine).connect() as connection:
        found = await connection.run_sync(_revision)
    if not _is_newer(found) and found != _scripts().get_current_head():
        raise Unmigrated("The database is empty or older than this program: run `sayso migrate`.")


def configuration(connection: Connection | None = None) -> Config:
    """What Alembic needs to know, without a file."""
    config = Config()
    config.set_main_option("script_location", "core.store:migrations")
    config.attributes["connection"] = connection
    return config


@contextlib.asynccontextmanager
async def _opened(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    connection = await _connected(engine)
    try:
        yield connection
    finally:
        await connection.close()


async def _connected(engine: AsyncEngine) -> AsyncConnection:
    tries_left = OPENINGS
    while True:
        tries_left -= 1
        try:
            return await engine.connect().start()
        except OperationalError as error:
            said = (str(error.orig).splitlines() or [""])[0].rstrip(".")
            if LOCKED not in said or not tries_left:
                raise Misconfigured(f"The database cannot be opened: {said}. Check SAYSO_DATABASE_URL.") from None
        await asyncio.sleep(BETWEEN_OPENINGS)


@contextlib.asynccontextmanager
async def _foreign_keys_off(connection: AsyncConnection) -> AsyncIterator[None]:
    """Let a table take the place of another on SQLite, as its documentation says how: keys are off before the
    transaction begins, are all looked at before it ends, and are on again for whoever has the connection next."""
    if connection.dialect.name != "sqlite":
        yield
        return
    raw = (await connection.get_raw_connection()).driver_connection
    if raw is None:
        raise RuntimeError("an open connection has a driver's connection")
    await raw.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        await connection.rollback()
        await raw.execute("PRAGMA foreign_keys=ON")


@cache
def _scripts() -> ScriptDirectory:
    """The revisions of this program, read once."""
    return ScriptDirectory.from_config(configuration())


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _is_newer(found: str | None) -> bool:
    """Whether the database is of a newer program. Raises `Misconfigured` when this one does not work on it."""
    known = {script.revision for script in _scripts().walk_revisions()}
    if found is None or found in known:
        return False
    marked = MARKED.fullmatch(found)
    head = (_scripts().get_current_head() or "").partition("_")[0]
    if marked is None or head < marked["oldest"]:
        raise Misconfigured(
            f"The database is at revision {found}, which this program does not know: it was made by a newer version. "
            "Run that version, or name another database in SAYSO_DATABASE_URL."
        )
    return True


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = 0"))  # another's migration may take its time
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": MIGRATION_LOCK})
    before = _revision(connection)
    if _is_newer(before) or before == _scripts().get_current_head():
        return
    command.upgrade(configuration(connection), "head")
    if connection.dialect.name == "sqlite" and before != _revision(connection):
        broken = connection.execute(text("PRAGMA foreign_key_check")).first()
        if broken is not None:
            raise RuntimeError(f"the migration would leave a row of {broken[0]} that refers to nothing")
