"""Several workers on one outbox: nothing twice, nothing lost, each key in its order, whoever dies."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from sqlalchemy import text

from core.dues import DueKind
from core.outbox import Claimed, Lane
from core.store import Store
from core.store.claims import claim_statement, claimed_by
from tests.rules.making import NOW
from tests.store.making import HERE, named, owe, owed, redraw, settle_in
from tests.store.rival import work_outbox
from tests.store.rivals import KILLED, Rival, run_together
from tests.stores import opened

ROWS, KEYS = 600, 60
LANES = tuple(Lane)


def test_four_workers_of_which_one_is_killed_do_600_deliveries_once_each_in_order(
    store_url: str, tmp_path: Path
) -> None:
    async def prepare() -> None:
        async with opened(store_url) as store:
            await settle_in(store)
            past = -3600 * 24 * 365 * 100.0  # due in any process, whatever its clock
            await owe(store, *(owed(number, f"key{number % KEYS}", after=past) for number in range(ROWS)))

    asyncio.run(prepare())
    log = tmp_path / "done.log"
    log.touch()
    # The victim goes first, so that it surely holds something when it dies; its leases lapse while the others work.
    victim, *others = (
        Rival(work_outbox, store_url, name, str(log), lease)
        for name, lease in (("victim", 0.5), ("one", 60.0), ("two", 60.0), ("three", 60.0))
    )
    assert run_together(victim) == [KILLED]
    assert run_together(*others) == [0, 0, 0]
    done: dict[str, list[str]] = defaultdict(list)
    for entry in log.read_text().splitlines():
        key, id_ = entry.split()
        done[key].append(id_)
    assert done == {
        f"key{key}": [named("dlv", number) for number in range(ROWS) if number % KEYS == key] for key in range(KEYS)
    }


async def test_workers_that_claim_at_once_never_share_a_delivery_or_a_key(store: Store, store_url: str) -> None:
    await settle_in(store)
    await owe(store, *(owed(number, f"key{number % 25}") for number in range(100)))
    held: list[Claimed] = []
    async with opened(store_url) as other:
        for _ in range(4):
            claims: Sequence[Sequence[Claimed]] = await asyncio.gather(
                *(
                    where.outbox.claim(LANES, NOW, NOW + timedelta(seconds=60), f"w{n}", 8)
                    for n, where in enumerate((store, other, store, other))
                )
            )
            taken = [claimed for some in claims for claimed in some]
            keys = [claimed.delivery.key for claimed in taken]
            assert len(set(keys)) == len(keys)
            held += taken
            async with store.work() as work:
                assert all([await work.finish(claimed) for claimed in taken])
                await work.commit()
        while rest := await store.outbox.claim(LANES, NOW, NOW + timedelta(seconds=60), "w", 100):
            held += rest
            async with other.work() as work:
                assert all([await work.finish(claimed) for claimed in rest])
                await work.commit()
    ids = [claimed.delivery.id for claimed in held]
    assert sorted(ids) == [named("dlv", number) for number in range(100)]


async def test_a_worker_is_not_given_a_later_delivery_while_the_earlier_is_being_taken(
    postgres_store_url: str,
) -> None:
    """SKIP LOCKED passes over the row that another is claiming just now; the one behind it must still wait."""
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await owe(store, owed(1), owed(2))
        async with store.work() as taking:
            assert len(await taking._all(claim_statement(tuple(LANES)), claimed_by(NOW, NOW, "w1", 1))) == 1
            assert await store.outbox.claim(LANES, NOW, NOW, "w2", 10) == []
            await taking.commit()


async def test_a_redraw_that_joins_a_waiting_one_keeps_it_from_being_taken_too_early(postgres_store_url: str) -> None:
    """Otherwise a worker would draw what is about to change, and nobody would draw it again."""
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await owe(store, redraw(1))
        async with store.work() as changing:
            await changing.owe(redraw(2))
            assert await store.outbox.claim(LANES, NOW, NOW, "w", 10) == []
            await changing.commit()
        (claimed,) = await store.outbox.claim(LANES, NOW, NOW, "w", 10)
        assert claimed.delivery.id == named("dlv", 1)


async def test_a_redraw_owed_while_one_is_being_taken_is_a_new_one(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await owe(store, redraw(1))

        async def owe_another() -> None:
            await owe(store, redraw(2))

        async with store.work() as taking:
            assert len(await taking._all(claim_statement(tuple(LANES)), claimed_by(NOW, NOW, "w1", 1))) == 1
            owing = asyncio.create_task(owe_another())
            await asyncio.sleep(0.05)
            assert not owing.done()
            await taking.commit()
            await owing
        assert (await store.records.counts(NOW)).waiting == {Lane.REDRAW: 2}


async def test_a_long_queue_of_redraws_does_not_hold_up_answers(store: Store) -> None:
    await settle_in(store)
    await owe(store, *(redraw(number, f"pub_{number}") for number in range(100)), owed(900, "late"))
    (first,) = await store.outbox.claim([Lane.TALK], NOW, NOW, "w", 10)
    assert first.delivery.id == named("dlv", 900)


async def test_what_a_newer_program_owes_is_left_to_it_and_keeps_nothing_else_waiting(store: Store) -> None:
    await settle_in(store)
    await owe(store, owed(1, "a"), owed(2, "b"))
    async with store.engine.connect() as connection:
        unknown = json.dumps({"task": "of_tomorrow", "what": "nobody here knows"})
        spelled = {"task": unknown, "id": named("dlv", 1)}
        await connection.execute(text("UPDATE outbox SET task = :task WHERE id = :id"), spelled)
        await connection.commit()
    claimed = await store.outbox.claim(LANES, NOW, NOW + timedelta(seconds=60), "old", 8)
    assert [one.delivery.id for one in claimed] == [named("dlv", 2)]
    assert await store.outbox.next_due(LANES) == NOW + timedelta(seconds=60)


async def test_what_falls_due_for_a_newer_program_is_left_to_it(store: Store) -> None:
    await settle_in(store)
    async with store.work() as work:
        for subject in ("known", "unknown"):
            await work.set_due(DueKind.DIGEST, subject, HERE, NOW)
        await work.commit()
    async with store.engine.connect() as connection:
        await connection.execute(text("UPDATE dues SET kind = 'of_tomorrow' WHERE subject = 'unknown'"))
        await connection.commit()
    assert [one.subject for one in await store.dues.claim(NOW, NOW + timedelta(seconds=60), 8)] == ["known"]
