"""Migrations: from nothing to the tables, by any number of processes at once, never onto a newer database."""

from __future__ import annotations

import socket
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import event, inspect, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from core.errors import Misconfigured
from core.store import Store, check_schema, migrate, open_engine
from core.store.schema import configuration
from core.store.tables import metadata
from tests.store.making import HERE, add, ask, line, settle_in
from tests.store.rival import make_tables
from tests.store.rivals import Rival, run_together


@pytest.fixture
async def engine(database_url: str) -> AsyncEngine:
    """An empty database."""
    return open_engine(database_url)


async def execute(engine: AsyncEngine, statement: str) -> None:
    async with engine.connect() as connection:
        await connection.execute(text(statement))
        await connection.commit()


async def test_the_migrations_make_exactly_the_tables_the_code_speaks_of(engine: AsyncEngine) -> None:
    await migrate(engine)
    async with engine.connect() as connection:
        await connection.run_sync(lambda sync: command.check(configuration(sync)))
        tables = await connection.run_sync(lambda sync: set(inspect(sync).get_table_names()))
    assert tables == {*metadata.tables, "alembic_version"}
    await engine.dispose()


async def test_migrating_again_changes_nothing(engine: AsyncEngine) -> None:
    await migrate(engine)
    await execute(engine, "INSERT INTO leases VALUES ('kept', 'w', '2026-12-02 00:00:00', 1)")
    await migrate(engine)
    await check_schema(engine)
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT name FROM leases"))).scalar_one() == "kept"
    await engine.dispose()


async def test_the_migrations_can_be_undone_and_done_again(engine: AsyncEngine) -> None:
    def undo(connection: Connection) -> None:
        command.downgrade(configuration(connection), "base")

    await migrate(engine)
    async with engine.connect() as connection:
        await connection.run_sync(undo)
        await connection.commit()
    await migrate(engine)
    await check_schema(engine)
    await engine.dispose()


def test_four_processes_that_start_at_once_on_an_empty_database_all_succeed(database_url: str) -> None:
    assert run_together(*(Rival(make_tables, database_url) for _ in range(4))) == [0, 0, 0, 0]


async def test_an_empty_database_is_told_to_migrate(engine: AsyncEngine) -> None:
    with pytest.raises(Misconfigured, match="sayso migrate"):
        await check_schema(engine)
    await engine.dispose()


async def test_a_database_that_does_not_answer_is_told_in_one_sentence_without_its_password() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    engine = open_engine(f"postgresql+psycopg://sayso:hidden@127.0.0.1:{port}/sayso")
    with pytest.raises(Misconfigured, match=r"cannot be opened: .*refused\. Check SAYSO_DATABASE_URL") as told:
        await migrate(engine)
    assert "hidden" not in str(told.value)
    assert "\n" not in str(told.value)
    await engine.dispose()


async def test_a_newer_database_that_only_grew_is_worked_on_and_left_alone(engine: AsyncEngine) -> None:
    await migrate(engine)
    await execute(engine, "UPDATE alembic_version SET version_num = '9999_0009'")
    for step in (check_schema, migrate):
        await step(engine)
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one() == "9999_0009"
    await engine.dispose()


async def test_a_newer_database_that_works_with_nothing_so_old_is_refused(engine: AsyncEngine) -> None:
    await migrate(engine)
    await execute(engine, "UPDATE alembic_version SET version_num = '9999_9998'")
    for step in (check_schema, migrate):
        with pytest.raises(Misconfigured, match=r"revision 9999_9998.*newer version"):
            await step(engine)
    await engine.dispose()


async def test_a_newer_database_is_refused_and_left_alone(engine: AsyncEngine) -> None:
    await migrate(engine)
    await execute(engine, "UPDATE alembic_version SET version_num = '9999'")
    for step in (check_schema, migrate):
        with pytest.raises(Misconfigured, match=r"revision 9999.*newer version"):
            await step(engine)
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one() == "9999"
    await engine.dispose()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE receipts SET type = 'accepted'",
        "UPDATE receipts SET line = '{}' WHERE seq = 1",
        "DELETE FROM receipts",
        "DELETE FROM receipts WHERE seq = 2",
    ],
)
async def test_the_database_itself_refuses_to_change_a_receipt(store: Store, statement: str) -> None:
    await _two_receipts(store)
    with pytest.raises(DBAPIError, match="append-only"):
        await execute(store.engine, statement)
    assert len(await store.records.receipts(HERE, ask().id)) == 2


async def test_postgres_refuses_to_empty_the_receipts(postgres_store_url: str) -> None:
    store = Store(open_engine(postgres_store_url))
    await _two_receipts(store)
    with pytest.raises(DBAPIError, match="append-only"):
        await execute(store.engine, "TRUNCATE receipts")
    await store.close()


async def _two_receipts(store: Store) -> None:
    await settle_in(store)
    await add(store, ask())
    async with store.work() as work:
        await work.record(line("rcp_1"), ask().id)
        await work.record(line("rcp_2"), ask().id)
        await work.commit()


async def test_a_new_sqlite_file_that_others_open_in_the_same_moment_is_opened_a_little_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.schema.BETWEEN_OPENINGS", 0.0)
    turned_away = iter(range(3))

    def locked(_connection: object, _record: object) -> None:
        if next(turned_away, None) is not None:
            raise sqlite3.OperationalError("database is locked")

    engine = open_engine(f"sqlite+aiosqlite:///{tmp_path}/sayso.sqlite3")
    event.listen(engine.sync_engine, "connect", locked)
    await migrate(engine)
    await check_schema(engine)
    await engine.dispose()
    assert next(turned_away, None) is None
