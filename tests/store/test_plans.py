"""What is asked often is found by an index, however much there is: no table is read from end to end."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event as listening
from sqlalchemy import text

from core.outbox import Lane
from core.store import Store
from core.store.tables import metadata
from core.store.work import SqlWork
from tests.rules.making import NOW
from tests.store.making import (
    ANA,
    BUILDER,
    HERE,
    SOON,
    accepted,
    add,
    ask,
    copy_of,
    event,
    forget_all,
    line,
    owe,
    owed,
    redraw,
    settle_in,
)
from tests.stores import opened

Statement = tuple[str, Any]


@pytest.fixture
async def lived_in(sqlite_store_url: str) -> AsyncIterator[Store]:
    async with opened(sqlite_store_url) as store:
        await settle_in(store)
        await add(store, ask())
        async with store.work() as work:
            await work.add_publication(copy_of(ask(), channel="C1", message="1.1"))
            await work.commit()
        await owe(store, owed(1))
        yield store


async def in_work(store: Store, act: Callable[[SqlWork], Awaitable[object]]) -> None:
    async with store.work() as work:
        await act(work)


async def press(work: SqlWork) -> None:
    """What a press that settles a card does."""
    await work.first_seen("slack:Ev1", "slack", "{}", NOW)
    await work.publication_at("slack", "T1", "C1", "1.1")
    await work.person_by_identity(HERE, ANA.identities[0])
    before = await work.interaction(HERE, ask().id)
    assert before
    await work.publications(before.id)
    await work.save_interaction(before, accepted(before), NOW)
    await work.record(line("rcp_1"), before.id)
    await work.announce(event("evt_1", before))
    await work.owe(redraw(2))
    await work.note_seen(HERE, ANA.id, "slack:T1.C1", NOW)
    await work.arrival_done("slack:Ev1", "Saved.", NOW)
    await work.commit()


LANES = tuple(Lane)
OFTEN: dict[str, Callable[[Store], Awaitable[object]]] = {
    "press": lambda store: in_work(store, press),
    "claim": lambda store: store.outbox.claim([Lane.TALK], NOW, SOON, "w", 20),
    "claim of several lanes": lambda store: store.outbox.claim(LANES, NOW, SOON, "w", 20),
    "next due": lambda store: store.outbox.next_due([Lane.TALK]),
    "due interactions": lambda store: store.records.due_interactions(NOW, 50),
    "waiting arrivals": lambda store: in_work(store, lambda work: work.waiting_arrivals(NOW, SOON, 50)),
    "one card": lambda store: store.records.interaction(HERE, ask().id, BUILDER),
    "list": lambda store: store.records.interactions(HERE, BUILDER, after="int_1"),
    "events": lambda store: store.records.events(HERE, BUILDER, after=7),
    "receipts": lambda store: store.records.receipts(HERE, ask().id),
    "has acted": lambda store: store.records.has_acted(HERE, ask().id, ANA),
    "open for": lambda store: store.records.open_for(HERE, ANA),
    "unseen places": lambda store: store.records.unseen_places(HERE, ANA, 10),
    "key": lambda store: store.records.agent_by_key("hash", NOW),
    "session": lambda store: store.records.session("token", NOW),
    "idempotency": lambda store: in_work(store, lambda work: work.remembered(BUILDER.id, "k")),
    "supersede key": lambda store: in_work(store, lambda work: work.pending_by_key(HERE, BUILDER.id, "deploy")),
    "prompt": lambda store: in_work(store, lambda work: work.prompt_at("telegram", "saybot", "42", "7")),
    "held": lambda store: in_work(store, lambda work: work.held_reminders(HERE, ANA.id)),
    "held of work": lambda store: in_work(store, lambda work: work.held_loop_reminders(HERE, ANA.id)),
    "redraw": lambda store: owe(store, redraw(3)),
    "forgetting": lambda store: in_work(store, lambda work: forget_all(work, NOW + timedelta(days=30))),
}
SMALL = {
    # A few rows per workspace, whatever happens.
    "agents", "agent_keys", "agent_secrets", "connections", "installations", "invitations", "leases", "links", "people",
    "signins", "sessions",
    "workspaces",
}  # fmt: skip
LARGE = set(metadata.tables) - SMALL
IN_PASSING = {("forgetting", table) for table in ("idempotency", "drafts", "prompts", "loop_prompts", "sightings")}
"""Once an hour, and not long: settled cards keep none, and of each conversation a person is seen in there is one."""


async def plans(store: Store, act: Callable[[Store], Awaitable[object]]) -> list[str]:
    """How SQLite goes about each statement that `act` executes."""
    executed: list[Statement] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        executed.append((statement, parameters))

    listening.listen(store.database, "before_cursor_execute", note)
    await act(store)
    listening.remove(store.database, "before_cursor_execute", note)
    found = []
    async with store.engine.connect() as connection:
        for statement, parameters in executed:
            if statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT", "WITH")):
                one = parameters[0] if isinstance(parameters, list) else parameters
                rows = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", one)
                found += [row.detail for row in rows]
    return found


@pytest.mark.parametrize("name", OFTEN)
async def test_no_large_table_is_read_from_end_to_end(lived_in: Store, name: str) -> None:
    steps = await plans(lived_in, OFTEN[name])
    assert steps
    scanned = {found[1] for step in steps if (found := re.fullmatch(r"SCAN (\w+)( USING .*)?", step)) and not found[2]}
    assert {table for table in scanned & LARGE if (name, table) not in IN_PASSING} == set(), steps


async def test_the_queue_of_a_key_is_looked_up_by_that_key(lived_in: Store) -> None:
    """A claim that walked over all earlier deliveries took minutes with a backlog of 40,000."""
    steps = await plans(lived_in, OFTEN["claim"])
    assert [step for step in steps if "earlier" in step and "ix_outbox_order (lane=? AND key=?" not in step] == []
    assert [step for step in steps if step.startswith("SEARCH outbox USING INDEX ix_outbox_due (lane=?")] != []


async def test_a_list_of_held_reminders_reads_those_that_are_held_alone(lived_in: Store) -> None:
    for name, index in (("held", "ix_reminders_held"), ("held of work", "ix_loop_reminders_held")):
        step, *_ = await plans(lived_in, OFTEN[name])
        assert f"USING INDEX {index} (recipient=?)" in step


async def test_postgres_can_use_the_same_indexes(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        executed: list[Statement] = []

        def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
            executed.append((statement, parameters))

        listening.listen(store.database, "before_cursor_execute", note)
        await OFTEN["claim"](store)
        await OFTEN["due interactions"](store)
        listening.remove(store.database, "before_cursor_execute", note)
        async with store.engine.connect() as connection:
            await connection.execute(text("SET LOCAL enable_seqscan = off"))  # empty tables are scanned otherwise
            plan = ""
            for statement, parameters in executed:
                rows = await connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
                plan += "\n".join(row[0] for row in rows)
    # Which of them is cheapest depends on what other tests left in the statistics; that they fit does not.
    assert re.search("ix_interactions_(due|pending)", plan)
    assert re.search("ix_outbox_(due|order)", plan)
    assert "uq_outbox_claimed" in plan
    assert "Seq Scan" not in plan
