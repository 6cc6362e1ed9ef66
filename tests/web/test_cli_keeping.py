"""Commands about what is kept, as an operator runs them: on the database of the service, with files."""

from __future__ import annotations

import asyncio
import io
import json
import sqlite3
import stat
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.config import load
from bot.moment import SystemClock
from bot.sealing import Sealer
from bot.signing import Signing
from core.canonical import rfc3339
from core.store import Store, open_engine
from tests.use_cases.bench import Bench
from tests.use_cases.cast import HERE, MovedClock
from tests.use_cases.keeping import World, live_in
from tests.web.shells import Shell

FILE = "kept.jsonl"


def lived_in() -> dict[str, str]:
    """A workspace in the commands' database where much has ended a hundred days ago: ids by what they are."""
    return asyncio.run(_live())


async def _live() -> dict[str, str]:
    settings = load()
    signing = Signing(Sealer(settings.keys("signing")))
    store = Store(open_engine(settings.database_url()), signer=signing)
    b = Bench(store, MovedClock(SystemClock().now() - timedelta(days=100)))
    try:
        await signing.open(b.context)
        await b.begin()
        return await live_in(World(b, signing))
    finally:
        await store.close()


@pytest.fixture
def ids(shell: Shell, store_url: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What there is, on each database in turn."""
    monkeypatch.setenv("SAYSO_DATABASE_URL", store_url)
    assert shell("migrate") == 0
    return lived_in()


@pytest.fixture
def on_sqlite(shell: Shell) -> dict[str, str]:
    """The same in the file that the service has without any settings."""
    assert shell("migrate") == 0
    return lived_in()


def lines() -> list[dict[str, Any]]:
    """The export that was written."""
    return [json.loads(line) for line in Path(FILE).read_bytes().splitlines()]


def rewrite(old: str, new: str) -> None:
    """Change something in the export, as who has an editor does."""
    told = Path(FILE).read_text()
    assert old in told
    Path(FILE).write_text(told.replace(old, new, 1))


def key_in_use(shell: Shell) -> str:
    assert shell("key", "list", "--json") == 0
    public: str = json.loads(shell.out)[-1]["public"]
    return public


def exported(shell: Shell, *more: str) -> None:
    assert shell("export", "--workspace", HERE, "--to", FILE, *more) == 0, shell.err


def verified(shell: Shell, *more: str) -> dict[str, Any]:
    """What verifying says, and its exit status, which must agree with it."""
    status = shell("verify", FILE, "--json", *more)
    told: dict[str, Any] = json.loads(shell.out)
    assert status == (0 if told["holds"] else 1)
    return told


def test_what_is_exported_verifies_and_nobody_else_can_read_the_file(shell: Shell, ids: dict[str, str]) -> None:
    exported(shell)
    assert stat.S_IMODE(Path(FILE).stat().st_mode) == 0o600
    told = verified(shell, "--key", key_in_use(shell), "--strict")
    assert (told["holds"], told["faults"], told["unsigned"]) == (True, [], 0)
    assert told["counts"]["interaction"] == 5
    assert told["counts"]["loop"] == 2
    assert ids["accepted"] in {one["value"].get("id") for one in lines() if one["type"] == "interaction"}
    assert shell("verify", FILE) == 0
    assert shell.out.startswith("All holds: ")
    assert "5 cards" in shell.out
    assert "2 work orders" in shell.out
    assert not list(Path().glob(".*.part")), "nothing half written is left"


def test_an_export_of_a_time_has_what_was_asked_then(shell: Shell, ids: dict[str, str]) -> None:
    exported(shell, "--since", rfc3339(SystemClock().now() - timedelta(days=1)))
    assert verified(shell)["counts"].get("interaction", 0) == 0
    assert shell("export", "--since", "yesterday") == 2
    assert "2026-01-31" in shell.err
    assert shell("export", "--workspace", "nowhere") == 1
    assert shell("export", "--workspace", HERE, "--to", "no/such/folder.jsonl") == 2
    assert "cannot be written" in shell.err
    assert ids


def test_whatever_was_changed_in_a_file_is_found_with_its_line(shell: Shell, on_sqlite: dict[str, str]) -> None:
    exported(shell)
    (number,) = [one["n"] for one in lines() if one["value"].get("id") == on_sqlite["accepted"]]
    rewrite('"handle":"ana"', '"handle":"eve"')
    assert shell("verify", FILE) == 1
    assert shell.out.splitlines()[-1].startswith("Not all holds")
    exported(shell)
    text = Path(FILE).read_text().splitlines(keepends=True)
    at = next(index for index, one in enumerate(text) if json.loads(one)["n"] == number)
    Path(FILE).write_text("".join(text[:at] + text[at + 1 :]))
    assert next(one["line"] for one in verified(shell)["faults"]) == at + 1, "a card that was taken out"
    exported(shell)
    text = Path(FILE).read_text().splitlines(keepends=True)
    Path(FILE).write_text("".join(text[:-1]))
    assert not verified(shell)["holds"], "the end that was cut off"


def test_a_file_that_is_no_export_is_wrong_use_and_one_that_is_not_there_is_said(shell: Shell) -> None:
    Path("other.txt").write_text("hello\n")
    assert shell("verify", "other.txt") == 2
    assert shell("verify", "missing.jsonl") == 1
    assert "no file missing.jsonl" in shell.err


def test_a_key_is_replaced_and_what_was_signed_before_stays_good(shell: Shell, ids: dict[str, str]) -> None:
    old = key_in_use(shell)
    exported(shell)
    assert shell("key", "rotate") == 0
    new = key_in_use(shell)
    assert (new in shell.out, new != old) == (True, True)
    assert verified(shell, "--key", old)["holds"], "what was exported before"
    told = verified(shell, "--key", new)
    assert not told["holds"], "which the new key has not signed"
    exported(shell)
    assert verified(shell, "--key", new)["holds"], "receipts of both keys in one export of the new one"
    assert shell("key", "list") == 0
    assert [line.split()[1] for line in shell.out.splitlines()] == [old, new]
    assert shell("audit", "--json") == 0
    assert json.loads(shell.out)[0]["what"] == "key.rotated"
    assert ids


def test_a_key_that_cannot_be_opened_is_said_and_nothing_is_made(
    shell: Shell, on_sqlite: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = key_in_use(shell)
    monkeypatch.setenv("SAYSO_SECRET_KEY", "another-key-" * 4)
    assert shell("export", "--workspace", HERE, "--to", FILE) == 1
    assert "SAYSO_SECRET_KEY" in shell.err
    assert not Path(FILE).exists()
    monkeypatch.delenv("SAYSO_SECRET_KEY")
    assert key_in_use(shell) == old
    assert on_sqlite


def test_what_is_purged_is_counted_first_and_its_proof_is_exported(shell: Shell, ids: dict[str, str]) -> None:
    assert shell("purge", "--settled-before", "90d", "--workspace", HERE, "--dry-run") == 0
    would = shell.out
    assert would.startswith("2 cards, 1 work order and ")
    assert "would be purged" in would
    exported(shell)
    assert "Audit the endpoints" in Path(FILE).read_text(), "and nothing is gone yet"
    assert shell("purge", "--settled-before", "90d", "--workspace", HERE) == 0
    assert shell.out == would.replace("would be purged", "purged")
    exported(shell)
    told = verified(shell, "--key", key_in_use(shell), "--strict")
    assert (told["holds"], told["counts"]["purged"]) == (True, 3)
    (left,) = [one["value"] for one in lines() if one["type"] == "purged" and one["value"]["id"] == ids["accepted"]]
    assert (left["status"], left["signature"] is not None) == ("accepted", True)
    assert ids["pending"] in Path(FILE).read_text()
    assert shell("purge", "--settled-before", "90d", "--workspace", HERE) == 0
    assert shell.out.startswith("0 cards, 0 work orders and 0 ")
    assert "less than a day" not in shell.out
    assert shell("purge", "--settled-before", "1h", "--workspace", HERE) == 0
    assert shell.out.endswith("What ended less than a day ago stays.\n")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        # what somebody types | what they are told
        (["--settled-before", "soon"], "2026-01-31"),
        ([], "--settled-before"),
        (["--settled-before", "90d", "--workspace", "nowhere"], "There is no workspace nowhere."),
    ],
)
def test_a_purge_that_says_not_what_is_refused(shell: Shell, given: list[str], told: str) -> None:
    assert shell("purge", *given) != 0
    assert told in shell.err


def test_whoever_is_forgotten_is_in_no_export_and_it_verifies(shell: Shell, ids: dict[str, str]) -> None:
    assert shell("person", "forget", "ana", "--workspace", HERE, "--yes") == 0
    alias = shell.out.split()[2]
    assert alias.startswith("forgotten-")
    exported(shell)
    told = verified(shell, "--key", key_in_use(shell), "--strict")
    assert told["holds"]
    assert told["redacted"] > 0
    text = Path(FILE).read_text()
    for trace in ('"handle":"ana"', '"Ana"', "person:ana", "T1.U1", "telegram:42"):
        assert trace not in text, trace
    assert alias in text
    assert shell("verify", FILE) == 0
    assert "receipts without the person they named" in shell.out
    assert shell("person", "forget", "ana", "--workspace", HERE, "--yes") == 1
    assert shell("person", "forget", "opal", "--workspace", HERE, "--yes") == 2
    assert "the last operator" in shell.err
    assert shell("audit", "--workspace", HERE, "--json") == 0
    assert json.loads(shell.out)[0]["what"] == "person.forgotten"
    assert ids


def test_nobody_is_forgotten_unless_that_is_meant(
    shell: Shell, on_sqlite: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert shell("person", "forget", "ana", "--workspace", HERE) == 1
    assert "for good?" in shell.out
    assert shell("person", "list", "--workspace", HERE) == 0
    assert "ana" in shell.out
    assert on_sqlite


def test_a_copy_is_a_database_of_its_own_that_commands_work_on(
    shell: Shell, on_sqlite: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shell("backup", "copy.sqlite3") == 0
    assert "secret-key" in shell.out, "it says which key to keep beside it"
    assert stat.S_IMODE(Path("copy.sqlite3").stat().st_mode) == 0o600
    assert shell("purge", "--settled-before", "90d", "--workspace", HERE) == 0
    public = key_in_use(shell)
    monkeypatch.setenv("SAYSO_DATABASE_URL", f"sqlite+aiosqlite:///{Path('copy.sqlite3').resolve()}")
    assert shell("restored") == 0
    assert "Start the service" in shell.out
    exported(shell)
    told = verified(shell, "--key", public)
    assert (told["holds"], told["counts"]["interaction"]) == (True, 5), "all that was there when it was made"
    assert shell("backup", "copy.sqlite3") == 2, "a database is no place for its own copy"
    assert on_sqlite


def test_a_copy_of_postgres_is_made_with_its_own_tools(
    shell: Shell, postgres_store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAYSO_DATABASE_URL", postgres_store_url)
    assert shell("backup", "copy.dump") == 1
    assert "pg_dump --format=custom --file=copy.dump" in shell.err
    assert not Path("copy.dump").exists()


def test_saying_that_it_was_restored_begins_a_new_timeline_at_the_next_start(
    shell: Shell, on_sqlite: dict[str, str]
) -> None:
    def timelines() -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(load().database_url().partition(":///")[2])) as connection:
            return connection.execute("SELECT home, known_until FROM timelines ORDER BY id").fetchall()

    before = timelines()
    assert shell("restored") == 0
    assert timelines() != before
    assert shell("restored") == 0
    assert on_sqlite
