"""Two processes that both want to replace a token: one of them asks, however they meet; on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

import pytest

from adapters.slack.renewing import Renewed
from bot.installing import CREDENTIAL, REFRESH
from bot.kept import Kept
from bot.moment import SystemIds
from bot.renewing import Renewal
from bot.sealing import Sealer
from core.addresses import Provider
from core.errors import Misconfigured, Transient
from core.installations import Installation
from core.ports import Context
from core.store import Store, open_engine
from core.use_cases.installing import Granted, connect, end
from tests.rules.making import NOW
from tests.store.making import HERE, settle_in

OLD, NEW, NEWER = (bytes([number]) * 32 for number in (1, 2, 3))
NAME = "slack:T1"


class MovedClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.moment = NOW

    def now(self) -> datetime:
        return self.moment


class Unheard:
    """Nobody follows accounts here."""

    async def find(self, provider: Provider, account: str) -> None:
        pass


class Slack:
    """Takes each refresh token once, as Slack does, and takes its time."""

    def __init__(self) -> None:
        self.good, self.asked, self.fails = "r0", list[str](), False

    async def renew(self, refresh: str) -> Renewed:
        self.asked.append(refresh)
        await asyncio.sleep(0)
        if self.fails or refresh != self.good:
            raise Transient("Slack answered invalid_refresh_token")
        self.good = f"r{len(self.asked)}"
        return Renewed(f"t{len(self.asked)}", self.good, 43_200)


def context_of(store: Store, clock: MovedClock) -> Context:
    return Context(store.work, clock, SystemIds(), "https://sayso.example/review/")


def renewal(store: Store, clock: MovedClock, slack: Slack, owner: str, keys: tuple[bytes, ...] = (OLD,)) -> Renewal:
    kept = cast("Kept", Unheard())
    return Renewal(context_of(store, clock), store.records, kept, Sealer(keys), slack.renew, owner)


async def installed(store: Store, clock: MovedClock) -> Installation:
    """An account whose token ends in three hours."""
    await settle_in(store)
    granted = Granted(
        provider=Provider.SLACK,
        account="T1",
        name="Acme",
        bot_user="U0",
        sealed=Sealer([OLD]).seal(NAME, {CREDENTIAL: "t0", REFRESH: "r0"}),
        expires_at=NOW + timedelta(hours=3),
    )
    return await connect(context_of(store, clock), granted, HERE)


async def kept(store: Store) -> Installation:
    found = await store.records.installation_at(Provider.SLACK, "T1")
    assert found is not None
    return found


async def test_of_many_processes_one_replaces_a_token_and_all_have_the_new_one(store: Store, store_url: str) -> None:
    clock, slack = MovedClock(), Slack()
    await installed(store, clock)
    others = [Store(open_engine(store_url)) for _ in range(3)]
    rivals = [renewal(one, clock, slack, f"process {number}") for number, one in enumerate([store, *others])]
    assert sum(await asyncio.gather(*(one.look() for one in rivals))) == 0  # not yet
    for turn in (1, 2):
        clock.moment += timedelta(hours=11)
        done = [await asyncio.gather(*(one.look() for one in rivals)) for _ in range(2)]
        assert sum(sum(each) for each in done) == 1
        assert len(slack.asked) == turn
        found = await kept(store)
        assert Sealer([OLD]).open(NAME, found.sealed or "") == {CREDENTIAL: f"t{turn}", REFRESH: f"r{turn}"}
        assert found.expires_at == clock.moment + timedelta(hours=12)
    assert slack.asked == ["r0", "r1"]
    for one in others:
        await one.close()


async def test_a_process_that_died_over_it_is_waited_for_and_then_replaced(store: Store) -> None:
    clock, slack = MovedClock(), Slack()
    await installed(store, clock)
    clock.moment += timedelta(hours=2)
    async with store.work() as work:
        held = await work.take_lease(f"renew {NAME}", "dead", clock.moment, clock.moment + timedelta(seconds=60))
        assert held
        await work.commit()
    living = renewal(store, clock, slack, "living")
    assert await living.look() == 0
    assert slack.asked == []
    clock.moment += timedelta(seconds=61)
    assert await living.look() == 1


async def test_what_slack_does_not_replace_stays_as_it_is_and_is_tried_again(store: Store) -> None:
    clock, slack = MovedClock(), Slack()
    before = await installed(store, clock)
    clock.moment += timedelta(hours=2)
    slack.fails = True
    own = renewal(store, clock, slack, "one")
    assert await own.look() == 0
    assert (await kept(store)).sealed == before.sealed
    slack.fails = False
    assert await own.look() == 1


async def test_a_token_that_was_taken_back_meanwhile_is_not_brought_back(store: Store) -> None:
    clock = MovedClock()
    before = await installed(store, clock)
    clock.moment += timedelta(hours=2)

    class Leaving(Slack):
        async def renew(self, refresh: str) -> Renewed:
            assert await end(context_of(store, clock), Provider.SLACK, "T1", before.mark, "it was removed")
            return await super().renew(refresh)

    assert await renewal(store, clock, Leaving(), "one").look() == 0
    found = await kept(store)
    assert (found.sealed, found.problem) == (None, "it was removed")


async def test_another_key_opens_what_the_one_before_sealed_until_it_is_sealed_anew(store: Store) -> None:
    clock, slack = MovedClock(), Slack()
    await installed(store, clock)
    assert await renewal(store, clock, slack, "lost", (NEWER,)).look() == 0  # neither of its keys fits
    assert await renewal(store, clock, slack, "one", (NEW, OLD)).look() == 1
    assert await renewal(store, clock, slack, "two", (NEW, OLD)).look() == 0
    assert slack.asked == []
    found = await kept(store)
    assert Sealer([NEW]).open(NAME, found.sealed or "") == {CREDENTIAL: "t0", REFRESH: "r0"}
    with pytest.raises(Misconfigured, match="SAYSO_SECRET_KEY_PREVIOUS"):
        Sealer([OLD]).open(NAME, found.sealed or "")


def test_a_seal_holds_for_one_name_and_shows_damage() -> None:
    sealer = Sealer([OLD])
    one, other = sealer.seal(NAME, {CREDENTIAL: "secret"}), sealer.seal(NAME, {CREDENTIAL: "secret"})
    assert one != other  # equal tokens do not look equal
    assert "secret" not in one
    for name, sealed in (("slack:T2", one), (NAME, f"{one[:-4]}AAAA"), (NAME, one[: one.rindex(".") + 1])):
        with pytest.raises(Misconfigured, match="damaged"):
            sealer.open(name, sealed)
    for sealed in ("", "s2" + one[2:], "xoxb-plain"):
        with pytest.raises(Misconfigured, match="sealed with another"):
            sealer.open(NAME, sealed)


async def test_an_account_is_installed_once_however_many_do_it_at_the_same_time(store: Store, store_url: str) -> None:
    await settle_in(store)
    clock, others = MovedClock(), [Store(open_engine(store_url)) for _ in range(3)]
    granted = Granted(Provider.SLACK, "T7", "Acme", "U0", "sealed")
    many = [connect(context_of(one, clock), replace(granted, name=f"{n}"), HERE) for n, one in enumerate(others)]
    await asyncio.gather(*many)
    found = await store.records.installation_at(Provider.SLACK, "T7")
    assert found
    assert found.generation == 3
    assert len(await store.records.connections(HERE)) == 1
    for one in others:
        await one.close()
