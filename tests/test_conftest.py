"""The ground the other tests stand on: real databases of their own, and no way off this machine."""

from __future__ import annotations

import asyncio
import os
import select
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from tests import loopback, postgres

# Set aside for documentation (RFC 5737), so it is nobody's even if the guard failed.
ELSEWHERE = ("192.0.2.1", 80)


@pytest.fixture
def forgiven() -> Iterator[list[str]]:
    """What the guard has noted, forgotten again before it would fail the test."""
    yield loopback.offences
    loopback.offences.clear()


async def run(url: str, *statements: str) -> list[object]:
    """The first value that each statement gives; None where it gives no rows."""
    engine = create_async_engine(url)
    try:
        async with engine.begin() as connection:
            results = [await connection.execute(text(statement)) for statement in statements]
            return [result.scalar() if result.returns_rows else None for result in results]
    finally:
        await engine.dispose()


async def test_each_test_gets_an_empty_database(database_url: str) -> None:
    before = "SELECT count(*) FROM " + ("sqlite_master" if "sqlite" in database_url else "pg_stat_user_tables")
    assert await run(database_url, before, "CREATE TABLE mine (id INTEGER)", "SELECT count(*) FROM mine") == [
        0,
        None,
        0,
    ]


async def test_two_databases_of_one_test_are_apart(fresh_database: Callable[[], str]) -> None:
    first, second = fresh_database(), fresh_database()
    await run(first, "CREATE TABLE mine (id INTEGER)")
    assert await run(second, "SELECT to_regclass('mine') IS NULL") == [True]


async def test_a_database_can_be_copied_with_its_tables(fresh_database: Callable[[], str]) -> None:
    filled = make_url(fresh_database())
    await run(filled.render_as_string(hide_password=False), "CREATE TABLE mine AS SELECT 7 AS id")
    copy = postgres.create_database(filled, template=str(filled.database))
    try:
        assert await run(copy.render_as_string(hide_password=False), "SELECT id FROM mine") == [7]
    finally:
        postgres.drop_database(copy)


def test_the_server_leaves_neither_a_process_nor_a_folder() -> None:
    with postgres.running_server() as server:
        home = Path(str(server.query["host"]))
        pid = int((home / "data" / "postmaster.pid").read_text().splitlines()[0])
        assert Path(f"/proc/{pid}").exists()
    assert not home.exists()
    assert not Path(f"/proc/{pid}").exists()


def test_the_server_does_not_outlive_a_killed_test_run() -> None:
    script = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from tests.postgres import running_server\n"
        "with running_server() as server:\n"
        "    home = Path(server.query['host'])\n"
        "    print(home, (home / 'data' / 'postmaster.pid').read_text().split()[0], flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).parents[1]
    killed = subprocess.run([sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True, check=False)
    home, pid = killed.stdout.split()
    try:
        assert killed.returncode == -9
        assert _ends(int(pid))
    finally:
        subprocess.run(["rm", "-rf", home], check=True)


def _ends(pid: int) -> bool:
    """Wait until a process that is not a child of ours is gone."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], 10)[0])
    finally:
        os.close(watched)


def test_an_address_elsewhere_is_refused_and_noted(forgiven: list[str]) -> None:
    with socket.socket() as connection, pytest.raises(ConnectionRefusedError):
        connection.connect(ELSEWHERE)
    assert forgiven == ["socket.connect 192.0.2.1:80"]


def test_a_datagram_elsewhere_is_refused_and_noted(forgiven: list[str]) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sender, pytest.raises(ConnectionRefusedError):
        sender.sendto(b"", ELSEWHERE)
    assert forgiven == ["socket.sendto 192.0.2.1:80"]


async def test_asyncio_cannot_go_elsewhere_either(forgiven: list[str]) -> None:
    with pytest.raises(OSError, match="may not reach"):
        await asyncio.open_connection(*ELSEWHERE)
    assert forgiven == ["socket.connect 192.0.2.1:80"]


def test_looking_up_a_real_name_is_refused_and_noted(forgiven: list[str]) -> None:
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo("slack.com", 443)
    assert forgiven == ["lookup of slack.com"]


@pytest.mark.parametrize("name", ["agent.example", "hook.example.com", "nowhere.invalid"])
def test_a_name_that_never_exists_is_not_found_and_nobodys_fault(name: str) -> None:
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo(name, 443)
    assert loopback.offences == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.8.8.8"])
def test_this_machine_is_reached(host: str) -> None:
    with (
        socket.create_server((host, 0)) as server,
        socket.create_connection(server.getsockname()) as connection,
    ):
        assert connection.getpeername() == server.getsockname()
    assert loopback.offences == []


def test_the_settings_of_whoever_runs_the_tests_are_left_out() -> None:
    ours = ("SLACK_", "TELEGRAM_", "SAYSO_")
    assert [name for name in os.environ if name.startswith(ours) and not name.startswith("SAYSO_TEST_")] == []


def test_a_developers_own_settings_file_is_not_found() -> None:
    assert list(Path().iterdir()) == []
