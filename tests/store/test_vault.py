"""Webhook secrets as they lie in the database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import select

from bot.moment import SystemClock, SystemIds
from bot.vault import SealedVault
from core.errors import Misconfigured
from core.people import Agent
from core.ports import Context
from core.store import Store
from core.store.engine import open_engine
from core.store.tables import agent_secrets
from core.use_cases.resealing import reseal_all
from core.vault import Vault
from tests.rules.making import NOW
from tests.store.making import HERE, settle_in

OLD, NEW = b"o" * 32, b"n" * 32
SECRET = "whsec_c2VjcmV0LW9mLWFuLWFnZW50"
AGENT = Agent(id="agt_sealed", workspace=HERE, name="sealed")


@asynccontextmanager
async def kept_by(url: str, vault: Vault | None) -> AsyncIterator[Store]:
    store = Store(open_engine(url), vault=vault)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
async def given(store_url: str) -> str:
    """A database in which an agent was given a secret, with the old key."""
    async with kept_by(store_url, SealedVault([OLD])) as store:
        await settle_in(store)
        await add(store)
    return store_url


async def add(store: Store, agent: Agent = AGENT) -> None:
    async with store.work() as work:
        await work.add_agent(agent, f"hash-of-the-key-of-{agent.name}", SECRET, NOW)
        await work.commit()


async def lies_there(store: Store) -> str:
    async with store.engine.connect() as connection:
        rows = await connection.execute(select(agent_secrets.c.secret).where(agent_secrets.c.agent == AGENT.id))
        return str(rows.scalar_one())


async def reseal(store: Store, batch: int = 100) -> None:
    await reseal_all(Context(store.work, SystemClock(), SystemIds(), "https://sayso.example/review/"), batch=batch)


async def test_the_database_alone_does_not_give_a_secret_away(given: str) -> None:
    async with kept_by(given, SealedVault([OLD])) as store:
        assert SECRET not in await lies_there(store)
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)


async def test_after_a_change_of_keys_all_is_sealed_anew_once(given: str) -> None:
    async with kept_by(given, SealedVault([NEW, OLD])) as store:
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)
        await reseal(store)
        lies = await lies_there(store)
        await reseal(store)
        assert await lies_there(store) == lies
    async with kept_by(given, SealedVault([NEW])) as store:
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)


async def test_with_another_key_it_stays_as_it_is_and_says_what_to_do(given: str) -> None:
    async with kept_by(given, SealedVault([NEW])) as store:
        before = await lies_there(store)
        await reseal(store)
        assert await lies_there(store) == before
        with pytest.raises(Misconfigured, match="SAYSO_SECRET_KEY_PREVIOUS"):
            await store.records.webhook_secrets(AGENT.id, NOW)


async def test_all_are_sealed_anew_at_once_however_many_and_whatever_does_not_open(given: str) -> None:
    """Whoever takes the old key away a minute later loses none."""
    more = [Agent(id=f"agt_more{number}", workspace=HERE, name=f"more{number}") for number in range(5)]
    async with kept_by(given, SealedVault([b"x" * 32])) as store:
        await add(store, Agent(id="agt_lost", workspace=HERE, name="lost"))
    async with kept_by(given, SealedVault([OLD])) as store:
        for one in more:
            await add(store, one)
    async with kept_by(given, SealedVault([NEW, OLD])) as store:
        await reseal(store, batch=1)
    async with kept_by(given, SealedVault([NEW])) as store:
        for one in (AGENT, *more):
            assert await store.records.webhook_secrets(one.id, NOW) == (SECRET,)


async def test_what_was_kept_in_the_open_before_is_read_and_then_sealed(store_url: str) -> None:
    async with kept_by(store_url, None) as store:
        await settle_in(store)
        await add(store)
        assert await lies_there(store) == SECRET
    async with kept_by(store_url, SealedVault([NEW])) as store:
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)
        await reseal(store)
        assert SECRET not in await lies_there(store)
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)


def test_a_seal_moved_to_another_agent_does_not_open() -> None:
    vault = SealedVault([NEW])
    with pytest.raises(Misconfigured):
        vault.open("agt_other", vault.seal(AGENT.id, SECRET))
