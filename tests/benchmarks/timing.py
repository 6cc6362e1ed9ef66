"""`python -m tests.benchmarks.timing`: how late reminders and expiries are among 100,000 open cards and as many work
orders, and what it costs to look when nothing is due."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import random
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from sqlalchemy import event, update

from bot.moment import SystemClock, SystemIds
from bot.scheduler import Scheduler
from bot.waking import wake
from core.dues import DueKind
from core.ports import Context
from core.store import Store, migrate, open_engine
from core.store.tables import dues, interactions, loops
from core.use_cases.answer import expire_due
from core.use_cases.fires import FIRES
from tests import postgres, readme
from tests.benchmarks.__main__ import databases
from tests.benchmarks.filling import EVERY, Rows, card_id, fill, loop_id, prepare
from tests.benchmarks.load import Sample
from tests.store.making import settle_in

OPEN = 100_000
"""Cards, and as many work orders, that are open while things fall due."""
FEW, MANY = 10_000, 1_000_000
"""Open rows, half of them cards and half work orders, between which the cost of a look is compared."""
LOOKS = 400
SPAN = 30.0
"""Seconds over which things fall due."""
PER_SECOND = 10
"""Reminders of cards, reminders of work orders, and expiries that fall due in each of them."""
KINDS = (DueKind.NUDGE.value, DueKind.LOOP.value, "expiry")
LATEST, DEAREST = 2.0, 1.5
"""What is promised: seconds at the 99th percentile, and how much more a look may cost among many."""


async def fall_due(store: Store) -> None:
    """Let some of the cards and work orders be reminded of, and other cards expire, at moments spread over the next
    seconds."""
    drawn = random.Random(7)  # the same moments in every run
    count = int(SPAN * PER_SECOND)
    start = datetime.now(UTC) + timedelta(seconds=1)
    numbers = iter(drawn.sample(range(OPEN), count * len(KINDS)))
    async with store.engine.begin() as connection:
        for kind in KINDS:
            for number in itertools.islice(numbers, count):
                at = start + timedelta(seconds=drawn.random() * SPAN)
                card, loop = interactions.c.id == card_id(number), loops.c.id == loop_id(number)
                if kind == "expiry":
                    await connection.execute(update(interactions).where(card).values(expires_at=at, due_at=at))
                    continue
                if kind == DueKind.NUDGE:
                    await connection.execute(update(interactions).where(card).values(started_at=at - EVERY))
                else:
                    await connection.execute(update(loops).where(loop).values(created_at=at - EVERY))
                subject = card_id(number) if kind == DueKind.NUDGE else loop_id(number)
                await connection.execute(update(dues).where(dues.c.subject == subject).values(due_at=at))


async def lateness(store: Store, context: Context) -> dict[str, Sample]:
    """Run the service's own jobs until everything that falls due is done."""
    await fall_due(store)
    expected = int(SPAN * PER_SECOND) * len(KINDS)
    seen: dict[str, list[float]] = {kind: [] for kind in KINDS}
    all_done = asyncio.Event()

    def late(kind: str, seconds: float) -> None:
        seen[kind].append(seconds)
        if sum(map(len, seen.values())) >= expected:
            all_done.set()

    clockwork = Scheduler()
    clockwork.every(0.5, "expire", lambda: expire_due(context, store.records, late=late))
    clockwork.every(0.5, "wake", lambda: wake(context, store.dues, FIRES, late))
    clockwork.start()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(all_done.wait(), SPAN * 4)
    await clockwork.stop()
    missing = expected - sum(map(len, seen.values()))
    if missing:
        raise RuntimeError(f"{missing} of {expected} were never done")
    return {kind: Sample(SPAN, tuple(late)) for kind, late in seen.items()}


async def look(store: Store) -> None:
    """What the jobs do when nothing is due."""
    now = datetime.now(UTC)
    assert not await store.dues.claim(now, now + timedelta(seconds=20), 100)
    assert not await store.records.due_interactions(now, 50)


async def look_costs(*stores: Store) -> list[float]:
    """The median time, in seconds, of one look at each; they take turns, so that what else runs slows them all."""
    took: list[list[float]] = [[] for _ in stores]
    for _ in range(LOOKS):
        for store, times in zip(stores, took, strict=True):
            begun = perf_counter()
            await look(store)
            times.append(perf_counter() - begun)
    return [median(times) for times in took]


async def plan_of_a_look(store: Store) -> list[str]:
    """How the database goes about it: one line for each table that it reads."""
    executed: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        executed.append((statement, parameters))

    engine = store.database
    event.listen(engine, "before_cursor_execute", note)
    await look(store)
    event.remove(engine, "before_cursor_execute", note)
    explain = "EXPLAIN QUERY PLAN" if engine.dialect.name == "sqlite" else "EXPLAIN"
    lines: list[str] = []
    async with store.engine.connect() as connection:
        for statement, parameters in executed:
            if statement.startswith("SELECT"):
                told = await connection.exec_driver_sql(f"{explain} {statement}", parameters)
                lines += [str(row[-1]) for row in told]
    return [found[1] for line in lines if (found := re.search(r"((?:SCAN|SEARCH|\w[\w ]* Scan) .*?)(?:  |$)", line))]


