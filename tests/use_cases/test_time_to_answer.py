"""When the time to answer begins, and that a question without one is never ended by the timer."""

from __future__ import annotations

from core.kinds import Kind
from core.use_cases.answer import expire_due
from tests.use_cases.bench import Bench
from tests.use_cases.clockwork import Clockwork


async def test_what_has_no_time_to_answer_stays_open_for_years(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, policy={"starts": "asked"})
    timed = await b.open(Kind.CONFIRMATION, policy={"starts": "asked", "expires_in": "24h"})
    b.clock.move(days=3_000)
    assert await expire_due(b.context, b.store.records) == 1
    await Clockwork(b).tick()
    assert (await b.get(timed)).status.value == "expired"
    assert (await b.get(id)).is_pending


async def test_the_time_to_answer_begins_when_the_card_arrives_and_not_when_it_was_asked(b: Bench) -> None:
    asked = await b.asked(Kind.CONFIRMATION, policy={"expires_in": "24h"})
    waits = await b.get(asked.snapshot["id"])
    assert (waits.started_at, waits.expires_at) == (None, None)
    at_once = await b.asked(Kind.CONFIRMATION, policy={"expires_in": "24h", "starts": "asked"})
    assert at_once.snapshot["expires_at"] is not None
