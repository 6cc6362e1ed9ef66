"""Two processes' relays on one PostgreSQL: together they write no faster than the provider allows one of them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.moment import SystemClock, SystemIds
from bot.pace import PER_ACCOUNT, Pace, Rate, Rates
from bot.relay import Bells, Relay
from core.addresses import Provider
from core.outbox import Claimed, Delivery, Lane, RedrawCard
from core.ports import Context
from core.store import Store, open_engine
from core.use_cases.transact import transact
from tests.flows.rig import eventually
from tests.store.making import HERE, settle_in
from tests.stores import make_tables

OWED = 48
FAST = Rate(3.0, 30)
"""So many at once that two who each kept it alone would make all that is owed without waiting."""
RATES = Rates(per_account={**PER_ACCOUNT, (Provider.SLACK, Lane.REDRAW): FAST})


@dataclass
class Edits:
    """Edits of one process, who it is, and when."""

    context: Context
    who: str
    made: Counter[str]
    moments: list[float]

    async def is_wanted(self, claimed: Claimed) -> bool:
        """Every edit is."""
        return True

    async def do(self, claimed: Claimed) -> None:
        """Edit one message."""
        self.made[self.who] += 1
        self.moments.append(time.monotonic())
        await transact(self.context, lambda work: work.finish(claimed))


@asynccontextmanager
async def relaying(database: str, who: str, made: Counter[str], moments: list[float]) -> AsyncIterator[Edits]:
    """One process's relay."""
    store = Store(open_engine(database))
    assert store.turns is not None
    context = Context(store.work, SystemClock(), SystemIds(), "http://x/review/")
    edits = Edits(context, who, made, moments)
    stop = asyncio.Event()
    relay = Relay(context, store.outbox, edits, Pace(store.turns, RATES), Bells(), who)
    running = asyncio.create_task(relay.run(stop))
    try:
        yield edits
    finally:
        stop.set()
        await running
        await store.close()


async def _owe_redraws(database: str, count: int) -> None:
    store = Store(open_engine(database))
    await settle_in(store)
    now = SystemClock().now()
    async with store.work() as work:
        for number in range(count):
            task = RedrawCard(publication=f"pub_{number}", where=f"slack:T1.C{number}")
            key = task.publication
            one = Delivery(id=f"dlv_{number}", workspace=HERE, lane=Lane.REDRAW, key=key, task=task, due_at=now)
            await work.owe(one)
        await work.commit()
    await store.close()


async def test_two_replicas_together_edit_no_faster_than_one_may(fresh_database: Callable[[], str]) -> None:
    database = fresh_database()
    await make_tables(database)
    await _owe_redraws(database, OWED)
    made, moments = Counter[str](), list[float]()
    began = time.monotonic()
    async with (
        relaying(database, "first", made, moments),
        relaying(database, "second", made, moments),
    ):

        async def enough() -> bool:
            return made.total() >= FAST.burst + 6 and len(made) == 2

        await eventually(enough, 30)
    paced = [moment - began for moment in sorted(moments)[FAST.burst :]]
    assert all(after >= number / FAST.per_second for number, after in enumerate(paced, start=1))
