"""The contract of `core.ports.Work` and `core.ports.Outbox`: what is owed, claimed and ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from core.loops.owed import RedrawAlert, RedrawLoop
from core.outbox import Claimed, Lane, Task
from core.store import Store
from tests.rules.making import NOW
from tests.store.making import named, owe, owed, redraw, say, settle_in

LEASE = timedelta(seconds=30)


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def claim(store: Store, *lanes: Lane, after: float = 0, owner: str = "w1", limit: int = 100) -> Sequence[Claimed]:
    now = NOW + timedelta(seconds=after)
    return await store.outbox.claim(lanes or tuple(Lane), now, now + LEASE, owner, limit)


def ids(claims: Sequence[Claimed]) -> list[str]:
    return [claim.delivery.id for claim in claims]


async def finish(store: Store, claimed: Claimed) -> bool:
    async with store.work() as work:
        done = await work.finish(claimed)
        await work.commit()
    return done


async def postpone(store: Store, claimed: Claimed, after: float, *, blocking: bool = True) -> bool:
    async with store.work() as work:
        done = await work.postpone(claimed, NOW + timedelta(seconds=after), "busy", blocking=blocking)
        await work.commit()
    return done


async def test_a_delivery_is_claimed_as_it_was_owed(store: Store) -> None:
    delivery = owed(1, task=say("héllo \N{PARTY POPPER}", thread="1.1", secret=True))
    await owe(store, delivery)
    (claimed,) = await claim(store, owner="w7")
    assert claimed == Claimed(delivery, generation=1, attempts=1, lease_until=NOW + LEASE, owner="w7")


async def test_only_the_lanes_asked_for_are_claimed_and_no_more_than_asked(store: Store) -> None:
    await owe(store, owed(1, "a"), owed(2, "b"), owed(3, "c", Lane.HEAR))
    assert ids(await claim(store, Lane.HEAR)) == [named("dlv", 3)]
    assert ids(await claim(store, Lane.TALK, limit=1)) == [named("dlv", 1)]


async def test_what_is_being_said_is_known_from_its_claim_to_its_end(store: Store) -> None:
    async def being_said(key: str) -> bool:
        async with store.work() as work:
            return await work.is_being_said(key)

    await owe(store, owed(1, "a"), owed(2, "b", Lane.HEAR))
    assert not await being_said("a")
    said, heard = await claim(store)
    assert (await being_said("a"), await being_said("b")) == (True, False)
    await finish(store, said)
    await finish(store, heard)
    assert not await being_said("a")


async def test_what_is_not_due_waits(store: Store) -> None:
    await owe(store, owed(1, after=5))
    assert await claim(store) == []
    assert ids(await claim(store, after=5)) == [named("dlv", 1)]


async def test_one_key_is_done_one_at_a_time_oldest_first(store: Store) -> None:
    # The second is due before the first: order is that of owing.
    await owe(store, owed(1, after=2), owed(2, after=1), owed(3, after=2))
    assert await claim(store, after=1) == []
    (first,) = await claim(store, after=2)
    assert await claim(store, after=2) == []
    await finish(store, first)
    assert ids(await claim(store, after=2)) == [named("dlv", 2)]


async def test_the_same_key_in_another_lane_does_not_wait(store: Store) -> None:
    await owe(store, owed(1, lane=Lane.POST), owed(2, lane=Lane.TALK))
    assert ids(await claim(store, Lane.POST)) == [named("dlv", 1)]
    assert ids(await claim(store)) == [named("dlv", 2)]


async def test_what_is_postponed_holds_up_its_key_unless_it_may_be_overtaken(store: Store) -> None:
    await owe(store, owed(1), owed(2), owed(3))
    (first,) = await claim(store)
    await postpone(store, first, 60)
    assert await claim(store) == []
    (first,) = await claim(store, after=60)
    assert (first.generation, first.attempts) == (2, 2)
    await postpone(store, first, 120, blocking=False)
    assert ids(await claim(store, after=60)) == [named("dlv", 2)]


async def test_one_that_may_be_overtaken_goes_first_again_once_it_is_due(store: Store) -> None:
    await owe(store, owed(1), owed(2))
    (first,) = await claim(store)
    await postpone(store, first, 10, blocking=False)
    assert ids(await claim(store, after=10)) == [named("dlv", 1)]


async def test_a_lapsed_lease_is_taken_over_and_the_late_worker_marks_nothing(store: Store) -> None:
    await owe(store, owed(1), owed(2))
    (late,) = await claim(store, owner="w1")
    assert await claim(store, owner="w2", after=29) == []
    (taken,) = await claim(store, owner="w2", after=30)
    assert (taken.delivery.id, taken.generation, taken.attempts) == (named("dlv", 1), 2, 2)
    assert not await finish(store, late)
    assert not await postpone(store, late, 0)
    async with store.work() as work:
        assert not await work.abandon(late, "late")
        await work.commit()
    assert await finish(store, taken)
    assert not await finish(store, taken)


async def test_another_owner_cannot_end_a_claim_even_with_its_generation(store: Store) -> None:
    await owe(store, owed(1))
    (mine,) = await claim(store)
    stranger = Claimed(mine.delivery, mine.generation, mine.attempts, mine.lease_until, "someone else")
    assert not await finish(store, stranger)
    assert await finish(store, mine)


async def test_a_worker_that_took_its_own_lapsed_claim_again_ends_only_the_newer_one(store: Store) -> None:
    await owe(store, owed(1))
    (first,) = await claim(store)
    (second,) = await claim(store, after=30)
    assert first.owner == second.owner
    assert not await finish(store, first)
    assert await finish(store, second)


async def test_a_late_worker_whose_claim_nobody_took_may_still_finish(store: Store) -> None:
    await owe(store, owed(1))
    (mine,) = await claim(store)
    assert await finish(store, mine)
    assert await claim(store, after=60) == []


async def test_what_was_abandoned_is_never_claimed_and_holds_up_nobody(store: Store) -> None:
    await owe(store, owed(1), owed(2))
    (first,) = await claim(store)
    async with store.work() as work:
        assert await work.abandon(first, "no such channel")
        await work.commit()
    assert ids(await claim(store)) == [named("dlv", 2)]
    assert (await store.records.counts(NOW)).abandoned == 1


@pytest.mark.parametrize("end", ["finish", "abandon"])
async def test_a_secret_text_is_erased_once_it_is_over(store: Store, end: str) -> None:
    await owe(store, owed(1, task=say("your code is 12345678", secret=True)))
    (claimed,) = await claim(store)
    async with store.work() as work:
        await (work.finish(claimed) if end == "finish" else work.abandon(claimed, "blocked"))
        await work.commit()
    async with store.engine.connect() as connection:
        rows = await connection.exec_driver_sql("SELECT CAST(task AS TEXT) FROM outbox")
        assert "12345678" not in str(rows.all())


async def test_redraws_of_one_copy_that_wait_are_one(store: Store) -> None:
    await owe(store, redraw(1), redraw(2), redraw(3, "pub_2"))
    assert ids(await claim(store)) == [named("dlv", 1), named("dlv", 3)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (RedrawLoop(loop="lop_1", where="slack:T1.C1"), RedrawLoop(loop="lop_2", where="slack:T1.C1")),
        (RedrawAlert(alert="alr_1", where="slack:T1.C1"), RedrawAlert(alert="alr_2", where="slack:T1.C1")),
    ],
)
async def test_redraws_of_one_work_order_or_alert_that_wait_are_one(store: Store, one: Task, other: Task) -> None:
    tasks = enumerate((one, one, other, one), start=1)
    await owe(store, *(owed(number, "k", Lane.REDRAW, task) for number, task in tasks))
    (first,) = await claim(store)
    await finish(store, first)
    (last,) = await claim(store)
    assert ids([first, last]) == [named("dlv", 1), named("dlv", 3)]


async def test_a_redraw_is_owed_anew_while_one_is_on_the_wire(store: Store) -> None:
    await owe(store, redraw(1))
    (drawing,) = await claim(store)
    await owe(store, redraw(2), redraw(3))
    await finish(store, drawing)
    (again,) = await claim(store)
    assert again.delivery.id == named("dlv", 2)
    await finish(store, again)
    assert await claim(store) == []


async def test_a_joined_redraw_is_done_no_later_than_asked(store: Store) -> None:
    await owe(store, redraw(1, after=60))
    await owe(store, redraw(2, after=3))
    assert ids(await claim(store, after=3)) == [named("dlv", 1)]


async def test_a_redraw_that_was_put_off_is_not_done_sooner_because_of_another_change(store: Store) -> None:
    """The provider said how long to wait, and says it for longer to those who do not."""
    await owe(store, redraw(1))
    (drawing,) = await claim(store)
    async with store.work() as work:
        await work.postpone(drawing, NOW + timedelta(seconds=30), "Too Many Requests: retry after 30")
        await work.commit()
    await owe(store, redraw(2, after=1))
    assert await claim(store, after=29) == []
    assert ids(await claim(store, after=30)) == [named("dlv", 1)]


async def test_the_next_moment_to_look_is_known(store: Store) -> None:
    assert await store.outbox.next_due(tuple(Lane)) is None
    await owe(store, owed(1, "a", after=9), owed(2, "b", after=5), owed(3, "b", after=1))
    assert await store.outbox.next_due(tuple(Lane)) == NOW + timedelta(seconds=5)
    assert await store.outbox.next_due([Lane.HEAR]) is None
    (claimed,) = await claim(store, after=5)
    # The one behind it cannot be claimed before the lease is over.
    assert await store.outbox.next_due([Lane.TALK]) == NOW + timedelta(seconds=9)
    await claim(store, after=9)
    assert await store.outbox.next_due([Lane.TALK]) == claimed.lease_until


async def test_waiting_for_a_turn_is_no_attempt(store: Store) -> None:
    await owe(store, owed(1))
    (first,) = await claim(store)
    async with store.work() as work:
        assert await work.postpone(first, NOW, "waits for its turn", tried=False)
        await work.commit()
    (second,) = await claim(store)
    assert (second.attempts, second.generation) == (1, 2)
    await postpone(store, second, 0)
    (third,) = await claim(store)
    assert third.attempts == 2


async def test_whoever_takes_up_a_call_that_was_begun_knows_it(store: Store) -> None:
    async def begin(claimed: Claimed) -> bool:
        async with store.work() as work:
            begun = await work.begin_call(claimed)
            await work.commit()
        return begun

    await owe(store, owed(1))
    (first,) = await claim(store)
    assert not first.unheard
    assert await begin(first)
    (second,) = await claim(store, after=31)
    assert second.unheard
    assert not await begin(first), "its claim is lost"
    async with store.work() as work:
        await work.postpone(second, NOW + timedelta(seconds=40), "nobody heard")
        await work.commit()
    (third,) = await claim(store, after=40)
    assert third.unheard, "that it waited says nothing of the call"
    async with store.work() as work:
        await work.postpone(third, NOW + timedelta(seconds=50), "refused", unsent=True)
        await work.commit()
    (fourth,) = await claim(store, after=50)
    assert not fourth.unheard
