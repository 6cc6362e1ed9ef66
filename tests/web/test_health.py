"""What a load balancer and a monitor are told: soon, whatever the database does, and in names that are documented."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request

from bot.draining import Draining
from bot.telemetry import Telemetry
from bot.web import looks
from bot.web.health import Health
from bot.web.looks import Late, Look
from core.addresses import Provider
from core.errors import Misconfigured
from core.reading import Counts, Records
from tests.rules.making import NOW

DOCUMENT = Path(__file__).parents[2] / "docs" / "running.md"
NOBODY = cast("Request", None)
STANDING = Counts(
    pending=3,
    overdue=0,
    overdue_since=None,
    unknown_posts=0,
    waiting_arrivals=0,
    abandoned=0,
    retrying=0,
    waiting={},
    late_since={},
    undone_since={},
)


@dataclass
class Clock:
    """A clock that is moved by whoever looks at the database."""

    moment: datetime = NOW

    def now(self) -> datetime:
        return self.moment


@dataclass
class Database:
    """A database that answers, fails, or says nothing; its clock is behind by `behind`."""

    clock_here: Clock = field(default_factory=Clock)
    behind: timedelta | None = None
    failure: Exception | None = None
    silent: bool = False
    asked: int = 0
    speaks: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self) -> None:
        self.asked += 1
        if self.silent:
            await self.speaks.wait()
        if self.failure is not None:
            raise self.failure

    async def counts(self, _now: datetime) -> Counts:
        await self.answer()
        return STANDING

    async def clock(self) -> datetime | None:
        if self.behind is None:
            return None
        theirs = self.clock_here.moment + timedelta(seconds=1) - self.behind
        self.clock_here.moment += timedelta(seconds=2)  # a second there and a second back
        return theirs


def health_of(database: Database, telemetry: Telemetry | None = None) -> Health:
    return Health(
        cast("Records", database),
        database.clock_here,
        database.answer,
        lambda: {Provider.SLACK: 1},
        (telemetry or Telemetry()).registry,
        dict[str, Any],
        b"key",
        Draining(),
    )


async def told_by(health: Health) -> dict[str, float]:
    body = bytes((await health.metrics(NOBODY)).body).decode()
    return {
        f"{one.name}{one.labels.get('provider', '')}": one.value
        for family in text_string_to_metric_families(body)
        for one in family.samples
    }


@pytest.mark.parametrize(
    ("database", "why"),
    [
        (Database(failure=Misconfigured("The database is empty.")), "The database is empty."),  # ours: its own words
        (Database(failure=OSError("gone")), "OSError"),  # a driver's: only its kind
        (Database(silent=True), "it did not answer within 3 seconds"),
    ],
)
async def test_readiness_is_denied_soon_and_says_why(
    database: Database, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looks.Look.__init__, "__defaults__", (0.01,))
    response = await health_of(database).ready(NOBODY)
    assert response.status_code == 503
    assert f'"database":"{why}"' in bytes(response.body).decode()
    database.speaks.set()


async def test_those_who_ask_while_a_look_lasts_share_it_and_its_end_is_heard_by_the_next() -> None:
    database = Database(silent=True)
    look = Look(database.answer, 0.01)
    late = await asyncio.gather(*(look() for _ in range(20)), return_exceptions=True)
    assert {type(one) for one in late} == {Late}
    assert database.asked == 1
    joined = asyncio.ensure_future(Look(database.answer, 60)())
    database.speaks.set()
    await joined
    await asyncio.sleep(0)
    database.silent = False
    await look()
    assert database.asked in (2, 3)  # the look that was late may have ended just now, and counts for this one


async def test_a_look_that_fails_after_everybody_left_is_no_error() -> None:
    database = Database(silent=True, failure=OSError("gone"))
    look = Look(database.answer, 0.01)
    with pytest.raises(Late):
        await look()
    database.speaks.set()
    with pytest.raises(OSError, match="gone"):
        await look()


@pytest.mark.parametrize("database", [Database(failure=OSError("gone")), Database(silent=True)])
async def test_without_the_database_what_was_counted_here_is_told_all_the_same(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looks.Look.__init__, "__defaults__", (0.01,))
    telemetry = Telemetry()
    telemetry.late("expire", 1.0)
    told = await told_by(health_of(database, telemetry))
    assert told["sayso_database_up"] == 0
    assert told["sayso_connections_deadslack"] == 1
    assert told["sayso_due_lateness_seconds_count"] == 1
    assert "sayso_interactions_pending" not in told  # nobody knows, and zero would be a lie
    database.speaks.set()


@pytest.mark.parametrize(
    ("seconds", "surely"),
    [
        (0, 0),  # the asking took two seconds, and the answer is from within them
        (1, 0),
        (-1, 0),
        (7, 6),  # what the asking took may be a second of it
        (-7, -6),
    ],
)
async def test_how_far_the_clock_surely_is_ahead_of_the_databases_is_told(seconds: int, surely: int) -> None:
    told = await told_by(health_of(Database(behind=timedelta(seconds=seconds))))
    assert told["sayso_clock_ahead_seconds"] == surely
    assert told["sayso_database_up"] == 1
    assert told["sayso_interactions_pending"] == 3


async def test_a_database_in_a_file_has_no_clock_of_its_own() -> None:
    assert "sayso_clock_ahead_seconds" not in await told_by(health_of(Database()))


async def test_every_metric_is_documented_and_every_documented_one_is_there() -> None:
    body = bytes((await health_of(Database(behind=timedelta(0))).metrics(NOBODY)).body).decode()
    served = {one.name + ("_total" if one.type == "counter" else "") for one in text_string_to_metric_families(body)}
    documented = set(re.findall(r"^\| `(sayso_\w+)`", DOCUMENT.read_text("utf-8"), re.MULTILINE))
    assert documented == served
