"""The contract of `core.ports.Work`: interactions, copies, receipts and events in one transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.addresses import Provider
from core.errors import Raced
from core.outbox import Lane
from core.ports import Committed, Outbox, WorkFactory
from core.publications import PublicationState
from core.reading import Records
from core.records import Status
from core.store import Store
from tests.chains import first_break
from tests.rules.making import NOW
from tests.store.making import (
    ELSEWHERE,
    HERE,
    SOON,
    accepted,
    add,
    ask,
    copy_of,
    event,
    line,
    owed,
    settle_in,
)


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


def test_a_store_is_what_the_ports_ask_for(store: Store) -> None:
    work: WorkFactory = store.work
    outbox: Outbox = store.outbox
    records: Records = store.records
    assert all((work, outbox, records))


async def test_what_was_not_committed_is_gone(store: Store) -> None:
    async with store.work() as work:
        await work.add_interaction(ask())
    async with store.work() as work:
        assert await work.interaction(HERE, ask().id) is None


async def test_an_error_rolls_everything_back(store: Store) -> None:
    async def add_and_fail() -> None:
        async with store.work() as work:
            await work.add_interaction(ask())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await add_and_fail()
    async with store.work() as work:
        assert await work.interaction(HERE, ask().id) is None


async def test_after_a_failed_statement_nothing_can_be_committed(store: Store) -> None:
    await add(store, ask(1))
    async with store.work() as work:
        await work.add_interaction(ask(2))
        await work.add_interaction(ask(1))
        with pytest.raises(Raced, match="first"):
            await work.commit()
        with pytest.raises(Raced, match="failed before"):
            await work.commit()
    async with store.work() as work:
        assert await work.interaction(HERE, ask(2).id) is None


async def test_an_interaction_of_another_workspace_is_not_there(store: Store) -> None:
    await add(store, ask())
    async with store.work() as work:
        assert await work.interaction(ELSEWHERE, ask().id) is None


async def test_a_settled_interaction_reads_back_as_it_was_saved(store: Store) -> None:
    before = ask()
    await add(store, before)
    after = accepted(before)
    async with store.work() as work:
        await work.save_interaction(before, after, NOW)
        await work.commit()
    async with store.work() as work:
        assert await work.interaction(HERE, before.id) == after


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"version": 2}, "it was changed meanwhile"),
        ({"status": Status.WITHDRAWN, "version": 1}, "it was settled meanwhile"),
        ({"expires_at": NOW}, "its time ended in this very moment"),
        ({"undelivered_until": NOW - timedelta(seconds=1)}, "it was never delivered in time"),
    ],
)
async def test_a_write_that_comes_too_late_changes_nothing(store: Store, changes: dict[str, Any], why: str) -> None:
    stored, before = ask(**changes), ask()
    await add(store, stored)
    async with store.work() as work:
        with pytest.raises(Raced):
            await work.save_interaction(before, accepted(before), NOW)
    async with store.work() as work:
        assert await work.interaction(HERE, before.id) == stored, why


async def test_the_timer_may_settle_what_is_over(store: Store) -> None:
    before = ask(expires_at=NOW)
    await add(store, before)
    after = before.model_copy(update={"status": Status.EXPIRED, "version": 2})
    async with store.work() as work:
        await work.save_interaction(before, after, None)
        await work.commit()
    assert await store.records.due_interactions(SOON, 10) == []


async def test_an_older_version_is_never_written(store: Store) -> None:
    before = ask(version=2)
    await add(store, before)
    async with store.work() as work:
        with pytest.raises(ValueError, match="no successor"):
            await work.save_interaction(before, before.model_copy(update={"version": 1}), None)


async def test_due_interactions_come_longest_over_first_and_only_pending_ones(store: Store) -> None:
    await add(
        store,
        ask(1, expires_at=NOW - timedelta(seconds=1)),
        ask(2, undelivered_until=NOW - timedelta(hours=1)),
        ask(3, expires_at=NOW - timedelta(hours=2), status=Status.WITHDRAWN),
        ask(4, expires_at=SOON),
        # the clock runs although it might also end undelivered
        ask(5, expires_at=SOON, undelivered_until=NOW - timedelta(hours=3)),
        ask(6),
    )
    assert await store.records.due_interactions(NOW, 10) == [(HERE, ask(2).id), (HERE, ask(1).id)]
    assert await store.records.due_interactions(NOW, 1) == [(HERE, ask(2).id)]


async def test_the_pending_card_of_a_key_is_found_until_it_settles(store: Store) -> None:
    await add(store, ask(1, supersede_key="deploy"), ask(2))
    async with store.work() as work:
        found = await work.pending_by_key(HERE, "agt_1", "deploy")
        assert found is not None
        assert found.id == ask(1).id
        assert await work.pending_by_key(HERE, "agt_2", "deploy") is None
        assert await work.pending_by_key(ELSEWHERE, "agt_1", "deploy") is None
        await work.save_interaction(found, accepted(found), NOW)
        assert await work.pending_by_key(HERE, "agt_1", "deploy") is None


async def test_one_creator_cannot_have_two_pending_cards_of_one_key(store: Store) -> None:
    await add(store, ask(1, supersede_key="deploy"))
    with pytest.raises(Raced):
        await add(store, ask(2, supersede_key="deploy"))
    await add(store, ask(3, supersede_key="deploy", status=Status.SUPERSEDED), ask(4, supersede_key="other"))
    async with store.work() as work:
        assert await work.pending_by(HERE, "agt_1") == [ask(1).id, ask(4).id]


async def test_copies_are_found_by_id_by_message_and_by_interaction(store: Store) -> None:
    card = ask()
    first = copy_of(card, 1, channel="C1", message="1.1", state=PublicationState.POSTED)
    second = copy_of(card, 2, provider=Provider.TELEGRAM, account="saybot", place="-4503599627370495", thread="7")
    async with store.work() as work:
        await work.add_interaction(card)
        await work.add_publication(second)
        await work.add_publication(first)
        await work.commit()
    async with store.work() as work:
        assert await work.publications(card.id) == (first, second)
        assert await work.publication(second.id) == second
        assert await work.publication_at("slack", "T1", "C1", "1.1") == first
        assert await work.publication_at("slack", "T2", "C1", "1.1") is None
        assert await work.publication("pub_0") is None
        changed = first.model_copy(update={"state": PublicationState.SETTLED, "page": 3, "shown_version": 2})
        await work.save_publication(changed)
        assert await work.publication(first.id) == changed


async def test_one_message_is_one_copy(store: Store) -> None:
    await add(store, ask(1), ask(2))
    async with store.work() as work:
        await work.add_publication(copy_of(ask(1), channel="C1", message="1.1"))
        await work.add_publication(copy_of(ask(2), channel="C1", message="1.1"))
        with pytest.raises(Raced):
            await work.commit()


async def test_saving_a_copy_that_is_not_there_is_a_mistake(store: Store) -> None:
    async with store.work() as work:
        with pytest.raises(LookupError):
            await work.save_publication(copy_of(ask()))


async def test_receipts_make_a_chain_per_interaction(store: Store) -> None:
    await add(store, ask(1), ask(2))
    async with store.work() as work:
        for number in (1, 2, 3):
            await work.record(line(f"rcp_{number}"), ask(1).id)
        other = await work.record(line("rcp_4"), ask(2).id)
        await work.commit()
    async with store.work() as work:
        chain = await work.receipts(ask(1).id)
    assert [receipt.seq for receipt in chain] == [1, 2, 3]
    assert first_break(chain) is None
    assert (other.seq, other.prev) == (1, None)


async def test_a_receipt_needs_its_interaction(store: Store) -> None:
    async with store.work() as work:
        with pytest.raises(LookupError):
            await work.record(line("rcp_1"), "int_0")


async def test_events_get_positions_per_workspace_when_they_are_committed(store: Store) -> None:
    here, there = ask(1), ask(2, workspace=ELSEWHERE)
    await add(store, here, there)
    async with store.work() as work:
        await work.announce(event("evt_1", here))
        await work.announce(event("evt_2", there))
        await work.announce(event("evt_3", here))
        assert await work.event("evt_1") is None
        await work.commit()
    async with store.work() as work:
        placed = [await work.event(f"evt_{number}") for number in (1, 2, 3)]
    assert [one.position for one in placed if one] == [1, 1, 2]
    assert placed[0] == event("evt_1", here).model_copy(update={"position": 1})


async def test_an_event_of_a_workspace_that_is_not_there_is_a_mistake(store: Store) -> None:
    async with store.work() as work:
        await work.announce(event("evt_1", ask(workspace="wsp_0")))
        with pytest.raises(LookupError):
            await work.commit()


async def test_whoever_waits_is_told_what_a_commit_changed_and_nothing_before_it(
    store: Store, woken: list[Committed]
) -> None:
    woken.clear()
    async with store.work() as work:
        await work.add_interaction(ask(1))
        await work.announce(event("evt_1", ask(1)))
        await work.owe(owed(1, lane=Lane.HEAR))
        await work.owe(owed(2, lane=Lane.TALK))
        assert woken == []
        await work.commit()
    assert woken == [Committed((ask(1).id,), ((HERE, 1),), (Lane.TALK, Lane.HEAR))]


async def test_nobody_is_woken_for_what_was_rolled_back_or_only_read(store: Store, woken: list[Committed]) -> None:
    woken.clear()
    async with store.work() as work:
        await work.add_interaction(ask(1))
    async with store.work() as work:
        await work.interaction(HERE, ask(1).id)
        await work.commit()
    assert woken == []
