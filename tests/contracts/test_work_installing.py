"""What a work keeps of installations, of people on their way to install, and of invitations."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from core.addresses import Provider
from core.installations import ENDED_KEPT, Installation, InstallState, Invitation
from core.ports import Connection
from core.store import Store, open_engine
from tests.rules.making import NOW
from tests.store.making import HERE, SOON, forget_all, settle_in

SLACK = Installation(
    provider=Provider.SLACK,
    account="T1",
    workspace=HERE,
    name="Acme",
    bot_user="U0",
    sealed="s1.key.text",
    installed_at=NOW,
    facts={"scopes": "chat:write"},
    expires_at=SOON,
)
WAY = InstallState("hash", SOON, "invitation")
LINK = Invitation("code", HERE, NOW, SOON)


async def test_an_installation_comes_back_as_it_was_kept_and_changes_where_it_stands(store: Store) -> None:
    await settle_in(store)
    async with store.work() as work:
        assert await work.installation(Provider.SLACK, "T1") is None
        await work.put_installation(SLACK)
        assert await work.installation(Provider.SLACK, "T1") == SLACK
        await work.commit()
    assert await store.records.installations() == (SLACK,)
    assert await store.records.installation_at(Provider.TELEGRAM, "T1") is None
    later = replace(SLACK, sealed=None, ended_at=SOON, problem="gone", expires_at=None)
    async with store.work() as work:
        assert await work.renew_installation(SLACK, later)
        assert not await work.renew_installation(SLACK, SLACK)  # it is not at that generation any more
        await work.commit()
    (found,) = await store.records.installations()
    assert found == replace(later, generation=2)
    assert not found.is_live
    assert await store.records.installation_marks() == {(Provider.SLACK, "T1"): (NOW, 2)}
    async with store.work() as work:
        await work.put_installation(SLACK)
        await work.commit()
    assert await store.records.installations() == (replace(SLACK, generation=3),)


async def test_an_account_that_is_dropped_takes_its_connection_along(store: Store) -> None:
    await settle_in(store)
    async with store.work() as work:
        await work.put_installation(SLACK)
        await work.add_connection(Connection("con_1", HERE, Provider.SLACK, "T1", "Acme", "U0"), NOW)
        await work.add_connection(Connection("con_2", HERE, Provider.SLACK, "T2", "Other", "U0"), NOW)
        found = await work.connection_at(Provider.SLACK, "T1")
        assert found
        assert found.workspace == HERE
        assert await work.drop_installation(Provider.SLACK, "T1")
        assert not await work.drop_installation(Provider.SLACK, "T1")
        assert not await work.drop_installation(Provider.SLACK, "T2")  # it is of the settings
        await work.commit()
    assert [one.account for one in await store.records.connections(HERE)] == ["T2"]


async def test_of_many_who_bring_a_state_one_has_it(store: Store, store_url: str) -> None:
    async with store.work() as work:
        await work.add_install_state(WAY)
        await work.commit()
    others = [Store(open_engine(store_url)) for _ in range(3)]

    async def bring(one: Store) -> InstallState | None:
        async with one.work() as work:
            taken = await work.take_install_state("hash", NOW)
            await work.commit()
            return taken

    assert sorted(map(str, await asyncio.gather(*map(bring, [store, *others])))) == sorted([str(WAY), *["None"] * 3])
    for one in others:
        await one.close()


async def test_a_state_that_is_over_is_none_and_is_forgotten(store: Store) -> None:
    for moment in (SOON, SOON + timedelta(seconds=1)):
        async with store.work() as work:
            await work.add_install_state(WAY)
            assert await work.take_install_state("hash", moment) is None
            await work.commit()
    async with store.work() as work:
        await work.add_install_state(WAY)
        await forget_all(work, SOON + timedelta(seconds=1))
        await work.add_install_state(WAY)  # its place is free
        await work.commit()


async def test_an_invitation_is_used_and_in_time_forgotten(store: Store) -> None:
    await settle_in(store)
    used = replace(LINK, used_at=NOW, account="T1")
    async with store.work() as work:
        await work.add_invitation(LINK)
        assert await work.invitation("code") == LINK
        await work.save_invitation(used)
        assert await work.invitation("code") == used
        assert not used.is_good(NOW)
        await work.commit()
    async with store.work() as work:
        await forget_all(work, SOON + ENDED_KEPT)
        assert await work.invitation("code") == used
        await forget_all(work, SOON + ENDED_KEPT + timedelta(seconds=1))
        assert await work.invitation("code") is None
        await work.commit()
