"""What the store says when the database itself is what is wrong: one error of ours, told apart from all others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from core.errors import Away, Raced
from core.store import open_engine
from core.store.races import races
from core.store.storage import Store
from tests.rules.making import NOW
from tests.store.making import add, ask, settle_in
from tests.stores import opened

STATES = {
    # The server's number, and what it is to us.
    "08006": Away,  # connection_failure
    "25P03": Away,  # idle_in_transaction_session_timeout
    "53100": Away,  # disk_full
    "53300": Away,  # too_many_connections
    "57014": Away,  # query_canceled: somebody set a statement_timeout
    "57P01": Away,  # admin_shutdown
    "57P03": Away,  # cannot_connect_now
    "58030": Away,  # io_error
    "40001": Raced,  # serialization_failure
    "23505": Raced,  # unique_violation
    "23514": DBAPIError,  # check_violation: a mistake of ours
    "42P01": DBAPIError,  # undefined_table
}


def sqlite_error(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("what SQLite says")
    error.sqlite_errorname = name
    return error


@contextmanager
def becoming(wanted: type[Exception], original: Exception) -> Iterator[None]:
    with pytest.raises(wanted) as caught, races():
        raise DBAPIError.instance("SELECT 1", None, original, type(original).__mro__[1])
    assert type(caught.value) is wanted or wanted is DBAPIError
    yield


@pytest.mark.parametrize("state", STATES)
def test_each_number_of_the_server_is_what_it_is(state: str) -> None:
    original = psycopg.errors.lookup(state)("what PostgreSQL says")
    with becoming(STATES[state], original):
        assert original.sqlstate == state


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("SQLITE_FULL", Away),
        ("SQLITE_IOERR_WRITE", Away),
        ("SQLITE_CANTOPEN", Away),
        ("SQLITE_READONLY_DIRECTORY", Away),
        ("SQLITE_BUSY", Raced),
        ("SQLITE_ERROR", DBAPIError),
    ],
)
def test_each_name_of_sqlite_is_what_it_is(name: str, wanted: type[Exception]) -> None:
    with becoming(wanted, sqlite_error(name)):
        assert name


@pytest.mark.parametrize("address", ["postgresql://u@127.0.0.1:1/d", "postgresql://u@/d?host=/nowhere"])
async def test_a_server_that_is_not_there_is_away_for_whoever_reads_and_whoever_writes(address: str) -> None:
    store = Store(open_engine(address))
    with pytest.raises(Away, match="the database does not answer"):
        await store.records.workspaces()
    with pytest.raises(Away):
        await store.outbox.next_due([])
    with pytest.raises(Away):
        async with store.work() as work:
            await work.commit()
    with pytest.raises(Away):
        await store.work.run(lambda work: work.add_workspace("wsp_1", "one", NOW))
    await store.close()


async def test_sessions_that_the_server_ends_cost_one_error_and_the_next_transaction_is_whole(
    postgres_store_url: str,
) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        async with store.work() as work:
            await work.add_interaction(ask(1))
            end_all(postgres_store_url)
            with pytest.raises(Away):
                await work.commit()
        await add(store, ask(1))  # nothing of it was kept, so there is room for it


def end_all(url: str) -> None:
    """End every other session of the database."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
