"""Two at the same moment: one wins, the other learns it, and nothing is half done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import select, text

from core.errors import Raced
from core.people import Identity, Person
from core.publications import PublicationState
from core.records import Interaction, Status
from core.store import Store
from core.store.tables import receipts
from core.store.work import SqlWork
from tests.chains import first_break
from tests.rules.making import NOW
from tests.store.making import BUILDER, HERE, SOON, accepted, add, ask, copy_of, line, settle_in
from tests.store.rival import settle
from tests.store.rivals import Rival, run_together
from tests.stores import opened

ROUNDS = [25, pytest.param(200, marks=pytest.mark.slow)]
"""Each round is a race of its own: a few show what wins, many that nothing else ever happens."""


@pytest.fixture
async def other(store: Store, store_url: str) -> AsyncIterator[Store]:
    """A second store on the same database, with connections of its own, as in another process."""
    await settle_in(store)
    async with opened(store_url) as second:
        await second.records.workspaces()  # connected already, so that nothing holds it back
        yield second


async def save(store: Store, before: Interaction, by: str) -> str:
    """Settle what was read before, without reading it again; return who that was."""
    async with store.work() as work:
        await work.save_interaction(before, accepted(before, by, f"rcp_{by}_{before.id}"), NOW)
        await work.record(line(f"rcp_{by}_{before.id}"), before.id)
        await work.commit()
    return by


@pytest.mark.parametrize("rounds", ROUNDS)
async def test_of_two_simultaneous_answers_one_wins_and_the_other_is_told_each_time(
    store: Store, other: Store, rounds: int
) -> None:
    cards = [ask(number) for number in range(1, rounds + 1)]
    await add(store, *cards)
    winners = {}
    for card in cards:
        ends = await asyncio.gather(save(store, card, "per_ana"), save(other, card, "per_ben"), return_exceptions=True)
        assert sum(isinstance(end, Raced) for end in ends) == 1, ends
        (winners[card.id],) = (end for end in ends if isinstance(end, str))
    assert await outcomes(store) == winners
    async with store.engine.connect() as connection:
        lines = (await connection.execute(select(receipts.c.interaction, receipts.c.id))).all()
    assert sorted(line.id for line in lines) == sorted(f"rcp_{by}_{id}" for id, by in winners.items())


async def outcomes(store: Store) -> dict[str, str | None]:
    """Who settled each card."""
    found = await store.records.interactions(HERE, None, limit=1000)
    return {one.interaction.id: one.interaction.outcome.by.id for one in found if one.interaction.outcome}


@pytest.mark.parametrize("rounds", ROUNDS)
def test_two_processes_settle_each_card_once(store_url: str, rounds: int) -> None:
    async def prepare() -> None:
        async with opened(store_url) as store:
            await settle_in(store)
            await add(store, *(ask(number) for number in range(1, rounds + 1)))

    async def look() -> dict[str, str | None]:
        async with opened(store_url) as store:
            return await outcomes(store)

    asyncio.run(prepare())
    rivals = [Rival(settle, store_url, name, rounds) for name in ("left", "right")]
    assert run_together(*rivals) == [0, 0]
    left, right = (rival.result for rival in rivals)
    assert sorted(left + right) == list(range(1, rounds + 1))
    won = {"per_left": left, "per_right": right}
    assert asyncio.run(look()) == {ask(number).id: by for by, numbers in won.items() for number in numbers}


async def test_whoever_loads_an_interaction_sees_what_the_one_before_did(store: Store, other: Store) -> None:
    """Twenty votes at once: each is counted, for loading waits until the one before has committed."""
    await add(store, ask())

    async def vote(number: int) -> None:
        async with (store if number % 2 else other).work() as work:
            before = await work.interaction(HERE, ask().id)
            assert before
            after = before.model_copy(
                update={"version": before.version + 1, "fallbacks_used": before.fallbacks_used + 1}
            )
            await asyncio.sleep(0)
            await work.save_interaction(before, after, NOW)
            await work.commit()

    await asyncio.gather(*(vote(number) for number in range(20)))
    found = await store.records.interaction(HERE, ask().id, None)
    assert found
    assert (found.interaction.fallbacks_used, found.interaction.version) == (20, 21)


async def test_two_who_change_one_copy_at_once_undo_nothing_of_each_other(store: Store, other: Store) -> None:
    """A press turns the page while the relay notes where the card was posted."""
    await add(store, ask())
    async with store.work() as work:
        await work.add_publication(copy_of(ask(), channel="C1", message="1.1"))
        await work.commit()
    copy = copy_of(ask()).id

    async def turn_the_page(work: SqlWork) -> object:
        found = await work.publication_at("slack", "T1", "C1", "1.1")
        assert found
        await work.save_publication(found.model_copy(update={"page": 2}))
        return "turned"

    async def note_the_post(work: SqlWork) -> object:
        found = await work.publication(copy)
        assert found
        await work.save_publication(found.model_copy(update={"state": PublicationState.POSTED, "shown_version": 1}))
        return "noted"

    assert await both(store, other, turn_the_page, note_the_post) == ["turned", "noted"]
    async with store.work() as work:
        found = await work.publication(copy)
    assert found
    assert (found.page, found.state, found.shown_version) == (2, PublicationState.POSTED, 1)


async def test_writers_of_one_sqlite_process_take_turns_in_the_order_in_which_they_came(sqlite_store_url: str) -> None:
    """The file's own lock is polled: the first to come could be the last to write."""
    ended = []
    async with opened(sqlite_store_url) as store:
        await settle_in(store)

        async def write(number: int) -> None:
            async with store.work() as work:
                await work.add_interaction(ask(number))
                await work.commit()
                ended.append(number)

        await asyncio.gather(*(write(number) for number in range(60)))
    assert ended == list(range(60))


