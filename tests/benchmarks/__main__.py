"""`python -m tests.benchmarks`: measure, print, and with `--write` put the ratios into the README."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests import postgres, readme
from tests.benchmarks import jobs, report
from tests.benchmarks.report import ACT, ASK, ASK_IN_SLACK, INSERT, PRESS, Measured
from tests.benchmarks.running import Running, running

LOADS = {1: 60, 32: 192}
"""How many requests of a job are sent in a round, by how many are sent at once."""
ROUNDS = 2
"""Everything is measured so often in turn: a machine that slows down for a while slows down all of it."""
INSERTS = 2
"""Bare inserts for each other request, half of them before and half of them after."""
LISTENERS = 40
DRAINED = 320
OPEN = 100_000
"""Cards, and as many work orders, that are open when the memory is measured."""
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "autovacuum": "on"}
"""PostgreSQL as it is run, not as the tests run it. Where nothing looks at tables that grow, plans made for empty ones
stay."""


async def measure(name: str, database: str, folder: Path) -> Measured:
    """Measure everything on one database."""
    found = Measured(name)
    async with running(database, folder) as run:
        await _warm_up(run)
        for _ in range(ROUNDS):
            for at_once, count in LOADS.items():
                await _round(run, found, at_once, count)
        _, ids = await jobs.ask(run, LISTENERS, 4)
        found.heard = await jobs.heard(run, ids)
        found.ready = run.ready
        found.drained = await jobs.drain(run, DRAINED)
        found.memory = await jobs.memory_among_many(run, database, OPEN)
    return found


async def _round(run: Running, found: Measured, at_once: int, count: int) -> None:
    inserts = count * INSERTS // 2
    found.add(INSERT, at_once, await jobs.insert(run, inserts, at_once))
    sample, ids = await jobs.ask(run, count, at_once)
    found.add(ASK, at_once, sample)
    found.add(ACT, at_once, await jobs.act(run, ids, at_once))
    found.add(ASK_IN_SLACK, at_once, await jobs.ask_in_slack(run, count, at_once))
    found.add(PRESS, at_once, await jobs.press(run, await jobs.cards(run), at_once))
    await jobs.expect_all_settled(run)
    found.add(INSERT, at_once, await jobs.insert(run, inserts, at_once))


async def _warm_up(run: Running) -> None:
    """Load what is loaded on first use, and let everybody who will press become known."""
    await jobs.insert(run, 20, 4)
    _, ids = await jobs.ask(run, 20, 4)
    await jobs.act(run, ids, 4)
    await jobs.ask_in_slack(run, 20, 4)
    await jobs.press(run, await jobs.cards(run), 4)
    await jobs.expect_all_settled(run)


@contextlib.contextmanager
def databases(only: str | None, folder: Path) -> Iterator[dict[str, str]]:
    """An SQLite file and a real PostgreSQL, both durable."""
    found: dict[str, str] = {}
    with contextlib.ExitStack() as stack:
        if only in (None, "sqlite"):
            found["SQLite"] = f"sqlite:///{folder / 'sayso.sqlite3'}"
        if only in (None, "postgresql"):
            server = stack.enter_context(postgres.running_server(**DURABLE))
            found["PostgreSQL"] = server.render_as_string(hide_password=False)
        yield found


def main() -> None:
    """Measure both databases, or one."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--only", choices=("sqlite", "postgresql"), help="one database")
    parser.add_argument("--write", action="store_true", help="put the ratios into README.md")
    asked = parser.parse_args()
    if asked.write and asked.only:
        parser.error("the README shows both databases: --write goes without --only")
    begun, found = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="sayso-bench-") as folder, databases(asked.only, Path(folder)) as urls:
        for name, url in urls.items():
            place = Path(folder) / name
            place.mkdir()
            try:
                found.append(asyncio.run(measure(name, url, place)))
            except BaseException:
                for log in sorted(place.glob("*.log")):
                    sys.stderr.write(f"--- {log.name}\n{log.read_text()[-3_000:]}\n")
                raise
            sys.stdout.write(report.as_text(found[-1]) + "\n\n")
            sys.stdout.flush()
    sys.stdout.write(f"{time.monotonic() - begun:.0f} seconds in all.\n")
    if asked.write:
        readme.write("speed", report.as_markdown(found, tuple(LOADS)))


if __name__ == "__main__":
    main()