@dataclass(frozen=True)
class Found:
    """What was measured of one database. `plan` is how it looks among many."""

    name: str
    many: int
    late: dict[str, Sample]
    few_took: float
    many_took: float
    plan: list[str]

    @property
    def times(self) -> float:
        """How much more a look costs among many."""
        return self.many_took / self.few_took

    def lines(self) -> list[str]:
        """What is printed of it."""
        kinds = f"{PER_SECOND} reminders of cards, of work orders, and expiries each"
        told = [f"{self.name}: {OPEN:,} open cards and as many work orders; {kinds} a second for {SPAN:.0f} s"]
        for kind, sample in self.late.items():
            last = sample.quantile(0.99)
            told.append(f"  {kind:<8} claimed late by p50 {sample.quantile(0.5):.2f} s, p99 {last:.2f} s")
            told.append(f"           {histogram(sample)}")
            told.append(f"  {_verdict(last <= LATEST)} within {LATEST:g} s at p99")
        told.append(
            f"  a look with nothing due: {self.few_took * 1e3:.2f} ms among {FEW:,} open rows, "
            f"{self.many_took * 1e3:.2f} ms among {self.many:,}"
        )
        told.append(f"  {_verdict(self.times <= DEAREST)} {self.times:.2f} times as much, where {DEAREST:g} is allowed")
        told += [f"  {line}" for line in self.plan]
        told.append(f"  {_verdict(all(map(uses_an_index, self.plan)))} every table is read by an index")
        return told


def as_markdown(found: list[Found]) -> str:
    """The README's table."""
    lines = [
        f"| among {OPEN:,} open cards and as many work orders | {' | '.join(one.name for one in found)} |",
        f"|---|{'--:|' * len(found)}",
    ]
    words = {"nudge": "reminder of a card", "loop": "reminder of a work order", "expiry": "expiry"}
    for kind, said in words.items():
        cells = [f"{one.late[kind].quantile(0.5):.2f} s, {one.late[kind].quantile(0.99):.2f} s" for one in found]
        lines.append(f"| {said}: how late at p50, at p99 | {' | '.join(cells)} |")
    cells = [f"{one.times:.2f}" for one in found]
    lines.append(f"| a look with nothing due among {MANY:,} rows, in looks among {FEW:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def uses_an_index(step: str) -> bool:
    """Whether a step of a plan, of either database, finds its rows by an index."""
    return "INDEX" in step or step.startswith("Index")


def histogram(sample: Sample) -> str:
    """How many were late by up to so many seconds."""
    bounds: tuple[Any, ...] = (0.25, 0.5, 1.0, 2.0, 5.0, float("inf"))
    counts = [sum(low < late <= high for late in sample.took) for low, high in itertools.pairwise((-1.0, *bounds))]
    return "  ".join(f"≤{high:g} s: {count}" for high, count in zip(bounds, counts, strict=True))


def _verdict(holds: bool) -> str:
    return "PASS  " if holds else "MISSED"


@contextlib.asynccontextmanager
async def filled(url: str, beyond: int) -> AsyncIterator[tuple[Store, Rows]]:
    """A database with so many cards, and as many work orders."""
    engine = open_engine(url)
    await migrate(engine)
    store = Store(engine)
    try:
        await settle_in(store)
        rows = await prepare(store)
        await fill(store, rows, 0, beyond)
        yield store, rows
    finally:
        await store.close()


async def measure(name: str, url: str, beside: str, *, many: int) -> Found:
    """Measure one kind of database, of which two are given."""
    async with filled(beside, FEW // 2) as (small, _), filled(url, OPEN) as (store, rows):
        context = Context(store.work, SystemClock(), SystemIds(), "https://sayso.example/review/")
        late = await lateness(store, context)
        await fill(store, rows, OPEN, many // 2)
        few, lots = await look_costs(small, store)
        return Found(name, many, late, few, lots, await plan_of_a_look(store))


def sibling(url: str) -> str:
    """Another, empty database beside this one."""
    if url.startswith("sqlite"):
        return f"{url}.beside"
    return postgres.create_database(postgres.server_at(url)).render_as_string(hide_password=False)


def main() -> None:
    """Measure both databases, or one."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.timing", description=__doc__)
    parser.add_argument("--only", choices=("sqlite", "postgresql"), help="one database")
    parser.add_argument("--many", type=int, default=MANY, help="open rows among which a look is made")
    parser.add_argument("--write", action="store_true", help="put what was found into README.md")
    asked = parser.parse_args()
    if asked.write and (asked.only or asked.many != MANY):
        parser.error("the README shows both databases and all rows: --write goes without --only and --many")
    measured: list[Found] = []
    if asked.many < OPEN * 2 + 2:
        parser.error(f"--many is more than the {OPEN * 2:,} rows that are open anyway")
    with tempfile.TemporaryDirectory(prefix="sayso-timing-") as folder, databases(asked.only, Path(folder)) as urls:
        for name, url in urls.items():
            measured.append(asyncio.run(measure(name, url, sibling(url), many=asked.many)))
            sys.stdout.write("\n".join(measured[-1].lines()) + "\n")
            sys.stdout.flush()
    if asked.write:
        readme.write("lateness", as_markdown(measured))


if __name__ == "__main__":
    main()
