"""What is fetched before it is asked for comes to the same as what is asked for, and goes to the server less often."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import func, select

from core.outbox import Lane
from core.publications import PublicationState
from core.store import Store
from core.store.exchange import Exchange, Sent, Steps
from core.store.foresight import Question
from core.store.prepared import Found
from core.store.statements import COPIES, LAST_RECEIPT
from core.store.tables import publications, receipts
from tests.rules.making import NOW
from tests.store.making import ANA, HERE, SOON, accepted, add, ask, copy_of, line, redraw, settle_in
from tests.stores import opened

POSTED = copy_of(ask(), id="pub_1", channel="C1", message="1.1", state=PublicationState.POSTED)
OF_CARD = {"interaction": ask().id}


async def _with_card(store: Store) -> None:
    await settle_in(store)
    await add(store, ask())
    async with store.work() as work:
        await work.add_publication(POSTED)
        await work.record(line("rcp_1"), ask().id)
        await work.commit()


async def test_an_answer_that_is_foreseen_finds_what_one_that_is_not_finds(store_url: str) -> None:
    async with opened(store_url) as store:
        await _with_card(store)
        found = []
        for foresees in (True, False):
            async with store.work() as work:
                if foresees:
                    await work.foresee_answer(HERE, ask().id, ANA.identities[0])
                assert await work.first_seen("k", "slack", "{}", NOW)
                before = await work.interaction(HERE, ask().id)
                copies = await work.publications(ask().id)
                person = await work.person_by_identity(HERE, ANA.identities[0])
                assert before is not None
                if foresees:
                    await work.foresee_end(ask().id, copies)
                await work.save_interaction(before, accepted(before), NOW)
                sealed = await work.record(line("rcp_2"), ask().id)
                prompts = await work.prompts_in(ask().id, "slack", "T1", "C1")
                found.append((before, copies, person, sealed.prev, prompts))
        assert found[0] == found[1]
        assert found[0][1] == (POSTED,)
        assert found[0][2] == ANA


async def test_what_is_foreseen_goes_to_the_server_with_what_is_asked_first(
    postgres_store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(postgres_store_url) as store:
        await _with_card(store)
        async with store.work() as work:
            await work.foresee_answer(HERE, ask().id, ANA.identities[0])
            await work.first_seen("k", "slack", "{}", NOW)
            sent = _count_statements(monkeypatch)
            assert await work.interaction(HERE, ask().id) is not None
            assert await work.publications(ask().id) == (POSTED,)
            assert await work.person_by_identity(HERE, ANA.identities[0]) == ANA
            assert sent == []
            assert await work.publications(ask().id) == (POSTED,), "each is given once, then asked for again"
            assert len(sent) == 1


async def test_the_chats_of_a_card_that_is_asked_come_with_what_is_asked_first(
    postgres_store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(postgres_store_url) as store:
        await _with_card(store)
        async with store.work() as work:
            await work.foresee_posts(HERE)
            assert await work.remembered("agt_1", "k") is None
            sent = _count_statements(monkeypatch)
            assert await work.connections(HERE) == ()
            assert sent == []


async def test_what_changed_since_it_was_fetched_is_asked_for_again(store_url: str) -> None:
    async with opened(store_url) as store:
        await _with_card(store)
        async with store.work() as work:
            work._foresee(Question(COPIES, OF_CARD, (publications,)))
            work._foresee(Question(LAST_RECEIPT, OF_CARD, (receipts,)))
            assert await work.interaction(HERE, ask().id) is not None
            second = copy_of(ask(), 2)
            await work.add_publication(second)
            assert await work.publications(ask().id) == (POSTED, second)
            sealed = await work.record(line("rcp_2"), ask().id)
            assert sealed.seq == 2


async def test_a_write_that_is_not_one_of_those_run_often_counts_too(store_url: str) -> None:
    async with opened(store_url) as store:
        await _with_card(store)
        async with store.work() as work:
            await work.foresee_answer(HERE, ask().id, ANA.identities[0])
            await work.interaction(HERE, ask().id)
            failed = POSTED.model_copy(update={"state": PublicationState.FAILED})
            await work.save_publication(failed)
            assert await work.publications(ask().id) == (failed,)


async def test_what_is_unsent_is_seen_by_what_is_foreseen(store_url: str) -> None:
    async with opened(store_url) as store:
        await _with_card(store)
        async with store.work() as work:
            before = await work.interaction(HERE, ask().id)
            assert before is not None
            await work.owe(redraw(1, POSTED.id))
            await work.foresee_end(ask().id, (POSTED,))
            await work.save_interaction(before, accepted(before), NOW)
            await work.owe(redraw(2, POSTED.id))
            await work.commit()
        claimed = await store.outbox.claim([Lane.REDRAW], NOW, SOON, "one", 10)
        assert [one.delivery.id for one in claimed] == [redraw(1).id]


async def test_the_connection_that_the_server_ended_while_nobody_used_it_costs_nobody_an_error(
    postgres_store_url: str,
) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        async with store.work() as work:
            backend = (await work._run(select(func.pg_backend_pid()))).scalar_one()
        async with opened(postgres_store_url) as other, other.work() as work:
            await work._run(select(func.pg_terminate_backend(backend, 5000)))
        async with store.work() as work:
            assert await work.person(HERE, ANA.id) == ANA
            assert (await work._run(select(func.pg_backend_pid()))).scalar_one() != backend


def _count_statements(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Sent]]:
    exchanged: list[Sequence[Sent]] = []
    once = Exchange.__call__

    def counted(self: Exchange, sent: Sequence[Sent], *, commit: bool = False) -> Steps[list[Found]]:
        exchanged.append(sent)
        return once(self, sent, commit=commit)

    monkeypatch.setattr(Exchange, "__call__", counted)
    return exchanged
