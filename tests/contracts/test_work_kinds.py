"""What the kinds need of a store: one pending card at a time, accepted tasks, copies in a thread."""

from __future__ import annotations

import pytest

from core.errors import Raced
from core.records import Status
from core.store import Store
from tests.store.making import BUILDER, HERE, add, ask, copy_of, settle_in, task


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def test_what_is_asked_once_at_a_time_is_pending_once(store: Store) -> None:
    first = ask(1, sole_key="connection github")
    await add(store, first)
    async with store.work() as work:
        assert await work.pending_by_sole_key(HERE, "agt_1", "connection github") == first
        assert await work.pending_by_sole_key(HERE, "agt_2", "connection github") is None
        await work.add_interaction(ask(2, sole_key="connection github"))
        with pytest.raises(Raced):
            await work.commit()


async def test_accepted_tasks_are_kept_and_listed_newest_first(store: Store) -> None:
    await add(store, ask(1), ask(2))
    made = [task(1, description="d", parent=None, assignee="ana", priority="high"), task(2, parent="tsk_1")]
    async with store.work() as work:
        await work.add_tasks(made)
        await work.commit()
    listed = store.records.tasks
    assert list(await listed(HERE, None)) == made[::-1]
    assert list(await listed(HERE, BUILDER, interaction=ask(2).id, after="tsk_2", limit=1)) == made[:1]
    assert list(await listed(HERE, None, interaction=ask(1).id)) == []
    stranger = BUILDER.model_copy(update={"id": "agt_9", "name": "stranger"})
    assert list(await listed(HERE, stranger)) == []


async def test_the_open_copies_in_a_thread_are_found(store: Store) -> None:
    await add(store, ask(1), ask(2), ask(3, status=Status.ACCEPTED))
    async with store.work() as work:
        for number in (1, 2, 3):
            await work.add_publication(
                copy_of(ask(number)).model_copy(
                    update={"thread": "1.1" if number != 2 else "2.2", "message": f"{number}.9", "channel": "C1"}
                )
            )
        found = await work.open_copies_in_thread("slack", "T1", "C1", "1.1")
        assert [one.interaction for one in found] == [ask(1).id]
