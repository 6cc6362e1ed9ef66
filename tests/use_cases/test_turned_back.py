"""A clock that was a month ahead and went back: nothing waits for that month, and nothing is said twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy import func, insert, select

from bot.waking import wake
from core.drafts import Draft
from core.dues import LEASE, DueKind
from core.kinds import Kind
from core.outbox import Lane, Say
from core.store.tables import paces
from core.use_cases.digests import next_digest
from core.use_cases.fires import FIRES
from core.use_cases.recording import owe
from core.use_cases.settings import set_times
from core.use_cases.turned_back import count_anew, count_anew_if_ahead
from tests.stores import opened
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, GROUP, HERE
from tests.use_cases.clockwork import Clockwork, asked
from tests.use_cases.floor import Floor

MONTH = timedelta(days=30)


@pytest.fixture
async def b(store_url: str) -> AsyncIterator[Bench]:
    """On each database in turn."""
    async with opened(store_url) as store:
        made = Bench(store)
        await made.begin()
        yield made


@pytest.fixture
def clockwork(b: Bench) -> Clockwork:
    return Clockwork(b)


async def test_the_reminders_that_were_passed_over_still_come_and_the_one_that_came_does_not_again(
    b: Bench, clockwork: Clockwork
) -> None:
    id = await asked(b, {"every": "10m", "max": 3, "escalate_to": ["person:opal"]}, policy={"expires_in": "90d"})
    assert await clockwork.tick(minutes=10) == 1
    assert await clockwork.tick(days=30) == 1, "of a backlog there is one"
    b.clock.move(days=-30)
    await count_anew(b.context)
    assert await clockwork.tick(minutes=19) == 0
    assert await clockwork.tick(minutes=1) == 1
    assert await clockwork.tick(days=2) == 0
    assert [one.number for one in clockwork.sent] == [1, 3, 2]
    assert (await b.types(id)).count("nudged") == 3
    assert (await b.types(id)).count("escalated") == 1
    assert await b.store.dues.next_due() is None


async def test_what_was_left_to_quiet_hours_of_a_month_ahead_is_left_to_tonight_only(
    b: Bench, clockwork: Clockwork
) -> None:
    await asked(b, {"every": "10m", "max": 1, "quiet": "14:00-15:00 UTC"}, policy={"expires_in": "90d"})
    b.clock.move(days=30)  # it is five past two
    assert await clockwork.tick() == 0
    b.clock.move(days=-30)
    await count_anew(b.context)
    assert await clockwork.tick(minutes=10) == 0
    assert await clockwork.tick(hours=1) == 1


async def test_three_reminders_of_a_month_ahead_do_not_hold_back_those_of_today(b: Bench, clockwork: Clockwork) -> None:
    for number in range(4):
        await asked(b, {"every": "10m", "max": 2}, policy={"expires_in": "90d"}, title=f"Release {number}")
    b.clock.move(days=30)
    assert await clockwork.tick() == 3, "the fourth is held"
    b.clock.move(days=-30)
    await count_anew(b.context)
    await clockwork.tick(minutes=61)
    assert [len(one.interactions) for one in clockwork.digests] == [1], "what was held goes out within the hour"
    assert await clockwork.tick(days=1) == 0, "nothing is said twice"


async def test_an_order_that_was_reminded_of_ahead_is_reminded_of_again_after_its_gap(b: Bench) -> None:
    f = Floor(b)
    await f.order(due="45m", nudges={"every": "15m", "max": 9})
    await f.tick(minutes=30)
    await f.tick(days=30)
    said = (await f.types()).count("nudged")
    b.clock.move(days=-30)
    await count_anew(b.context)
    wait = await f.next_due()
    assert wait is not None
    assert timedelta() < wait <= timedelta(hours=1)
    await f.tick(seconds=wait.total_seconds())
    assert (await f.types()).count("nudged") == said + 1
    assert (await f.types()).count("overdue") == 1


async def test_a_morning_list_that_came_ahead_comes_tomorrow_as_well(b: Bench) -> None:
    await set_times(b.context, HERE, ANA.id, "UTC", "09:00")
    b.clock.move(days=30)
    await wake(b.context, b.store.dues, FIRES, lambda *_: None)
    b.clock.move(days=-30)
    await count_anew(b.context)
    async with b.store.work() as work:
        person = await work.person(HERE, ANA.id)
        due = await work.due(DueKind.DIGEST, ANA.id)
        assert person is not None
        assert due is not None
        assert due.due_at == await next_digest(work, person, b.clock.now())


async def test_a_morning_list_does_not_come_twice_because_the_clock_was_a_moment_ahead(b: Bench) -> None:
    await set_times(b.context, HERE, ANA.id, "UTC", "09:00")
    async with b.store.work() as work:
        morning = await work.due(DueKind.DIGEST, ANA.id)
    assert morning is not None
    b.clock.move(seconds=(morning.due_at - b.clock.now()).total_seconds())
    assert await wake(b.context, b.store.dues, FIRES, lambda *_: None) == 1
    b.clock.move(seconds=-2)
    await count_anew(b.context)
    assert await b.store.dues.next_due() == morning.due_at + timedelta(days=1)


async def test_what_failed_or_was_in_hand_ahead_is_tried_again_now(b: Bench) -> None:
    b.clock.move(days=30)
    now = b.clock.now()
    task = Say(provider="slack", account="T1", channel="C1", text="hello")
    async with b.store.work() as work:
        for key in ("failed", "in hand"):
            await owe(work, b.context, HERE, Lane.TALK, key, task, now)
        await work.commit()
    claims = await b.store.outbox.claim([Lane.TALK], now, now + LEASE, "gone", 2)
    async with b.store.work() as work:
        await work.postpone(next(one for one in claims if one.delivery.key == "failed"), now + LEASE, "it is busy")
        await work.commit()
    b.clock.move(days=-30)
    await count_anew(b.context)
    for wait, key in ((0, "failed"), (1, "in hand")):
        b.clock.move(minutes=wait)
        now = b.clock.now()
        (claimed,) = await b.store.outbox.claim([Lane.TALK], now, now + LEASE, "me", 9)
        assert claimed.delivery.key == key
        async with b.store.work() as work:
            await work.finish(claimed)
            await work.commit()


async def test_a_lease_of_somebody_who_is_gone_is_over_within_a_minute(b: Bench) -> None:
    async def taken(owner: str) -> int | None:
        now = b.clock.now()
        async with b.store.work() as work:
            found = await work.take_lease("telegram.7", owner, now, now + LEASE)
            await work.commit()
        return found

    b.clock.move(days=30)
    assert await taken("gone") is not None
    b.clock.move(days=-30)
    await count_anew(b.context)
    assert await taken("me") is None
    b.clock.move(minutes=1)
    assert await taken("me") is not None


async def test_a_form_that_was_begun_ahead_holds_nobody_up(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, to=[GROUP])
    draft = Draft(
        interaction=id,
        scope=GROUP,
        person=ANA.id,
        name="Ana",
        revision=1,
        fields={},
        updated_at=b.clock.now() + MONTH,
    )
    assert not draft.is_held(b.clock.now())
    async with b.store.work() as work:
        await work.save_draft(draft)
        await work.commit()
    await count_anew(b.context)
    b.clock.move(hours=1)
    assert [one.person for one in await b.store.records.lapsed_drafts(b.clock.now(), 9)] == [ANA.id]


async def test_turns_that_a_database_took_ahead_are_free_again(b: Bench) -> None:
    if b.store.turns is None:
        pytest.skip("the process counts by a steady clock")
    async with b.store.work() as work:
        for bucket, ahead in (("ahead", MONTH), ("now", timedelta(seconds=30))):
            await work._run(insert(paces).values(bucket=bucket, free_at=func.clock_timestamp() + ahead))
        await work.commit()
    await count_anew(b.context)
    async with b.store.work() as work:
        assert [row.bucket for row in await work._all(select(paces.c.bucket))] == ["now"]


async def test_whoever_starts_after_a_clock_went_back_finds_that_out(b: Bench) -> None:
    await b.open(Kind.CONFIRMATION)
    assert not await count_anew_if_ahead(b.context)
    b.clock.move(days=-30)
    assert await count_anew_if_ahead(b.context)


async def test_whoever_starts_finds_out_by_what_was_sent_ahead(b: Bench) -> None:
    b.clock.move(days=30)
    async with b.store.work() as work:
        task = Say(provider="slack", account="T1", channel="C1", text="hello")
        await owe(work, b.context, HERE, Lane.TALK, "one", task, b.clock.now())
        await work.commit()
    await b.owed()
    b.clock.move(days=-30)
    assert await count_anew_if_ahead(b.context)
