"""`python -m tests.benchmarks.keeping`: export, verify, purge and forget among 100,000 cards, each as the command that
an operator gives, while people press: how long it takes, how much memory, and how long the longest press waits. At the
end the open cards are restored, as a start does it after the database went back, when nobody can press."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

from sqlalchemy import func, insert, select, text, update

from bot.config import load
from bot.moment import SystemClock, SystemIds
from bot.sealing import Sealer
from bot.signing import Signing
from core.acts import Accept, Stamp
from core.controls import Action
from core.events import Event
from core.interactions import decide
from core.kinds import Kind
from core.people import Person, Via, by_person
from core.publications import PublicationState
from core.receipts import Receipt, ReceiptDraft, ReceiptType, seal
from core.store import Store, migrate, open_engine
from core.store.rows import answerer_rows, event_row, interaction_row, publication_row, receipt_row
from core.store.tables import answerers, events, interactions, publications, receipts, workspaces
from core.use_cases.restoring import restore
from tests.benchmarks.__main__ import databases
from tests.benchmarks.filling import Row, card_id
from tests.benchmarks.load import Sample
from tests.store.making import ask, copy_of, named
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, HERE, CountedIds, MovedClock

CARDS = 100_000
"""Settled cards, each with a copy, two receipts and two events. Ana decided a tenth of them, Ben the others."""
OPEN = 8_000
"""Cards that are open, to be pressed meanwhile."""
CHUNK = 1_000
SECRET = "s" * 64
AGE = timedelta(days=100)
MOST_MEMORY = 40
"""MB of a command at its peak, beyond what one has that does hardly anything."""
LONGEST_PRESS = 0.5
"""Seconds that a press takes at p99 meanwhile."""
GAP = 0.05
"""Seconds between two presses."""


@dataclass(frozen=True)
class Ran:
    """What one command did: seconds, MB beyond the usual at its peak, and what presses took meanwhile."""

    command: str
    took: float
    memory: float
    presses: Sample

    def line(self) -> str:
        """As it is printed."""
        held = self.memory <= MOST_MEMORY and self.presses.quantile(0.99) <= LONGEST_PRESS
        return (
            f"  {'PASS  ' if held else 'MISSED'} {self.command:<7} {self.took:6.1f} s  {self.memory:+4.0f} MB  "
            f"{len(self.presses.took):4} presses: p50 {self.presses.quantile(0.5) * 1e3:5.1f} ms, "
            f"p99 {self.presses.quantile(0.99) * 1e3:6.1f} ms, longest {max(self.presses.took) * 1e3:6.1f} ms"
        )


class RealClock(MovedClock):
    """Time goes by."""

    def now(self) -> datetime:
        """This moment."""
        return SystemClock().now()


class RealIds(CountedIds):
    """Ids that other processes do not make."""

    def new(self, prefix: str) -> str:
        """One of them."""
        return _IDS.new(prefix)


_IDS = SystemIds()


def settled(first: int, beyond: int, signing: Signing) -> Iterator[dict[str, list[Row]]]:
    """Rows of cards that people accepted long ago, chunk by chunk."""
    at = SystemClock().now() - AGE
    example = ask(1, Kind.CONFIRMATION, body="The canary is **clean**. " * 40, created_at=at)
    for start in range(first, beyond, CHUNK):
        made: dict[str, list[Row]] = {
            name: [] for name in ("interactions", "answerers", "publications", "receipts", "events")
        }
        for number in range(start, min(start + CHUNK, beyond)):
            _add(made, example.model_copy(update={"id": card_id(number)}), number, signing)
        yield made


def _add(made: dict[str, list[Row]], card: Any, number: int, signing: Signing) -> None:
    who = ANA if number % 10 == 0 else BEN
    by, at = by_person(who, who.identities[0]), card.created_at
    decision = decide(card, Accept(card.revision), Stamp(at, by, Via.SLACK, named("rcp", 2 * number + 1)))
    created = ReceiptDraft(
        id=named("rcp", 2 * number), type=ReceiptType.CREATED, by=card.creator, via=Via.API, revision=1,
        digest=card.content.digest(), policy=card.policy.model_dump(mode="json"), at=at,
    )  # fmt: skip
    previous: Receipt | None = None
    for draft in (created, *decision.receipts):
        previous = seal(draft, previous, card.id, signing)
        made["receipts"].append(receipt_row(previous, HERE, card.id))
    made["interactions"].append(interaction_row(decision.after))
    made["answerers"] += answerer_rows(card)
    copy = copy_of(card, id=named("pub", number), channel="C1", message=str(number))
    made["publications"].append(publication_row(copy))
    said = {"interaction": {"id": card.id, "title": card.content.title, "by": by.wire()}, "state": None}
    for index, type_ in enumerate(decision.events[-1:] * 2):
        id = named("evt", 2 * number + index)
        one = Event(id=id, workspace=HERE, position=0, type=type_, at=at, interaction=card.id, data=said)
        made["events"].append(event_row(one, 2 * number + index + 1))


def waiting_for(first: int, beyond: int) -> dict[str, list[Row]]:
    """Rows of cards that wait for an answer."""
    cards = [
        ask(1, Kind.CONFIRMATION, created_at=SystemClock().now(), id=card_id(number)) for number in range(first, beyond)
    ]
    copies = [
        copy_of(
            card,
            id=named("pub", number),
            channel="C1",
            message=str(number),
            state=PublicationState.POSTED,
            shown_revision=1,
        )
        for number, card in enumerate(cards, first)
    ]
    return {
        "interactions": [interaction_row(one) for one in cards],
        "answerers": [row for one in cards for row in answerer_rows(one)],
        "publications": [publication_row(one) for one in copies],
    }


TABLES = {one.name: one for one in (interactions, answerers, publications, receipts, events)}


async def fill(store: Store, signing: Signing, count: int) -> None:
    """Put them in, in few transactions."""
    for made in itertools.chain(settled(0, count, signing), [waiting_for(count, count + OPEN)]):
        async with store.engine.begin() as connection:
            for name, rows in made.items():
                if rows:
                    await connection.execute(insert(TABLES[name]), rows)
    async with store.engine.begin() as connection:
        await connection.execute(update(workspaces).values(position=2 * count + 1))
        await connection.execute(text("ANALYZE"))


async def pressing(b: Bench, who: Person, ids: Sequence[str], took: list[float]) -> None:
    """Press one card after the other."""
    for id in ids:
        begun = perf_counter()
        await b.press(who, id, Action.ACCEPT)
        took.append(perf_counter() - begun)
        await asyncio.sleep(GAP)


def run(arguments: list[str], url: str) -> tuple[float, float]:
    """Run a command to its end: seconds, and MB at its peak."""
    environment = {**os.environ, "SAYSO_DATABASE_URL": url, "SAYSO_SECRET_KEY": SECRET}
    begun, peak = perf_counter(), 0.0
    child = subprocess.Popen([sys.executable, "-m", "bot", *arguments], env=environment, stdout=subprocess.DEVNULL)
    while child.poll() is None:
        peak = max(peak, _peak_of(child.pid))
        time.sleep(0.02)
    if child.returncode != 0:
        raise RuntimeError(f"{arguments[0]} ended with {child.returncode}")
    return perf_counter() - begun, peak


def _peak_of(pid: int) -> float:
    """MB that a process had at most until now; 0 once it is over."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


