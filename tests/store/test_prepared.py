"""What goes around SQLAlchemy on PostgreSQL comes to the same as what goes through it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from core.errors import Away
from core.store.running import Statements
from core.store.statements import CONNECTIONS, COPIES, INTERACTION, LAST_RECEIPT, PERSON_BY_IDENTITY, REQUEST, Insert
from tests.rules.making import NOW
from tests.store.making import ANA, HERE, accepted, add, ask, copy_of, line, settle_in
from tests.stores import opened

OF_CARD = {"interaction": ask().id}
READS: dict[str, tuple[Any, dict[str, Any], int]] = {
    "moments, numbers and documents": (INTERACTION, {"workspace": HERE, "id": ask().id}, 1),
    "several columns of text and None": (COPIES, OF_CARD, 1),
    "a parameter that the statement brings along": (LAST_RECEIPT, OF_CARD, 1),
    "columns under other names": (PERSON_BY_IDENTITY, {"workspace": HERE, **ANA.identities[0].model_dump()}, 2),
    "two tables, a document": (REQUEST, {"agent": "agt_1", "key": "k"}, 1),
    "nothing": (CONNECTIONS, {"workspace": "wsp_none"}, 0),
}


@pytest.mark.parametrize(("statement", "row", "count"), READS.values(), ids=READS)
async def test_the_same_rows_are_found_either_way(
    statement: Any, row: dict[str, Any], count: int, postgres_store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await add(store, ask())
        async with store.work() as work:
            await work.add_publication(copy_of(ask(), channel="C1", message="1.1"))
            await work.record(line("rcp_1"), ask().id)
            await work.remember("agt_1", "k", "d", {"id": "x", "n": [1.5, None]}, ask().id, NOW)
            await work.commit()
        async with store.work() as work:
            around = await work._all(statement, row)
            monkeypatch.setattr(Statements, "goes_around", lambda *_: False)
            through = await work._all(statement, row)
        assert len(around) == count
        assert [one._asdict() for one in around] == [one._asdict() for one in through]


async def test_a_change_keeps_the_documents_that_it_does_not_touch(store_url: str) -> None:
    async with opened(store_url) as store:
        await settle_in(store)
        await add(store, ask())
        async with store.work() as work:
            before = await work.interaction(HERE, ask().id)
            assert before is not None
            after = accepted(before)
            await work.save_interaction(before, after, NOW)
            await work.commit()
        async with store.work() as work:
            assert await work.interaction(HERE, ask().id) == after
        assert after.outcome is not None
        assert after.content is before.content


async def test_a_connection_that_the_server_ended_is_used_no_more(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await add(store, ask())
        async with store.work() as work:
            backend = (await work._run(select(func.pg_backend_pid()))).scalar_one()
            async with store.work() as other:
                await other._run(select(func.pg_terminate_backend(backend)))
            with pytest.raises(Away, match="terminating connection"):
                await work.interaction(HERE, ask().id)
        async with store.work() as work:
            assert await work.interaction(HERE, ask().id) is not None


async def test_what_was_prepared_is_known_although_the_transaction_failed(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await add(store, ask())
        stray = {"interaction": "int_none", "answerer": "person:ana", "workspace": HERE}
        for _ in range(2):
            async with store.work() as work:
                await work._later(Insert.ANSWERERS, stray)
                with pytest.raises(DBAPIError, match="ForeignKeyViolation"):
                    await work._run(REQUEST, {"agent": "agt_1", "key": "k"})
            async with store.work() as work:
                assert await work.interaction(HERE, ask().id) == ask()
                assert (await work._run(REQUEST, {"agent": "agt_1", "key": "k"})).all() == []


async def test_what_a_transaction_said_that_was_taken_back_is_gone(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        async with store.work() as work:
            await work.add_interaction(ask())
            assert await work.interaction(HERE, ask().id) == ask()
        async with store.work() as work:
            assert await work.interaction(HERE, ask().id) is None


async def test_a_value_that_cannot_be_written_spoils_nothing_but_its_transaction(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await add(store, ask())
        async with store.work() as work:
            assert await work.interaction(HERE, ask().id) is not None
            with pytest.raises(ValueError, match="without a zone"):
                await work.first_seen("k", "slack", "{}", NOW.replace(tzinfo=None))
        async with store.work() as work:
            assert await work.first_seen("k", "slack", "{}", NOW)
