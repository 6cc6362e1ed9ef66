"""What is asked of loops for every message, press and list follows an index, however many there are."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import pytest

from core.loops import LoopState
from core.store import Store
from core.store.tables import metadata
from tests.rules.making import NOW
from tests.store.loop_questions import BOT, LOOP, fill
from tests.store.making import ANA, BUILDER, HERE, add, ask, settle_in
from tests.store.ordering import place
from tests.store.test_plans import SMALL, in_work, plans

OFTEN: dict[str, Callable[[Store], Awaitable[object]]] = {
    "a message anywhere": lambda store: store.records.linked("slack", "T1", "C1", "1712.0001", "1712.0001"),
    "a message in a group": lambda store: store.records.linked("telegram", "bot", "-100", None, "30"),
    "a message that replies to nothing": lambda store: store.records.linked("slack", "T1", "C1", None, None),
    "whose bot": lambda store: store.records.agent_of_account(HERE, BOT),
    "by name": lambda store: in_work(store, lambda work: work.loop_named(HERE, LOOP.name)),
    "by card": lambda store: in_work(store, lambda work: work.loop_at("slack", "T1", "C1", "1712.5")),
    "in a conversation": lambda store: in_work(store, lambda work: work.loops_in(place().id, open_only=True)),
    "handed over": lambda store: in_work(store, lambda work: work.take_handovers(place().id, "evt_1")),
    "a prompt": lambda store: in_work(store, lambda work: work.loop_prompt_at("telegram", "bot", "-100", "9")),
    "receipts": lambda store: store.records.loop_receipts(HERE, LOOP.name),
    "list": lambda store: store.records.loops(HERE, BUILDER, after="lop_1", states=[LoopState.OPEN]),
    "what waits": lambda store: store.records.loops_for(HERE, ANA),
    "sayings": lambda store: store.records.sayings(HERE, place().id, after="msg_1"),
    "events": lambda store: store.records.events(HERE, BUILDER, after=3),
    "alerts": lambda store: store.records.alerts(HERE, BUILDER, after="alr_9"),
    "a policy": lambda store: in_work(store, lambda work: work.tool_policy(HERE, "loop.list")),
    "a call": lambda store: in_work(store, lambda work: work.tool_call(HERE, "tcl_1")),
}


@pytest.fixture
async def lived_in(sqlite_store_url: str, store: Store) -> Store:
    await settle_in(store)
    await add(store, ask(1))
    async with store.work() as work:
        await fill(work)
        await work.join(place(), BUILDER.id, NOW)
        await work.commit()
    return store


@pytest.fixture
def store_url(sqlite_store_url: str) -> str:
    """SQLite alone says how it goes about a statement in few words."""
    return sqlite_store_url


@pytest.mark.parametrize("name", OFTEN)
async def test_no_large_table_is_read_from_end_to_end(lived_in: Store, name: str) -> None:
    steps = await plans(lived_in, OFTEN[name])
    assert steps
    scanned = {found[1] for step in steps if (found := re.fullmatch(r"SCAN (\w+)( USING .*)?", step)) and not found[2]}
    assert scanned & (set(metadata.tables) - SMALL) == set(), steps


async def test_a_message_is_looked_up_by_its_whole_place(lived_in: Store) -> None:
    """Most messages of a busy channel belong to no work order, so each must cost next to nothing."""
    steps = await plans(lived_in, OFTEN["a message anywhere"])
    looked = [step for step in steps if "ix_conversations_provider_account" in step]
    assert looked
    assert all("channel=?" in step or "place=?" in step for step in looked), looked