async def measure(url: str, folder: Path, count: int) -> None:
    """Measure one database, and print each command as it ends."""
    engine = open_engine(url)
    await migrate(engine)
    signing = Signing(Sealer(load({"sayso_database_url": url, "sayso_secret_key": SECRET}).keys("signing")))
    store = Store(engine, signer=signing)
    try:
        await _measure(Bench(store, RealClock(), RealIds()), url, folder, count, signing)
    finally:
        await store.close()


async def _measure(b: Bench, url: str, folder: Path, count: int, signing: Signing) -> None:
    await signing.open(b.context)
    _, usual = await asyncio.to_thread(run, ["key", "list"], url)
    await b.begin()
    await fill(b.store, signing, count)
    waiting = [card_id(number) for number in range(count, count + OPEN)]
    file = str(folder / "kept.jsonl")
    commands = (
        ["export", "--workspace", HERE, "--to", file],
        ["verify", file],
        ["person", "forget", "ana", "--workspace", HERE, "--yes"],
        ["purge", "--settled-before", "90d", "--workspace", HERE],
    )
    for number, arguments in enumerate(commands):
        took: list[float] = []
        presses = asyncio.create_task(pressing(b, BEN, waiting[number :: len(commands)], took))
        try:
            seconds, memory = await asyncio.to_thread(run, arguments, url)
        finally:
            presses.cancel()
            await asyncio.gather(presses, return_exceptions=True)
        name = next(one for one in reversed(arguments[:2]) if one.isalpha())
        ran = Ran(name, seconds, memory - usual, Sample(seconds, tuple(took)))
        sys.stdout.write(ran.line() + "\n")
        sys.stdout.flush()
    await _restored(b)


async def _restored(b: Bench) -> None:
    began, spent = perf_counter(), time.process_time()
    if await restore(b.context, "benchmark", "benchmark") is None:
        raise RuntimeError("the lease was lost while the open cards were restored")
    async with b.store.engine.connect() as connection:
        made = receipts.c.type == ReceiptType.RESTORED.value
        count = (await connection.execute(select(func.count()).select_from(receipts).where(made))).scalar_one()
    took, cpu = perf_counter() - began, time.process_time() - spent
    sys.stdout.write(
        f"         restore {took:6.1f} s  {count:,} open cards, {cpu / count * 1e3:.1f} ms of CPU each here\n"
    )
    sys.stdout.flush()


def main() -> None:
    """Measure both databases, or one."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.keeping", description=__doc__)
    parser.add_argument("--only", choices=("sqlite", "postgresql"), help="one database")
    parser.add_argument("--cards", type=int, default=CARDS, help="settled cards")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sayso-keeping-") as folder, databases(asked.only, Path(folder)) as urls:
        for name, url in urls.items():
            sys.stdout.write(f"{name}: {asked.cards:,} settled cards, while people press\n")
            sys.stdout.flush()
            asyncio.run(measure(url, Path(folder), asked.cards))


if __name__ == "__main__":
    main()
