"""How transactions run: whole, in a thread or on the loop until they block, or statement by statement for whoever has
other things to wait for."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar

import pytest
from sqlalchemy import select

from core.errors import Raced
from core.ports import Committed, Work
from core.store import Store
from core.store.tables import workspaces
from core.store.threads import Threads
from core.store.work import SqlWork
from tests.store.making import HERE, add, ask, event, line, settle_in
from tests.stores import opened


async def test_a_transaction_that_blocks_does_not_hold_up_the_loop(store: Store) -> None:
    await settle_in(store)
    threads: list[int] = []

    async def inner(work: Work) -> str:
        await work.add_interaction(ask(1))
        await _block(work)
        threads.append(threading.get_ident())
        await work.add_interaction(ask(2))
        threads.append(threading.get_ident())
        return "done"

    assert await store.work.run(inner) == "done"
    assert threads[0] == threads[1] != threading.get_ident()
    assert await store.records.interaction(HERE, ask(2).id, None) is not None


async def test_what_goes_around_sqlalchemy_needs_no_thread(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        threads: list[int] = []

        async def inner(work: Work) -> None:
            await work.add_interaction(ask(1))
            assert await work.interaction(HERE, ask(1).id) == ask(1)
            threads.append(threading.get_ident())

        await store.work.run(inner)
        assert threads == [threading.get_ident()]
        assert await store.records.interaction(HERE, ask(1).id, None) is not None


async def test_a_loop_that_ends_in_the_middle_of_an_exchange_leaves_nothing_and_no_lock(
    postgres_store_url: str,
) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await add(store, ask(1))

        async def inner(work: Work) -> None:
            await work.add_interaction(ask(2))
            await work.interaction(HERE, ask(1).id)

        async with store.work() as work:
            await work.interaction(HERE, ask(1).id)
            others = asyncio.all_tasks()
            running = asyncio.create_task(store.work.run(inner))
            await asyncio.sleep(0.2)  # it waits for the lock, if not for its connection: either is to be given up
            for task in asyncio.all_tasks() - others:
                task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
        async with store.work() as work:
            assert await work.interaction(HERE, ask(1).id) is not None
            assert await work.interaction(HERE, ask(2).id) is None


async def test_a_transaction_that_fails_on_the_server_leaves_a_connection_that_works(store: Store) -> None:
    await settle_in(store)
    await add(store, ask(1))

    async def again(work: Work) -> None:
        await work.add_interaction(ask(1))

    for _ in range(2):
        with pytest.raises(Raced):
            await store.work.run(again)

    async def other(work: Work) -> None:
        await work.add_interaction(ask(2))

    await store.work.run(other)
    assert await store.records.interaction(HERE, ask(2).id, None) is not None


async def test_what_is_woken_is_woken_on_the_loop_after_the_commit(store: Store) -> None:
    await settle_in(store)
    heard: list[tuple[int, Committed]] = []
    store.work._wake = lambda change: heard.append((threading.get_ident(), change))

    async def inner(work: Work) -> None:
        await work.add_interaction(ask(1))
        await work.announce(event("evt_1", ask(1)))
        assert heard == []

    await store.work.run(inner)
    assert [thread for thread, _ in heard] == [threading.get_ident()]
    assert heard[0][1].positions == ((HERE, 1),)


async def test_what_fails_leaves_nothing(store: Store) -> None:
    await settle_in(store)

    async def inner(work: Work) -> None:
        await work.add_interaction(ask(1))
        raise LookupError("no")

    with pytest.raises(LookupError):
        await store.work.run(inner)
    assert await store.records.interaction(HERE, ask(1).id, None) is None


async def test_a_transaction_that_waits_for_something_else_is_refused_and_leaves_nothing(store: Store) -> None:
    """It would hold its locks, and its thread, for as long as that takes."""
    await settle_in(store)

    async def inner(work: Work) -> None:
        await work.add_interaction(ask(1))
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="nothing but the database"):
        await store.work.run(inner)
    assert await store.records.interaction(HERE, ask(1).id, None) is None


async def test_whoever_is_cancelled_goes_on_only_when_the_transaction_has_ended(store: Store) -> None:
    await settle_in(store)
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    async def inner(work: Work) -> None:
        await _block(work)
        begun.set()
        go_on.wait(10)
        await work.add_interaction(ask(1))
        ended.set()

    running = asyncio.create_task(store.work.run(inner))
    await asyncio.to_thread(begun.wait, 10)
    running.cancel()
    await asyncio.sleep(0.01)
    assert not running.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert ended.is_set()
    # What was decided by then stands: its asker hears of it as of any other answer that was lost on the way.
    assert await store.records.interaction(HERE, ask(1).id, None) is not None


async def test_as_many_as_like_may_write_at_once(store: Store) -> None:
    await settle_in(store)

    async def one(number: int) -> None:
        async def inner(work: Work) -> None:
            await work.add_interaction(ask(number))
            await work.record(line(f"rcp_{number}"), ask(number).id)
            await work.announce(event(f"evt_{number}", ask(number)))

        await store.work.run(inner)

    await asyncio.gather(*(one(number) for number in range(1, 61)))
    events = await store.records.events(HERE, None, limit=100)
    assert [one.position for one in events] == list(range(1, 61))


async def _block(work: Work) -> None:
    """Ask what SQLAlchemy runs, which blocks."""
    assert isinstance(work, SqlWork)
    await work._run(select(workspaces.c.id))


async def test_a_thread_has_the_context_of_whoever_asked() -> None:
    """Traces and log lines of a transaction belong to the request that it is for."""
    named: ContextVar[str] = ContextVar("named", default="nobody")
    threads = Threads(1, "test")
    named.set("ana")
    assert await threads.run(named.get) == "ana"
    threads.close()
