"""What was committed is there although the process died in the same breath; what was not is not."""

from __future__ import annotations

from core.store import Store
from tests.store.making import HERE, add, ask, settle_in
from tests.store.rival import commit_and_die, die_uncommitted
from tests.store.rivals import KILLED, Rival, run_together
from tests.stores import opened


async def test_a_process_killed_right_after_its_commit_loses_nothing(store: Store, store_url: str) -> None:
    await settle_in(store)
    assert run_together(Rival(commit_and_die, store_url)) == [KILLED]
    async with opened(store_url) as later:
        assert await later.records.interaction(HERE, ask(1).id, None)


async def test_a_process_killed_before_its_commit_leaves_nothing_and_holds_up_nobody(
    store: Store, store_url: str
) -> None:
    await settle_in(store)
    assert run_together(Rival(die_uncommitted, store_url)) == [KILLED]
    async with opened(store_url) as later:
        assert await later.records.interaction(HERE, ask(1).id, None) is None
        await add(later, ask(1))
