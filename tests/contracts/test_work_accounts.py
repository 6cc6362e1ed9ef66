"""The contract of `core.ports.Work`: accounts that are given to a person and taken away."""

from __future__ import annotations

import pytest

from core.errors import Invalid
from core.people import Identity
from core.store import Store
from tests.contracts.test_work_people import GUEST, PASSER_BY
from tests.store.making import ANA, ELSEWHERE, HERE, settle_in


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def test_all_accounts_of_an_automatic_member_come_along_in_order(store: Store) -> None:
    more = Identity(provider="telegram", user="7")
    both = PASSER_BY.model_copy(update={"identities": (GUEST, more)})
    async with store.work() as work:
        await work.add_person(both)
        await work.add_identity(ANA.id, HERE, more)
        await work.commit()
    async with store.work() as work:
        found = await work.person(HERE, ANA.id)
        assert found is not None
        assert found.identities == (*ANA.identities, GUEST, more)
        assert await work.person(HERE, both.id) is None


async def test_an_account_is_taken_away_but_never_the_last_and_never_anothers(store: Store) -> None:
    first, *others = ANA.identities
    async with store.work() as work:
        assert not await work.remove_identity(HERE, ANA.id, GUEST)
        for one in others:
            assert await work.remove_identity(HERE, ANA.id, one)
        with pytest.raises(Invalid, match="only account"):
            await work.remove_identity(HERE, ANA.id, first)
        with pytest.raises(Invalid):
            await work.remove_identity(ELSEWHERE, ANA.id, first)
        await work.commit()
    async with store.work() as work:
        found = await work.person(HERE, ANA.id)
        assert found is not None
        assert found.identities == (first,)
        assert await work.person_by_identity(HERE, others[0]) is None
