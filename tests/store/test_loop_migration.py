"""A database that was at the revision before work orders has its events after it, on both databases."""

from __future__ import annotations

import json

import pytest
from alembic import command
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from core.store import Store, check_schema, migrate, open_engine
from core.store.schema import configuration

WORKSPACE = "INSERT INTO workspaces (id, name, created_at, position) VALUES ('wsp_1', 'Here', '2026-12-02 00:00:00', 2)"
INTERACTION = """
INSERT INTO interactions (id, workspace, kind, status, revision, version, creator_type, created_at, fallbacks_used,
  content, audience, policy, continuation, addresses, creator, votes)
VALUES ('int_1', 'wsp_1', 'confirmation', 'pending', 1, 1, 'agent', '2026-12-02 00:00:00', 0,
  '{}', '{}', '{}', '{}', '[]', '{}', '[]')
"""
EVENT = """
INSERT INTO events (id, workspace, position, type, at, interaction, data)
VALUES ('evt_{0}', 'wsp_1', {0}, 'interaction.created', '2026-12-02 00:00:00', 'int_1', '{{"n": {0}}}')
"""
ATTEMPT = "INSERT INTO attempts (seq, event, number, at) VALUES (1, 'evt_2', 1, '2026-12-02 00:00:00')"


@pytest.fixture
async def engine(database_url: str) -> AsyncEngine:
    """A database at the revision before, with events that were delivered."""

    def begin(connection: Connection) -> None:
        command.upgrade(configuration(connection), "0003")

    made = open_engine(database_url)
    async with made.connect() as connection:
        await connection.run_sync(begin)
        for statement in (WORKSPACE, INTERACTION, EVENT.format(1), EVENT.format(2), ATTEMPT):
            await connection.exec_driver_sql(statement)
        await connection.commit()
    return made


async def test_events_and_how_their_deliveries_went_are_kept(engine: AsyncEngine) -> None:
    await migrate(engine)
    await check_schema(engine)
    async with engine.connect() as connection:
        rows = (
            await connection.execute(text("SELECT id, interaction, loop, data FROM events ORDER BY position"))
        ).all()
        tries = (await connection.execute(text("SELECT event FROM attempts"))).scalars().all()
    data = [row.data if isinstance(row.data, dict) else json.loads(row.data) for row in rows]
    assert [(row.id, row.interaction, row.loop) for row in rows] == [("evt_1", "int_1", None), ("evt_2", "int_1", None)]
    assert data == [{"n": 1}, {"n": 2}]
    assert tries == ["evt_2"]
    await engine.dispose()


BROKEN = (
    EVENT.format(2).replace("evt_2", "evt_9"),  # a position is taken once
    EVENT.format(1),  # and so is an id
    EVENT.format(3).replace("int_1", "int_9"),  # it is about something
    "INSERT INTO attempts (seq, event, number, at) VALUES (2, 'evt_9', 1, '2026-12-02 00:00:00')",
    "DELETE FROM events WHERE id = 'evt_2'",  # how its deliveries went refers to it
)


async def test_what_the_table_promised_before_it_promises_after(engine: AsyncEngine) -> None:
    await migrate(engine)
    for statement in BROKEN:
        async with engine.connect() as connection:
            with pytest.raises(DBAPIError, match=r"(?i)unique|foreign key"):
                await connection.exec_driver_sql(statement)
    await engine.dispose()


async def test_an_event_may_be_about_a_loop_or_about_neither(engine: AsyncEngine) -> None:
    await migrate(engine)
    async with engine.connect() as connection:
        await connection.exec_driver_sql(EVENT.format(3).replace("'int_1'", "NULL"))
        await connection.commit()
    store = Store(engine)
    assert [one.interaction for one in await store.records.events("wsp_1", None, after=2)] == [None]
    await store.close()


async def test_a_row_that_would_refer_to_nothing_stops_the_migration(engine: AsyncEngine) -> None:
    if engine.dialect.name != "sqlite":
        await engine.dispose()
        pytest.skip("PostgreSQL never had such a row")
    raw = open_engine(engine.url.render_as_string(hide_password=False))
    async with raw.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        assert driver is not None
        await driver.execute("PRAGMA foreign_keys=OFF")
        await connection.exec_driver_sql(ATTEMPT.replace("(1, 'evt_2'", "(2, 'evt_9'"))
        await connection.commit()
    await raw.dispose()
    with pytest.raises(RuntimeError, match="attempts"):
        await migrate(engine)
    async with engine.connect() as connection:
        found = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one()
    assert found == "0003"
    await engine.dispose()
