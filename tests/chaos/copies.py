"""Copies of a database that is in use, as an operator makes them, and what a copy knows."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from sqlalchemy import Connection, create_engine, select, text
from sqlalchemy.engine import URL, make_url

from core.loops.outcomes import OPEN_STATES
from core.reminding import ReminderState
from core.restoring import UNSETTLED
from core.store.tables import interactions, loop_receipts, loops, publications, receipts, reminders, timelines
from tests import postgres
from tests.flows.processes import ROOT

OPEN: Final = frozenset(state.value for state in OPEN_STATES)


@dataclass(frozen=True)
class Known:
    """What a database knows. `chains` are the hashes of the receipts of each card by its id, and of each work order by
    its name; `waiting` are those that have not ended; `posted` are titles with the provider where they are; `said` are
    titles of cards and names of orders with the number of a reminder that was sent, or may have been."""

    chains: Mapping[str, tuple[str, ...]]
    waiting: frozenset[str]
    posted: frozenset[tuple[str, str]]
    said: frozenset[tuple[str, int]]


class Kept(Protocol):
    """A database that is copied and put back."""

    url: str

    async def take(self, to: Path) -> None:
        """Copy it while it is in use."""

    async def put(self, copy: Path) -> None:
        """Put a copy in its place. Nobody may use it meanwhile."""

    def known(self) -> Known:
        """What it knows now."""

    def is_going_back(self, timelines_before: int) -> bool:
        """Whether the service has begun to bring the chats into agreement with it, and not ended."""

    def timelines(self) -> int:
        """How many histories of it ever began."""

    @contextmanager
    def held(self, table: str) -> Iterator[None]:
        """Whoever goes back waits before what is in this table, as far as the database can do that."""


class _Looked:
    url: str

    @contextmanager
    def _looking(self) -> Iterator[Connection]:
        engine = create_engine(self.url.replace("+aiosqlite", ""))
        try:
            with engine.connect() as connection:
                yield connection
        finally:
            engine.dispose()

    def known(self) -> Known:
        with self._looking() as connection:
            return known(connection)

    def is_going_back(self, timelines_before: int) -> bool:
        with self._looking() as connection:
            homes = connection.execute(select(timelines.c.home).order_by(timelines.c.id)).scalars().all()
        return len(homes) > timelines_before and homes[-1] == UNSETTLED

    def timelines(self) -> int:
        with self._looking() as connection:
            return len(connection.execute(select(timelines.c.id)).all())


class InFile(_Looked):
    """An SQLite file."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "sayso.sqlite3"
        self.url = f"sqlite+aiosqlite:///{self._file}"

    async def take(self, to: Path) -> None:
        await command(sys.executable, "-m", "bot", "backup", str(to), SAYSO_DATABASE_URL=self.url)

    async def put(self, copy: Path) -> None:
        for end in ("-wal", "-shm"):
            self._file.with_name(self._file.name + end).unlink(missing_ok=True)
        shutil.copyfile(copy, self._file)

    @contextmanager
    def held(self, table: str) -> Iterator[None]:
        assert table
        yield


class InServer(_Looked):
    """A database of a PostgreSQL server. Every other copy goes into a new database, the others over what is there."""

    def __init__(self, server: URL) -> None:
        self._server = server
        self._made: list[URL] = []
        self._puts = 0
        self._make()

    def _make(self) -> None:
        self._made.append(postgres.create_database(self._server))
        self.url = self._made[-1].render_as_string(hide_password=False)

    async def take(self, to: Path) -> None:
        await command(postgres.client("pg_dump"), "--format=custom", f"--file={to}", self._plain)

    async def put(self, copy: Path) -> None:
        self._puts += 1
        over = ["--clean", "--if-exists"]
        if self._puts % 2:
            self._make()
            over = []
        await command(postgres.client("pg_restore"), "--exit-on-error", *over, f"--dbname={self._plain}", str(copy))

    @property
    def _plain(self) -> str:
        return make_url(self.url).set(drivername="postgresql").render_as_string(hide_password=False)

    @contextmanager
    def held(self, table: str) -> Iterator[None]:
        with self._looking() as connection:
            connection.execute(text(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"))
            yield
            connection.rollback()

    def close(self) -> None:
        """Remove all that were made."""
        for one in self._made:
            postgres.drop_database(one)


def known(connection: Connection) -> Known:
    """What a database knows."""
    cards = {row.id: row for row in connection.execute(select(interactions))}
    orders = {row.id: row for row in connection.execute(select(loops))}
    chains: dict[str, list[str]] = defaultdict(list)
    names = {**dict(zip(cards, cards, strict=True)), **{id: row.name for id, row in orders.items()}}
    for table, of in ((receipts, receipts.c.interaction), (loop_receipts, loop_receipts.c.loop)):
        for row in connection.execute(select(of.label("of"), table.c.line).order_by(of, table.c.seq)):
            chains[names[row.of]].append(str(row.line["hash"]))
    titles = {id: str(row.content["title"]) for id, row in cards.items()}
    waiting = {id for id, row in cards.items() if row.status == "pending"}
    waiting |= {row.name for row in orders.values() if row.state in OPEN}
    there = connection.execute(select(publications).where(publications.c.message.is_not(None)))
    posted = {(titles[row.interaction], row.provider) for row in there}
    posted |= {(row.title, row.card_provider) for row in orders.values() if row.card_message is not None}
    gone = (ReminderState.DROPPED.value, ReminderState.HELD.value)
    sent = connection.execute(select(reminders).where(reminders.c.state.not_in(gone)))
    said = {(titles[row.interaction], row.number) for row in sent if row.number}
    said |= {(row.name, number) for row in orders.values() for number in range(1, row.nudges + 1)}
    whole = {id: tuple(hashes) for id, hashes in chains.items()}
    return Known(whole, frozenset(waiting), frozenset(posted), frozenset(said))


async def command(program: Path | str, *arguments: str, **environment: Any) -> None:
    """Run a program to its good end."""
    process = await asyncio.create_subprocess_exec(
        str(program),
        *arguments,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "SAYSO_SECRET_KEY": "s" * 64, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()[-2000:]
