"""A copy of a database that is in use: whole, of one moment, for one user's eyes, and never half a file."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from pathlib import Path

import pytest

from core.errors import Invalid, Misconfigured
from core.restoring import UNSETTLED
from core.store.copying import copy_sqlite


@pytest.fixture
def database(sqlite_template: Path, tmp_path: Path) -> Path:
    """A file with the tables, in WAL, that begins to be used."""
    path = tmp_path / "live" / "sayso.sqlite3"
    path.parent.mkdir()
    path.write_bytes(sqlite_template.read_bytes())
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO timelines VALUES ('tln_1', 'file/1', '2026-01-01', NULL, '{}')")
        connection.commit()
    return path


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def test_a_copy_has_all_and_says_that_it_is_one(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    size = copy_sqlite(database, target)
    assert size == target.stat().st_size
    assert target.stat().st_mode & 0o777 == 0o600
    assert rows(target, "SELECT id, home FROM timelines") == [("tln_1", UNSETTLED)]
    assert rows(database, "SELECT home FROM timelines") == [("file/1",)]
    tables = "SELECT name FROM sqlite_master ORDER BY name"
    assert rows(target, tables) == rows(database, tables)
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == [target.name]


def test_a_copy_among_writers_is_of_one_moment(database: Path, tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.executescript("CREATE TABLE pairs (n INTEGER); INSERT INTO pairs VALUES (0), (0);")
    begun, stop = threading.Event(), threading.Event()

    def write() -> None:
        with contextlib.closing(sqlite3.connect(database, timeout=10)) as connection:
            while not stop.is_set():
                connection.execute("UPDATE pairs SET n = n + 1")
                connection.commit()
                begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert begun.wait(10)
        for number in range(5):
            target = tmp_path / f"copy-{number}"
            copy_sqlite(database, target)
            ((one,), (other,)) = rows(target, "SELECT n FROM pairs")
            assert one == other
    finally:
        stop.set()
        writer.join()


def test_a_file_that_is_there_is_replaced_only_by_a_whole_one(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    copy_sqlite(database, target)
    before = target.read_bytes()
    broken = tmp_path / "broken.sqlite3"
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    with pytest.raises(Misconfigured, match="could not be copied"):
        copy_sqlite(broken, target)
    assert target.read_bytes() == before
    target.chmod(0o644)
    copy_sqlite(database, target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(one.name for one in tmp_path.iterdir()) == ["broken.sqlite3", "copy.sqlite3", "live"]


@pytest.mark.parametrize("name", ["live/sayso.sqlite3", "live/sayso.sqlite3-wal", "live/../live/sayso.sqlite3-mark"])
def test_the_database_itself_is_no_place_for_its_copy(database: Path, tmp_path: Path, name: str) -> None:
    before = database.read_bytes()
    with pytest.raises(Invalid, match="is the database itself"):
        copy_sqlite(database, tmp_path / name)
    assert database.read_bytes() == before


def test_what_cannot_be_written_or_is_not_there_is_said(database: Path, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="is a folder"):
        copy_sqlite(database, tmp_path)
    with pytest.raises(Invalid, match="cannot be written: No such file"):
        copy_sqlite(database, tmp_path / "nowhere" / "copy")
    with pytest.raises(Misconfigured, match="no database"):
        copy_sqlite(tmp_path / "missing.sqlite3", tmp_path / "copy")
    assert not (tmp_path / "missing.sqlite3").exists()
