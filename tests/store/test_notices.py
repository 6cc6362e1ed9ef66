"""What processes tell each other: on PostgreSQL at once, in words that fit, and never what was rolled back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import psycopg
import pytest

from core.outbox import Lane
from core.people import Identity
from core.ports import Committed
from core.store import notices
from core.store.telling import LONGEST_NOTICE, notice, read_notice
from tests.store.making import ELSEWHERE, HERE, add, ask, event, owed, settle_in
from tests.stores import opened

ANYTHING = Committed(missed=True)


async def soon(heard: AsyncGenerator[Committed, None]) -> Committed:
    return await asyncio.wait_for(anext(heard), 10)


async def test_another_process_hears_of_a_commit_and_not_of_a_rollback(postgres_store_url: str) -> None:
    heard = notices(postgres_store_url)
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        assert await soon(heard) == ANYTHING  # from here on it listens
        async with store.work() as work:
            await work.add_interaction(ask(1))
        async with store.work() as work:
            await work.add_interaction(ask(2))
            await work.announce(event("evt_1", ask(2)))
            await work.owe(owed(1, lane=Lane.HEAR))
            await work.commit()
        assert await soon(heard) == Committed((ask(2).id,), ((HERE, 1),), (Lane.HEAR,))
    await heard.aclose()


async def test_other_processes_hear_whom_they_are_to_remember_no_more(postgres_store_url: str) -> None:
    account = Identity(provider="slack", account="T1", user="U1")
    heard = notices(postgres_store_url)
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        assert await soon(heard) == ANYTHING
        async with store.work() as work:
            await work.forget_standing(HERE, account)
            await work.commit()
        assert await soon(heard) == Committed(dropped=((HERE, account),))
    await heard.aclose()


async def test_a_notice_tells_the_newest_position_of_each_workspace(postgres_store_url: str) -> None:
    heard = notices(postgres_store_url)
    there = ask(2, workspace=ELSEWHERE)
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        assert await soon(heard) == ANYTHING
        async with store.work() as work:
            await work.add_interaction(ask(1))
            await work.add_interaction(there)
            for number, about in enumerate((ask(1), there, ask(1))):
                await work.announce(event(f"evt_{number}", about))
            await work.commit()
        told = await soon(heard)
        placed = [(one.id, one.position) for one in await store.records.events(HERE, None)]
    assert sorted(told.positions) == sorted([(HERE, 2), (ELSEWHERE, 1)])
    assert placed == [("evt_0", 1), ("evt_2", 2)]
    await heard.aclose()


async def test_a_commit_of_more_than_can_be_told_says_that_anything_may_have_changed(postgres_store_url: str) -> None:
    heard = notices(postgres_store_url)
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        assert await soon(heard) == ANYTHING
        async with store.work() as work:
            for number in range(300):
                await work.add_interaction(ask(number))
            await work.announce(event("evt_1", ask(1)))
            await work.commit()
        assert await soon(heard) == ANYTHING
    await heard.aclose()


async def test_a_lost_connection_is_made_anew_and_says_that_something_may_be_missed(
    postgres_store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.listening.PAUSE", 0.01)
    heard = notices(postgres_store_url)
    assert await soon(heard) == ANYTHING
    address = postgres_store_url.replace("+psycopg", "")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sayso notices'"
        )
    assert await soon(heard) == ANYTHING
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await add(store, ask(1))
        assert await soon(heard) == Committed((ask(1).id,))
    await heard.aclose()


async def test_sqlite_tells_nobody(sqlite_store_url: str) -> None:
    assert [change async for change in notices(sqlite_store_url)] == []


@pytest.mark.parametrize(
    "change",
    [
        Committed(),
        Committed(("int_1", "int_2"), (("wsp_1", 7), ("wsp_2", 1)), tuple(Lane)),
        Committed(dropped=(("wsp_1", Identity(provider="slack", account="T1", user="U1")),)),
    ],
)
def test_a_notice_reads_back(change: Committed) -> None:
    assert read_notice(notice(change)) == change


def test_a_notice_that_would_not_fit_says_that_anything_may_have_changed() -> None:
    text = notice(Committed(tuple(f"int_{number:026}" for number in range(300))))
    assert len(text) < LONGEST_NOTICE
    assert read_notice(text) == ANYTHING


@pytest.mark.parametrize("text", ["", "hello", "[]", "{}", '{"i": 1}', '{"i": [], "p": [], "l": ["nope"]}'])
def test_a_notice_of_an_unknown_shape_says_that_anything_may_have_changed(text: str) -> None:
    assert read_notice(text) == ANYTHING


async def test_what_this_process_commits_is_not_told_to_it_again(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as here, opened(postgres_store_url) as elsewhere:
        await settle_in(here)
        heard = notices(postgres_store_url, here.backends)
        assert (await anext(heard)).missed
        await add(here, ask(1))
        await add(elsewhere, ask(2))
        assert (await asyncio.wait_for(anext(heard), 5)).interactions == (ask(2).id,)
        await heard.aclose()
