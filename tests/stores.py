"""Stores for tests: databases that have the tables already, copied from one that was migrated once per run."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import sql

from core.ports import Committed
from core.store import Store, migrate, open_engine
from core.store.tables import metadata
from tests import postgres

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

EMPTY = sql.SQL(";").join(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)) for table in metadata.tables)
"""All tables at once: one way to the server and back."""


async def make_tables(url: str) -> None:
    """Bring an empty database up to date."""
    engine = open_engine(url)
    try:
        await migrate(engine)
    finally:
        await engine.dispose()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the tables."""
    path = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    asyncio.run(make_tables(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def postgres_database(postgres_server: URL) -> Iterator[URL]:
    """A PostgreSQL database with the tables, shared by the tests of this process one after the other."""
    database = postgres.create_database(postgres_server)
    asyncio.run(make_tables(database.render_as_string(hide_password=False)))
    yield database
    postgres.drop_database(database)


@pytest.fixture
def sqlite_store_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A copy of the SQLite file, this test's own."""
    path = tmp_path / "store.sqlite3"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture
def postgres_store_url(postgres_database: URL) -> str:
    """The PostgreSQL database, emptied: four times as fast as a copy of it."""
    address = postgres_database.set(drivername="postgresql").render_as_string(hide_password=False)
    # Neither keys nor triggers stand in the way of this connection.
    with psycopg.connect(address, options="-c session_replication_role=replica", autocommit=True) as connection:
        connection.execute(EMPTY)
    return postgres_database.render_as_string(hide_password=False)


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> str:
    """A database with the tables, of each kind in turn."""
    name = "sqlite_store_url" if request.param == "sqlite" else "postgres_store_url"
    url: str = request.getfixturevalue(name)
    return url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def mostly_sqlite_url(request: pytest.FixtureRequest) -> str:
    """The same for what goes through several layers: on PostgreSQL in the long run alone. What a layer asks of a
    database is asked of both every time in tests/store and tests/contracts, and so are races wherever they are."""
    name = "sqlite_store_url" if request.param == "sqlite" else "postgres_store_url"
    url: str = request.getfixturevalue(name)
    return url


empty_mostly_sqlite = pytest.mark.parametrize(
    "database_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True
)
"""The same for `database_url`, an empty database."""


@asynccontextmanager
async def opened(url: str, woken: list[Committed] | None = None) -> AsyncIterator[Store]:
    """Open a store; what it wakes is appended to `woken`."""
    store = Store(open_engine(url), (lambda _: None) if woken is None else woken.append)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
def woken() -> list[Committed]:
    """What the store told those who wait in this process."""
    return []


@pytest.fixture
async def store(store_url: str, woken: list[Committed]) -> AsyncIterator[Store]:
    """An open store on a database of each kind in turn."""
    async with opened(store_url, woken) as opened_store:
        yield opened_store
