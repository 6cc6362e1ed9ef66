"""Webhook secrets as they lie in the database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import select

from bot.vault import SealedVault
from core.errors import Misconfigured
from core.people import Agent
from core.store import Store
from core.store.engine import open_engine
from core.store.tables import agent_secrets
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


async def add(store: Store) -> None:
    async with store.work() as work:
        await work.add_agent(AGENT, "hash-of-its-key", SECRET, NOW)
        await work.commit()


async def lies_there(store: Store) -> str:
    async with store.engine.connect() as connection:
        rows = await connection.execute(select(agent_secrets.c.secret).where(agent_secrets.c.agent == AGENT.id))
        return str(rows.scalar_one())


async def reseal(store: Store) -> int:
    async with store.work() as work:
        done = await work.reseal_webhook_secrets(100)
        await work.commit()
    return done


async def test_the_database_alone_does_not_give_a_secret_away(given: str) -> None:
    async with kept_by(given, SealedVault([OLD])) as store:
        assert SECRET not in await lies_there(store)
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)


async def test_after_a_change_of_keys_all_is_sealed_anew_once(given: str) -> None:
    async with kept_by(given, SealedVault([NEW, OLD])) as store:
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)
        assert await reseal(store) >= 1
        assert await reseal(store) == 0
    async with kept_by(given, SealedVault([NEW])) as store:
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)


async def test_with_another_key_it_stays_as_it_is_and_says_what_to_do(given: str) -> None:
    async with kept_by(given, SealedVault([NEW])) as store:
        before = await lies_there(store)
        await reseal(store)
        assert await lies_there(store) == before
        with pytest.raises(Misconfigured, match="SAYSO_SECRET_KEY_PREVIOUS"):
            await store.records.webhook_secrets(AGENT.id, NOW)


async def test_what_was_kept_in_the_open_before_is_read_and_then_sealed(store_url: str) -> None:
    async with kept_by(store_url, None) as store:
        await settle_in(store)
        await add(store)
        assert await lies_there(store) == SECRET
    async with kept_by(store_url, SealedVault([NEW])) as store:
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)
        assert await reseal(store) >= 1
        assert SECRET not in await lies_there(store)
        assert await store.records.webhook_secrets(AGENT.id, NOW) == (SECRET,)


def test_a_seal_moved_to_another_agent_does_not_open() -> None:
    vault = SealedVault([NEW])
    with pytest.raises(Misconfigured):
        vault.open("agt_other", vault.seal(AGENT.id, SECRET))
