"""How databases are opened: what an SQLite file promises, and which addresses are understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine

from core.errors import Misconfigured
from core.store import Store, open_engine
from core.store.engine import parse_url, reading
from tests import engines
from tests.rules.making import NOW
from tests.stores import opened


@pytest.mark.parametrize(
    ("address", "driver"),
    [
        ("sqlite:///file.sqlite3", "sqlite+aiosqlite"),
        ("sqlite+aiosqlite:////var/file.sqlite3", "sqlite+aiosqlite"),
        ("postgresql://ana@db/sayso", "postgresql+psycopg"),
        ("postgresql+psycopg://ana@db/sayso", "postgresql+psycopg"),
        # what hosting services hand out
        ("postgres://ana@db/sayso", "postgresql+psycopg"),
    ],
)
def test_the_addresses_people_have_are_understood(address: str, driver: str) -> None:
    assert parse_url(address).drivername == driver


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("mysql://db/sayso", "no database of sayso"),
        ("sqlite://", "must be a file"),
        # every process would have its own, and a restart would forget
        ("sqlite:///:memory:", "must be a file"),
        ("what?", "cannot be read"),
    ],
)
def test_any_other_address_is_refused_in_a_sentence(address: str, says: str) -> None:
    with pytest.raises(Misconfigured, match=says):
        open_engine(address)


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),  # FULL: what was acknowledged survives a power cut
        ("foreign_keys", 1),
        ("busy_timeout", 10_000),
    ],
)
async def test_every_sqlite_connection_keeps_its_promises(
    sqlite_store_url: str, pragma: str, value: str | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.engine.SQLITE_PRAGMAS", engines.PROMISED)
    engine = open_engine(sqlite_store_url)
    try:
        async with engine.connect() as one, reading(engine).connect() as other:
            for connection in (one, other):
                assert (await connection.execute(text(f"PRAGMA {pragma}"))).scalar_one() == value
                await connection.rollback()
    finally:
        await engine.dispose()


async def test_a_reader_does_not_wait_for_a_writer_and_does_not_see_what_is_not_committed(store: Store) -> None:
    async with store.work() as work:
        await work.add_workspace("wsp_1", "Here", NOW)
        assert await store.records.workspaces() == ()
        await work.commit()
    assert await store.records.workspaces() == ("wsp_1",)


async def test_the_read_side_cannot_write(postgres_store_url: str) -> None:
    """On PostgreSQL it is the server that says so; SQLite has no such transactions."""
    async with opened(postgres_store_url) as store, reading(store.engine).connect() as connection:
        with pytest.raises(DBAPIError, match="read-only"):
            await connection.execute(text("DELETE FROM workspaces"))


async def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    async with opened(f"sqlite:///{folder / 'sayso.sqlite3'}") as store, store.engine.connect() as connection:
        await connection.execute(text("SELECT 1"))
    assert (folder / "sayso.sqlite3").exists()


async def test_an_error_of_the_database_tells_no_secret(store: Store) -> None:
    """Errors end up in logs, and their parameters hold webhook secrets, codes and what people wrote."""
    async with store.work() as work:
        await work.remember("agt_0", "k", "sha256:1", {"said": "in confidence"}, "int_0", NOW)
        with pytest.raises(IntegrityError) as failed:
            await work.commit()
    assert "foreign key" in str(failed.value).lower()
    assert "in confidence" not in str(failed.value)


async def test_a_file_that_is_made_is_its_owner_s_alone_and_one_that_was_there_keeps_its_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Engines of the tests share a dialect, and what is told of a connection that is made goes by the engine's own.
    monkeypatch.setattr("core.store.engine.create_async_engine", create_async_engine)
    (tmp_path / "there.sqlite3").touch(mode=0o644)
    (tmp_path / "there.sqlite3").chmod(0o644)
    for name, mode in (("new.sqlite3", 0o600), ("there.sqlite3", 0o644)):
        engine = open_engine(f"sqlite:///{tmp_path / name}")
        async with engine.begin() as connection:
            await connection.execute(text("create table t (n integer)"))
            found = modes(tmp_path, name)
        await engine.dispose()
        assert f"{name}-wal" in found
        assert set(found.values()) == {mode}


def modes(folder: Path, name: str) -> dict[str, int]:
    """The modes of a database and of what lies beside it."""
    return {one.name: one.stat().st_mode & 0o777 for one in folder.glob(f"{name}*")}