async def test_receipts_written_at_once_make_one_unbroken_chain(store: Store, other: Store) -> None:
    await add(store, ask())

    async def record(number: int) -> None:
        async with (store if number % 2 else other).work() as work:
            await work.record(line(f"rcp_{number}"), ask().id)
            await work.commit()

    await asyncio.gather(*(record(number) for number in range(30)))
    chain = await store.records.receipts(HERE, ask().id)
    assert len(chain) == 30
    assert first_break(chain) is None


async def both(store: Store, other: Store, *acts: object) -> list[object]:
    """Run one act in each store; `Raced` counts as an end."""

    async def one(where: Store, act: object) -> object:
        assert callable(act)
        async with where.work() as work:
            result = await act(work)
            await asyncio.sleep(0.02)
            await work.commit()
            return result

    ends = await asyncio.gather(one(store, acts[0]), one(other, acts[1]), return_exceptions=True)
    assert all(not isinstance(end, BaseException) or isinstance(end, Raced) for end in ends), ends
    return ["raced" if isinstance(end, Raced) else end for end in ends]


async def test_a_redelivery_that_overtakes_waits_and_is_told_the_same(store: Store, other: Store) -> None:
    async def handle(work: SqlWork) -> object:
        if await work.first_seen("slack:Ev1", "slack", "{}", NOW):
            await work.arrival_done("slack:Ev1", "Saved.", NOW)
            return "handled"
        return await work.arrival_reply("slack:Ev1")

    assert sorted(map(str, await both(store, other, handle, handle))) == ["Saved.", "handled"]


async def test_an_arrival_that_waits_and_is_taken_up_by_two_is_handled_by_one(store: Store, other: Store) -> None:
    async with store.work() as work:
        await work.first_seen("telegram:7", "telegram", "{}", NOW)
        await work.commit()

    async def handle(work: SqlWork) -> object:
        if await work.first_seen("telegram:7", "telegram", "{}", SOON):
            await work.arrival_done("telegram:7", "Saved.", SOON)
            return "handled"
        return await work.arrival_reply("telegram:7")

    assert sorted(map(str, await both(store, other, handle, handle))) == ["Saved.", "handled"]


async def test_one_idempotency_key_makes_one_interaction(store: Store, other: Store) -> None:
    async def request(work: SqlWork, number: int) -> object:
        if known := await work.remembered(BUILDER.id, "k"):
            return known[1]["id"]
        await work.add_interaction(ask(number))
        await work.remember(BUILDER.id, "k", "sha256:1", {"id": ask(number).id}, ask(number).id, NOW)
        return ask(number).id

    ends = await both(store, other, lambda work: request(work, 1), lambda work: request(work, 2))
    made = [whole.interaction.id for whole in await store.records.interactions(HERE, None)]
    assert len(made) == 1
    assert set(ends) <= {made[0], "raced"}


async def test_two_cards_of_one_key_asked_at_once_leave_one_pending(store: Store, other: Store) -> None:
    async def request(work: SqlWork, number: int) -> object:
        old = await work.pending_by_key(HERE, BUILDER.id, "deploy")
        if old is not None:
            gone = old.model_copy(update={"status": Status.SUPERSEDED, "version": 2})
            await work.save_interaction(old, gone, None)
        await work.add_interaction(ask(number, supersede_key="deploy"))
        return number

    await both(store, other, lambda work: request(work, 1), lambda work: request(work, 2))
    pending = await store.records.interactions(HERE, None, statuses=[Status.PENDING])
    assert len(pending) == 1


async def test_two_first_presses_of_one_account_make_one_person(store: Store, other: Store) -> None:
    account = Identity(provider="telegram", user="777")

    async def press(work: SqlWork, handle: str) -> object:
        person = await work.person_by_identity(HERE, account)
        if person is None:
            person = Person(id=f"per_{handle}", workspace=HERE, handle=handle, name="X", identities=(account,))
            await work.add_person(person)
        return person.id

    ends = await both(store, other, lambda work: press(work, "one"), lambda work: press(work, "two"))
    people = [person.id for person in await store.records.people(HERE) if account in person.identities]
    assert len(people) == 1
    assert set(ends) <= {people[0], "raced"}


async def test_a_lease_is_taken_by_one(store: Store, other: Store) -> None:
    async def take(work: SqlWork, owner: str) -> object:
        return await work.take_lease("telegram:saybot", owner, NOW, SOON)

    ends = await both(store, other, lambda work: take(work, "p1"), lambda work: take(work, "p2"))
    assert sorted(map(str, ends)) == ["1", "None"]


async def test_one_arrival_left_behind_is_taken_up_by_one(store: Store, other: Store) -> None:
    async with store.work() as work:
        for number in range(10):
            await work.first_seen(f"k{number}", "slack", "{}", NOW)
        await work.commit()

    async def sweep(work: SqlWork) -> object:
        return [one.key for one in await work.waiting_arrivals(SOON, 2 * (SOON - NOW) + NOW, 6)]

    taken = [key for keys in await both(store, other, sweep, sweep) if isinstance(keys, list) for key in keys]
    assert len(taken) == len(set(taken))
    assert len(taken) >= 6


async def test_a_writer_who_waits_too_long_is_told_to_try_again(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.works.BUSY_SECONDS", 0.05)
    await add(store, ask())

    async def wait_for_it() -> None:
        async with store.work() as second:
            if store.engine.dialect.name == "postgresql":
                await second._run(text("SET LOCAL lock_timeout = '50ms'"))
            await second.interaction(HERE, ask().id)

    async with store.work() as first:
        await first.interaction(HERE, ask().id)
        with pytest.raises(Raced):
            await wait_for_it()
