"""How late things are: what the timer did says so once it did it, and what it never does grows in sight."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import cast

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request

from bot.draining import Draining
from bot.telemetry import Telemetry
from bot.waking import wake
from bot.web.health import Health
from bot.web.status import worries
from core.dues import EVERY_KIND, Due, DueKind
from core.use_cases.answer import expire_due
from core.use_cases.fires import FIRES, Fire
from tests.rules.making import NOW
from tests.use_cases.bench import Bench, bench
from tests.use_cases.cast import HERE
from tests.use_cases.clockwork import asked


async def whole() -> None:
    """The schema is as it should be."""


@dataclass
class Watched:
    """What Prometheus would read of a service whose timer is worked by hand."""

    b: Bench
    telemetry: Telemetry = field(default_factory=Telemetry)

    async def turn(self, **later: float) -> None:
        """Let time pass; the timer does what is due."""
        self.b.clock.move(**later)
        await wake(self.b.context, self.b.store.dues, FIRES, self.telemetry.late)
        await expire_due(self.b.context, self.b.store.records, late=self.telemetry.late)

    async def read(self, sample: str, kind: str) -> float | None:
        registry: CollectorRegistry = self.telemetry.registry
        health = Health(self.b.store.records, self.b.clock, whole, dict, registry, dict, b"key", Draining())
        body = (await health.metrics(cast("Request", None))).body
        return next(
            (
                one.value
                for family in text_string_to_metric_families(bytes(body).decode())
                for one in family.samples
                if one.name == sample and one.labels.get("kind") == kind and one.labels.get("le", "2.0") == "2.0"
            ),
            None,
        )


@pytest.fixture
async def watched(sqlite_store_url: str) -> AsyncIterator[Watched]:
    async with bench(sqlite_store_url) as b:
        yield Watched(b)


async def test_each_reminder_counts_with_the_seconds_between_its_moment_and_its_claim(watched: Watched) -> None:
    await asked(watched.b, {"every": "10m", "gaps": "even", "max": 2})
    await watched.turn(minutes=9)
    assert await watched.read("sayso_due_lateness_seconds_count", "nudge") is None, "nothing was due"
    await watched.turn(minutes=1, seconds=1.5)
    await watched.turn(minutes=10, seconds=35.5)
    assert await watched.read("sayso_due_lateness_seconds_count", "nudge") == 2
    assert await watched.read("sayso_due_lateness_seconds_sum", "nudge") == pytest.approx(1.5 + 37)
    assert await watched.read("sayso_due_lateness_seconds_bucket", "nudge") == 1, "one of them within two seconds"


async def test_a_chat_that_does_not_answer_makes_nothing_else_late(watched: Watched) -> None:
    b, answers = watched.b, asyncio.Event()
    id = await asked(b, {"every": "10m"})
    async with b.store.work() as work:
        await work.set_due(DueKind.TOOL, "tcl_1", HERE, NOW)
        await work.commit()

    async def ask(due: Due) -> Fire:
        await answers.wait()
        return FIRES[due.kind]

    b.clock.move(minutes=10)
    slow, done = frozenset({DueKind.TOOL}), partial(wake, b.context, b.store.dues, FIRES, watched.telemetry.late)
    asking = asyncio.create_task(done({DueKind.TOOL: ask}, slow))
    assert await done(kinds=EVERY_KIND - slow) == 1
    assert await b.types(id) == ["created", "nudged"]
    assert not asking.done()
    answers.set()
    assert await asking == 1


async def test_an_expiry_counts_as_well(watched: Watched) -> None:
    await asked(watched.b, {"every": "10h"}, policy={"expires_in": "5m"})
    await watched.turn(minutes=5, seconds=8)
    assert await watched.read("sayso_due_lateness_seconds_sum", "expiry") == pytest.approx(8)


async def test_a_reminder_that_nobody_sends_grows_in_sight_and_operators_are_told(watched: Watched) -> None:
    await asked(watched.b, {"every": "1h"})
    watched.b.clock.move(minutes=59)
    assert await watched.read("sayso_due_undone_seconds", "nudge") == 0
    watched.b.clock.move(minutes=31)
    assert await watched.read("sayso_due_undone_seconds", "nudge") == 30 * 60
    assert await watched.read("sayso_due_undone_seconds", "loop") == 0
    now = watched.b.clock.now()
    told = " ".join(worries((), await watched.b.store.records.counts(now), (), now))
    assert "Reminders and what else is due are late by 30 minutes: is a worker running?" in told
    await watched.turn()
    assert await watched.read("sayso_due_undone_seconds", "nudge") == 0
    assert await watched.read("sayso_due_lateness_seconds_sum", "nudge") == 30 * 60


async def test_a_reminder_whose_work_fails_stays_in_sight(watched: Watched) -> None:
    id = await asked(watched.b, {"every": "1h"})

    async def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    watched.b.clock.move(hours=1, minutes=2)
    with pytest.raises(ExceptionGroup):
        await wake(watched.b.context, watched.b.store.dues, {**FIRES, DueKind.NUDGE: fail}, watched.telemetry.late)
    assert await watched.read("sayso_due_undone_seconds", "nudge") == 120
    watched.b.clock.move(seconds=timedelta(minutes=1).total_seconds())
    assert await watched.read("sayso_due_undone_seconds", "nudge") == 180
    assert "nudged" not in await watched.b.types(id)
