"""What is asked of loops for every message, press and list follows an index, however many there are."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import event as listening
from sqlalchemy import text

from core.loops import LoopState
from core.store import Store
from core.store.tables import metadata
from core.urgency import Urgency
from tests.rules.making import NOW
from tests.store.loop_questions import BOT, LOOP, fill
from tests.store.making import ANA, BUILDER, HERE, add, ask, settle_in
from tests.store.ordering import place
from tests.store.test_plans import SMALL, in_work, plans
from tests.stores import opened

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
    "what is around": lambda store: store.records.loops_around(HERE, ANA, after="lop_9"),
    "sayings": lambda store: store.records.sayings(HERE, place().id, after="msg_1"),
    "events": lambda store: store.records.events(HERE, BUILDER, after=3),
    "alerts": lambda store: store.records.alerts(HERE, BUILDER, after="alr_9"),
    "a policy": lambda store: in_work(store, lambda work: work.tool_policy(HERE, "loop.list")),
    "a call": lambda store: in_work(store, lambda work: work.tool_call(HERE, "tcl_1")),
}


SOONER = Urgency(NOW, "0" * 26)
URGENT: dict[str, tuple[str, Callable[[Store], Awaitable[object]]]] = {
    "orders": ("ix_loops_urgent", lambda store: store.records.loops_for(HERE, ANA)),
    "orders from a place on": ("ix_loops_urgent", lambda store: store.records.loops_for(HERE, ANA, after=SOONER)),
    "cards": ("ix_interactions_urgent", lambda store: store.records.open_for(HERE, ANA)),
    "cards from a place on": ("ix_interactions_urgent", lambda store: store.records.open_for(HERE, ANA, after=SOONER)),
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


@pytest.mark.parametrize("name", URGENT)
async def test_what_waits_is_read_in_its_order_and_never_sorted(lived_in: Store, name: str) -> None:
    """However much waits in a workspace, a list ends where it is long enough."""
    index, look = URGENT[name]
    steps = await plans(lived_in, look)
    assert any(index in step for step in steps), steps
    assert not any("TEMP B-TREE FOR ORDER BY" in step or "RIGHT PART" in step for step in steps), steps


async def test_a_member_s_orders_are_found_by_their_name_deeds_and_places(lived_in: Store) -> None:
    steps = await plans(lived_in, lambda store: store.records.loops_around(HERE, ANA))
    for index in (
        "ix_loops_workspace_recipient (workspace=? AND recipient=?)",
        "ix_loop_receipts_workspace_by_id (workspace=? AND by_id=?)",
        "ix_conversations_workspace_address (workspace=? AND address=?)",
        "ix_conversations_workspace_provider_place (workspace=? AND provider=? AND place=?)",
        "ix_loops_conversation (conversation=?)",
    ):
        assert any(index in step for step in steps), steps


@pytest.mark.parametrize("name", URGENT)
async def test_postgres_reads_what_waits_in_its_order_too(postgres_store_url: str, name: str) -> None:
    index, look = URGENT[name]
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        executed: list[tuple[str, Any]] = []

        def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
            executed.append((statement, parameters))

        listening.listen(store.database, "before_cursor_execute", note)
        await look(store)
        listening.remove(store.database, "before_cursor_execute", note)
        ((statement, parameters),) = [one for one in executed if " NULLS LAST" in one[0]]
        async with store.engine.connect() as connection:
            # Empty tables are sorted otherwise, which costs nothing then.
            for setting in ("enable_seqscan", "enable_sort", "enable_bitmapscan"):
                await connection.execute(text(f"SET LOCAL {setting} = off"))
            rows = await connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
            plan = "\n".join(row[0] for row in rows)
    assert index in plan
    assert "Sort" not in plan
