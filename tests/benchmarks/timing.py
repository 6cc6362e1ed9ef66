"""`python -m tests.benchmarks.timing`: how late reminders and expiries are among 100,000 open cards, and what it costs
to look when nothing is due."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import random
import sys
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from sqlalchemy import insert, update

from bot.moment import SystemClock, SystemIds
from bot.scheduler import Scheduler
from bot.waking import wake
from core.kinds import Kind
from core.policy import Nudges, Policy
from core.ports import Context
from core.publications import PublicationState
from core.store import Store, migrate, open_engine
from core.store.rows import interaction_row, publication_row
from core.store.tables import dues, interactions, publications
from core.use_cases.answer import expire_due
from core.use_cases.fires import FIRES
from tests.benchmarks.__main__ import databases
from tests.benchmarks.load import Sample
from tests.store.making import HERE, ask, copy_of, named, settle_in

OPEN = 100_000
FEW, MANY = 10_000, 1_000_000
LOOKS = 400
SPAN = 30.0
"""Seconds over which things fall due."""
PER_SECOND = 10
"""Reminders, and as many expiries, that fall due in each of them."""
BATCH = 2_000
FAR = timedelta(days=300)


async def fill(store: Store, first: int, count: int, *, whole: bool) -> None:
    """Put in open cards that are reminded of and expire far from now; `whole` ones are posted somewhere."""
    now = datetime.now(UTC)
    example = ask(1, Kind.CONFIRMATION, policy=Policy(expires_in="365d", nudges=Nudges(every="300d", max=1)))
    card = interaction_row(example.model_copy(update={"started_at": now, "expires_at": now + FAR * 1.2}))
    copy = publication_row(
        copy_of(ask(1), channel="C1", message="1").model_copy(update={"state": PublicationState.POSTED})
    )
    async with store.engine.connect() as connection:
        for batch in _batches(range(first, first + count)):
            ids = [named("int", number) for number in batch]
            await connection.execute(insert(interactions), [{**card, "id": id} for id in ids])
            row = {"kind": "nudge", "workspace": HERE, "due_at": now + FAR, "lease_until": None, "generation": 1}
            await connection.execute(insert(dues), [{**row, "subject": id} for id in ids])
            if whole:
                rows = [{**copy, "id": f"pub_{id}", "interaction": id, "message": id, "channel": id} for id in ids]
                await connection.execute(insert(publications), rows)
            await connection.commit()


def _batches(numbers: Iterable[int]) -> Iterable[Sequence[int]]:
    some = iter(numbers)
    while batch := list(itertools.islice(some, BATCH)):
        yield batch


async def fall_due(store: Store) -> int:
    """Let some of the cards be reminded of, and others expire, at moments spread over the next seconds."""
    drawn = random.Random(7)  # the same moments in every run
    count = int(SPAN * PER_SECOND)
    start = datetime.now(UTC) + timedelta(seconds=1)
    numbers = drawn.sample(range(OPEN), count * 2)
    async with store.engine.connect() as connection:
        for place, number in enumerate(numbers):
            at = start + timedelta(seconds=drawn.random() * SPAN)
            id = named("int", number)
            if place % 2:
                await connection.execute(update(dues).where(dues.c.subject == id).values(due_at=at))
                began = {"started_at": at - timedelta(days=300)}
                await connection.execute(update(interactions).where(interactions.c.id == id).values(began))
            else:
                ends = {"expires_at": at, "due_at": at}
                await connection.execute(update(interactions).where(interactions.c.id == id).values(ends))
        await connection.commit()
    return count * 2


async def lateness(store: Store, context: Context) -> dict[str, Sample]:
    """Run the service's own jobs until everything that falls due is done."""
    expected = await fall_due(store)
    seen: dict[str, list[float]] = {"nudge": [], "expiry": []}
    all_done = asyncio.Event()

    def late(kind: str, seconds: float) -> None:
        seen[kind].append(seconds)
        if sum(map(len, seen.values())) >= expected:
            all_done.set()

    clockwork = Scheduler()
    clockwork.every(1, "expire", lambda: expire_due(context, store.records, late=late))
    clockwork.every(0.5, "wake", lambda: wake(context, store.dues, FIRES, late))
    clockwork.start()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(all_done.wait(), SPAN * 4)
    await clockwork.stop()
    missing = expected - sum(map(len, seen.values()))
    if missing:
        raise RuntimeError(f"{missing} of {expected} were never done")
    return {kind: Sample(SPAN, tuple(late)) for kind, late in seen.items()}


async def look_costs(store: Store) -> float:
    """The median time, in seconds, of one look at what is due when nothing is."""
    took: list[float] = []
    for _ in range(LOOKS):
        now = datetime.now(UTC)
        begun = perf_counter()
        await store.dues.claim(now, now + timedelta(seconds=20), 100)
        await store.records.due_interactions(now, 50)
        took.append(perf_counter() - begun)
    return median(took)


async def measure(name: str, url: str, *, many: int) -> str:
    """Measure one database and say how it went."""
    engine = open_engine(url)
    await migrate(engine)
    store = Store(engine)
    context = Context(store.work, SystemClock(), SystemIds(), "https://sayso.example/review/")
    try:
        await settle_in(store)
        await fill(store, 0, FEW, whole=True)
        few = await look_costs(store)
        await fill(store, FEW, OPEN - FEW, whole=True)
        late = await lateness(store, context)
        await fill(store, OPEN, many - OPEN, whole=False)
        lots = await look_costs(store)
    finally:
        await store.close()
    lines = [f"{name}: {OPEN:,} open cards, {PER_SECOND} reminders and {PER_SECOND} expiries a second for {SPAN:.0f} s"]
    for kind, sample in late.items():
        lines.append(f"  {kind:<8} claimed late by p50 {sample.quantile(0.5):.2f} s, p99 {sample.quantile(0.99):.2f} s")
        lines.append(f"           {histogram(sample)}")
    lines.append(f"  a look with nothing due: {few * 1e3:.2f} ms among {FEW:,}, {lots * 1e3:.2f} ms among {many:,}")
    lines.append(f"  which is {lots / few:.2f} times as much")
    return "\n".join(lines)


def histogram(sample: Sample) -> str:
    """How many were late by up to so many seconds."""
    bounds: tuple[Any, ...] = (0.25, 0.5, 1.0, 2.0, 5.0, float("inf"))
    counts = [sum(low < late <= high for late in sample.took) for low, high in itertools.pairwise((-1.0, *bounds))]
    return "  ".join(f"≤{high:g} s: {count}" for high, count in zip(bounds, counts, strict=True))


def main() -> None:
    """Measure both databases, or one."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.timing", description=__doc__)
    parser.add_argument("--only", choices=("sqlite", "postgresql"), help="one database")
    parser.add_argument("--many", type=int, default=MANY, help="open cards for the cost of a look")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sayso-timing-") as folder, databases(asked.only, Path(folder)) as urls:
        for name, url in urls.items():
            sys.stdout.write(asyncio.run(measure(name, url, many=asked.many)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
