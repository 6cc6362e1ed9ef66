"""What was begun while a clock was a month ahead counts from when the clock went back, for as long as it is to last."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from core.access import ROTATION, Link, Session, SignIn
from core.channels import Posted
from core.controls import Action
from core.dues import LEASE, DueKind
from core.installations import TOKEN_LASTS
from core.kinds import Kind
from core.outbox import Lane, PostCard, RedrawCard, Say
from core.publications import PublicationState
from core.store.tables import agent_keys, installations, publications
from core.use_cases.deliver import begin_post, posted
from core.use_cases.recording import owe
from core.use_cases.turned_back import count_anew, count_anew_if_ahead
from tests.stores import opened
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BUILDER, HERE
from tests.use_cases.clockwork import Clockwork, asked
from tests.use_cases.floor import Floor

HOUR = timedelta(hours=1)
MONTH = timedelta(days=30)


@pytest.fixture
async def b(store_url: str) -> AsyncIterator[Bench]:
    """On each database in turn, its clock a month ahead."""
    async with opened(store_url) as store:
        made = Bench(store)
        await made.begin()
        made.clock.move(days=30)
        yield made


async def back(b: Bench) -> None:
    """The clock goes back. What is counted anew twice is counted as once."""
    b.clock.move(days=-30)
    for _ in range(2):
        await count_anew(b.context)


async def test_a_card_has_all_of_its_time_and_its_reminders_and_says_so(b: Bench) -> None:
    clockwork = Clockwork(b)
    id = await asked(b, {"every": "10m", "max": 2}, policy={"expires_in": "2h"})
    assert await clockwork.tick(minutes=10) == 1
    b.clock.move(minutes=-10)
    before = await b.get(id)
    await back(b)
    now, after = b.clock.now(), await b.get(id)
    assert (after.started_at, after.expires_at) == (now, now + 2 * HOUR)
    assert after.version > before.version
    assert RedrawCard in {type(task) for task in await b.owed()}
    assert [await clockwork.tick(minutes=minutes) for minutes in (10, 20, 60)] == [0, 1, 0]
    assert [one.number for one in clockwork.sent] == [1, 2]


async def test_a_card_that_never_arrived_does_not_wait_for_a_month_to_end(b: Bench) -> None:
    id = (await b.asked(Kind.CONFIRMATION, policy={"expires_in": "2h"})).snapshot["id"]
    await back(b)
    assert (await b.get(id)).due_at == b.clock.now() + 2 * HOUR


async def test_a_card_whose_time_began_before_keeps_it(b: Bench) -> None:
    b.clock.move(days=-30)
    id = await asked(b, {"every": "10m", "max": 2}, policy={"expires_in": "60d"})
    before = await b.get(id)
    b.clock.move(days=30)
    await back(b)
    assert await b.get(id) == before


async def test_a_card_that_was_on_its_way_begins_when_it_arrives(b: Bench) -> None:
    id = (await b.asked(Kind.CONFIRMATION, policy={"expires_in": "2h"})).snapshot["id"]
    now = b.clock.now()
    (claimed,) = await b.store.outbox.claim([Lane.POST], now, now + LEASE, "relay", 1)
    assert isinstance(claimed.delivery.task, PostCard)
    ready = await begin_post(b.context, claimed, claimed.delivery.task, link_ok=True)
    assert ready is not None
    await back(b)
    await posted(b.context, claimed, ready, Posted("C1", "m1"))
    now, after = b.clock.now(), await b.get(id)
    assert (after.started_at, after.expires_at) == (now, now + 2 * HOUR)


async def test_a_lost_post_is_looked_for_now(b: Bench) -> None:
    await b.asked(Kind.CONFIRMATION)
    await Floor(b).order()
    now = b.clock.now()
    loops = Floor(b)
    order = await loops.loop()
    card = order.card
    assert card is not None
    async with b.store.work() as work:
        lost = {"state": PublicationState.UNKNOWN, "attempt_at": now}
        await work.save_loop(order, order.model_copy(update={"card": card.model_copy(update=lost)}))
        await work._run(publications.update().values(state="unknown", attempt_at=now))
        await work.commit()
    await back(b)
    async with b.store.work() as work:
        (copy,) = await work._all(select(publications.c.attempt_at))
    found = (await loops.loop()).card
    assert found is not None
    assert (copy.attempt_at, found.attempt_at) == (b.clock.now(), b.clock.now())


async def test_somebody_who_put_a_card_off_for_an_hour_hears_of_it_within_one(b: Bench) -> None:
    clockwork = Clockwork(b)
    id = await b.open(Kind.CONFIRMATION, to=["slack:T1.U1"])
    await b.press(ANA, id, Action.SNOOZE, option=1)
    await back(b)
    (snooze,) = (await b.get(id)).reminding.snoozes
    assert snooze.until == b.clock.now() + HOUR
    assert await clockwork.tick(minutes=59) == 0
    assert await clockwork.tick(minutes=1) == 1
    assert await clockwork.tick(days=40) == 0


async def test_somebody_who_put_a_card_off_before_is_left_alone_until_then(b: Bench) -> None:
    b.clock.move(days=-30)
    id = await b.open(Kind.CONFIRMATION, to=["slack:T1.U1"])
    await b.press(ANA, id, Action.SNOOZE, option=1)
    before = await b.get(id)
    b.clock.move(days=30)
    await back(b)
    assert await b.get(id) == before


@pytest.mark.parametrize(("nudges", "wait"), [({"every": "15m", "max": 2}, 15), ({"every": "15m", "max": 0}, None)])
async def test_an_order_without_a_due_time_is_reminded_of_after_its_gap(
    b: Bench, nudges: dict[str, object], wait: int | None
) -> None:
    f = Floor(b)
    await f.order(nudges=nudges)
    await back(b)
    assert await f.next_due() == (timedelta(minutes=wait) if wait is not None else None)


async def test_a_follow_up_is_said_after_its_minutes_and_counts_for_its_hour(b: Bench) -> None:
    f = Floor(b)
    order = await f.order(nudges={"every": "15m", "max": 0})
    await f.call(BUILDER, await f.place(order), '[TOOL followup.create {"in_m": 20, "prompt": "look again"}]')
    await back(b)
    assert await f.next_due() == timedelta(minutes=20)
    await f.tick(minutes=20)
    assert [text for text in f.texts if "Follow-up: look again" in text]
    place, now = await f.place(order), b.clock.now()
    async with b.store.work() as work:
        assert await work.count_follow_ups(place, order.sender, now) == (0, 0)


async def test_a_call_that_was_approved_runs_now(b: Bench) -> None:
    async with b.store.work() as work:
        await work.set_due(DueKind.TOOL, "tol_1", HERE, b.clock.now())
        await work.commit()
    await back(b)
    (due,) = await b.store.dues.claim(b.clock.now(), b.clock.now() + LEASE, 9)
    assert due.kind is DueKind.TOOL


@pytest.mark.parametrize("lane", list(Lane))
async def test_what_was_not_tried_yet_does_not_wait_as_long_as_what_failed(b: Bench, lane: Lane) -> None:
    b.clock.move(days=-30)
    then = b.clock.now() + timedelta(seconds=20)
    task = Say(provider="slack", account="T1", channel="C1", text="hello")
    async with b.store.work() as work:
        await owe(work, b.context, HERE, lane, "one", task, then)
        await work.commit()
    await count_anew(b.context)
    assert len(await b.store.outbox.claim([lane], b.clock.now(), b.clock.now() + LEASE, "me", 9)) == 1


async def test_nobody_is_admitted_for_longer_or_locked_out(b: Bench) -> None:
    ahead = b.clock.now()
    async with b.store.work() as work:
        await work.add_signin(SignIn("sgn_1", HERE, ANA.id, "browser", "code", ahead, ahead + timedelta(minutes=10)))
        await work.add_session(Session("token", HERE, ANA.id, "csrf", ahead, ahead + 12 * HOUR))
        await work.add_link(Link("code", HERE, ANA.id, ahead, ahead + timedelta(minutes=15)))
        await work.rotate_agent(BUILDER.id, "another", "whsec_y", ahead, ahead + ROTATION)
        await work._run(
            insert(installations).values(
                provider="slack", account="T1", workspace=HERE, name="Acme", bot_user="U0", sealed="sealed", facts={},
                installed_at=ahead, expires_at=ahead + TOKEN_LASTS, generation=1,
            )
        )  # fmt: skip
        await work.commit()
    await back(b)
    now = b.clock.now()
    async with b.store.work() as work:
        signin, link = await work.signin("sgn_1"), await work.link("code")
        assert signin is not None
        assert link is not None
        assert (signin.created_at, signin.expires_at) == (now, now + timedelta(minutes=10))
        assert (link.created_at, link.expires_at) == (now, now + timedelta(minutes=15))
        assert await work.signins_since(HERE, ANA.id, now + timedelta(seconds=1)) == 0
        ends = await work._all(select(agent_keys.c.ends_at).where(agent_keys.c.agent == BUILDER.id))
        assert {row.ends_at for row in ends} == {None, now + ROTATION}
        (token,) = await work._all(select(installations.c.expires_at))
        assert token.expires_at == now, "it is replaced at the next look"
    session = await b.store.records.session("token", now)
    assert session is not None
    assert (session.created_at, session.expires_at) == (now, now + 12 * HOUR)


async def test_whoever_starts_finds_a_lease_of_somebody_whose_clock_was_ahead(b: Bench) -> None:
    now = b.clock.now()
    async with b.store.work() as work:
        await work.take_lease("telegram:7", "gone", now, now + LEASE)
        await work.commit()
    b.clock.move(days=-30)
    assert await count_anew_if_ahead(b.context)
    assert not await count_anew_if_ahead(b.context)


async def test_whoever_starts_finds_an_event_of_a_clock_that_was_ahead_among_newer_ones(b: Bench) -> None:
    await b.open(Kind.CONFIRMATION)
    b.clock.move(days=-30)
    for _ in range(3):
        await b.open(Kind.CONFIRMATION)
    assert await count_anew_if_ahead(b.context)
