"""What is there after a start, however many processes start at once."""

from __future__ import annotations

import asyncio

import pytest

from bot.app import build
from bot.config import load
from bot.configured import say_settings
from bot.moment import SystemClock, SystemIds
from bot.startup import OPERATOR, WORKSPACE, prepare
from bot.web.keys import OperatorKey, hash_key
from core.audit import Changed
from core.errors import Misconfigured
from core.people import AgentRole
from core.ports import Context
from core.store import Store, open_engine
from core.use_cases.agents import add_agent, revoke_agent
from tests.stores import empty_mostly_sqlite

KEY = "an-operator-key-of-the-settings"


async def start(url: str) -> OperatorKey | None:
    store = Store(open_engine(url))
    try:
        return await prepare(store, Context(store.work, SystemClock(), SystemIds(), "https://x/review/"), load())
    finally:
        await store.close()


async def test_processes_that_start_together_agree(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_API_KEY", KEY)
    keys = await asyncio.gather(*(start(database_url) for _ in range(5)))
    assert len({key.agent.id for key in keys if key}) == 1
    assert {key.key_hash for key in keys if key} == {hash_key(KEY)}
    store = Store(open_engine(database_url))
    agents = await store.records.agents(WORKSPACE)
    assert [(one.name, one.role) for one in agents] == [(OPERATOR, AgentRole.OPERATOR)]
    assert await store.records.workspaces() == (WORKSPACE,)
    assert await store.records.agent_by_key(hash_key(KEY), SystemClock().now()) is None  # it is stored nowhere
    await store.close()


@empty_mostly_sqlite
async def test_without_the_setting_there_is_no_such_key(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await start(database_url) is None
    monkeypatch.setenv("SAYSO_API_KEY", KEY)
    assert await start(database_url) is not None
    monkeypatch.delenv("SAYSO_API_KEY")
    assert await start(database_url) is None


@empty_mostly_sqlite
async def test_an_operator_that_was_revoked_stops_the_start(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_API_KEY", KEY)
    key = await start(database_url)
    assert key is not None
    store = Store(open_engine(database_url))
    async with store.work() as work:
        await work.revoke_agent(WORKSPACE, key.agent.id, SystemClock().now())
        await work.commit()
    await store.close()
    with pytest.raises(Misconfigured, match="SAYSO_API_KEY"):
        await start(database_url)


@empty_mostly_sqlite
@pytest.mark.parametrize("revoked", [False, True])
async def test_a_program_s_own_key_makes_it_no_operator_however_the_service_came_by_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch, revoked: bool
) -> None:
    assert await start(database_url) is None
    store = Store(open_engine(database_url))
    context = Context(store.work, SystemClock(), SystemIds(), "https://x/review/")
    asker = await add_agent(context, WORKSPACE, "release-bot", AgentRole.AGENT, hash_key(KEY), "whsec_YQ==")
    if revoked:
        await revoke_agent(context, WORKSPACE, "release-bot")
    monkeypatch.setenv("SAYSO_API_KEY", KEY)
    monkeypatch.setenv("SAYSO_WEBHOOK_SECRET", "whsec_" + "b" * 32)
    assert await start(database_url) is None
    assert [one.id for one in await store.records.agents(WORKSPACE)] == [asker.id]
    assert await store.records.webhook_secrets(asker.id, SystemClock().now()) == (() if revoked else ("whsec_YQ==",))
    await store.close()


async def test_a_process_that_starts_with_another_operators_key_leaves_a_line(
    sqlite_store_url: str,
) -> None:
    given = {"sayso_database_url": sqlite_store_url, "sayso_secret_key": "s" * 64, "sayso_port": 0}
    for key in (KEY, KEY, f"{KEY}-2", f"{KEY}-2"):
        app = build(load({**given, "sayso_api_key": key}))
        async with app.running():
            pass
    store = Store(open_engine(sqlite_store_url))
    (line,) = [one for one in await store.records.audited(WORKSPACE) if one.what is Changed.SETTING]
    assert (line.about.id, line.actor.type) == ("SAYSO_API_KEY", "service")
    assert "@" in (line.actor.identity or "")
    assert KEY not in str(line)
    await store.close()


async def test_of_processes_that_start_together_with_another_key_one_says_so(database_url: str) -> None:
    store = Store(open_engine(database_url))
    context = Context(store.work, SystemClock(), SystemIds(), "https://x/review/")
    await prepare(store, context, load({"sayso_database_url": database_url}))
    for key in (KEY, f"{KEY}-2"):
        settings = load({"sayso_secret_key": "s" * 64, "sayso_api_key": key})
        await asyncio.gather(*(say_settings(context, settings) for _ in range(5)))
    lines = [one for one in await store.records.audited(None) if one.what is Changed.SETTING]
    assert [one.about.id for one in lines] == ["SAYSO_API_KEY"]
    await store.close()
