"""`python -m tests.chaos`: a run with a seed and its figures; 1 if a promise was broken or a limit exceeded."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests import postgres
from tests.chaos.running import Result, Sizes, run
from tests.flows.killable import Nursery


def main() -> int:
    """Run it and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=Sizes.seconds, help="of trouble; calm comes after it")
    parser.add_argument("--cards", type=int, default=Sizes.cards)
    parser.add_argument("--orders", type=int, default=Sizes.orders)
    parser.add_argument("--people", type=int, default=Sizes.people, help="in each chat")
    given = parser.parse_args()
    nursery = Nursery()
    try:
        with postgres.running_server() as server, tempfile.TemporaryDirectory(prefix="sayso-chaos-") as folder:
            database = postgres.create_database(server).render_as_string(hide_password=False)
            sizes = Sizes(given.seconds, given.cards, given.orders, given.people)
            result = asyncio.run(run(nursery, database, Path(folder), given.seed, sizes, _tell))
    finally:
        nursery.close()
    sys.stdout.write(summary(result))
    return 1 if result.broken or result.exceeded or result.tracebacks else 0


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def summary(result: Result) -> str:
    """The figures as lines."""
    lines = [
        f"seed {result.seed}: {result.sizes.cards} cards and {result.sizes.orders} orders in two chats",
        f"{result.kills} kills; people: {dict(result.acts)}; calm after {result.drained:.0f} s",
        f"ended: {dict(result.statuses)}; {result.reminders} reminders; {result.webhooks} webhook requests",
        f"trouble: {result.trouble}",
        f"calls: {dict(result.calls.most_common(12))}",
        f"429s planned: {result.refused}; limits exceeded, as the stand-ins counted: {dict(result.exceeded) or 'none'}",
        f"429s unjudged: {result.unjudged}, as the stand-ins stood still (longest {result.longest_still:.1f} s)",
        *(f"  {line}" for line in result.examples),
        f"broken promises: {len(result.broken)}",
        *(f"  {line}" for line in result.broken),
        f"tracebacks: {len(result.tracebacks)}",
        *(f"  {line}" for line in result.tracebacks[:5]),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
