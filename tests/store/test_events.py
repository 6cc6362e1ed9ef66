"""The order of events: what a reader was given is never preceded by something that appears later."""

from __future__ import annotations

import asyncio

from core.events import Event
from core.store import Store
from core.store.statements import TAKE_POSITIONS
from tests.store.making import ELSEWHERE, HERE, add, ask, event, line, settle_in
from tests.stores import opened

WRITERS = 200


async def test_readers_during_200_concurrent_writers_miss_nothing_and_see_positions_grow(
    store: Store, store_url: str
) -> None:
    """Writers draw their ids long before they commit, and in another order, as real ones do."""
    await settle_in(store)
    cards = [ask(number) for number in range(1, 21)]
    await add(store, *cards)
    writing = asyncio.Event()

    async with opened(store_url) as other:

        async def write(number: int) -> None:
            card = cards[number % len(cards)]
            async with (store if number % 2 else other).work() as work:
                for part in ("a", "b") if number % 5 == 0 else ("a",):
                    await work.announce(event(f"evt_{number}{part}", card))
                await asyncio.sleep((WRITERS - number) % 4 / 1000)
                await work.record(line(f"rcp_{number}"), card.id)
                await work.commit()

        async def write_all() -> None:
            await asyncio.gather(*(write(number) for number in range(WRITERS)))
            writing.set()

        async def read(where: Store, limit: int) -> list[Event]:
            heard: list[Event] = []
            while True:
                over = writing.is_set()
                found = await where.records.events(HERE, None, after=heard[-1].position if heard else 0, limit=limit)
                heard += found
                if over and not found:
                    return heard
                await asyncio.sleep(0.001)

        _, *readers = await asyncio.gather(write_all(), read(store, 3), read(other, 1000))

    for heard in readers:
        assert [one.position for one in heard] == list(range(1, 241))
        assert len({one.id for one in heard}) == 240
        assert heard == readers[0]


async def test_a_rolled_back_transaction_leaves_no_gap(store: Store) -> None:
    await settle_in(store)
    await add(store, ask())
    for number in range(3):
        async with store.work() as work:
            await work.announce(event(f"evt_{number}", ask()))
            if number != 1:
                await work.commit()
    assert [one.position for one in await store.records.events(HERE, None)] == [1, 2]


async def test_a_writer_between_its_last_step_and_its_commit_holds_back_the_next_position(
    postgres_store_url: str,
) -> None:
    """The race itself, slowed down: the second writer cannot become visible before the first."""
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await add(store, ask())
        async with store.work() as first:
            await first.announce(event("evt_1", ask()))
            await first._run(TAKE_POSITIONS, {"own_id": HERE, "taken": 1})

            async def commit_second() -> None:
                async with store.work() as second:
                    await second.announce(event("evt_2", ask()))
                    await second.commit()

            second = asyncio.create_task(commit_second())
            await asyncio.sleep(0.05)
            assert not second.done()
            assert await store.records.events(HERE, None) == []
            await first.commit()
            await second
        # It took its positions twice.
        assert [(one.id, one.position) for one in await store.records.events(HERE, None)] == [
            ("evt_1", 2),
            ("evt_2", 3),
        ]


async def test_workspaces_do_not_wait_for_each_other(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        there = ask(2, workspace=ELSEWHERE)
        await add(store, ask(1), there)
        async with store.work() as first:
            await first._run(TAKE_POSITIONS, {"own_id": HERE, "taken": 1})
            async with store.work() as second:
                await second.announce(event("evt_2", there))
                await asyncio.wait_for(second.commit(), 5)
        assert [one.id for one in await store.records.events(ELSEWHERE, None)] == ["evt_2"]
