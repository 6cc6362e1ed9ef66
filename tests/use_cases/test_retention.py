"""What is settled may be purged and people forgotten: the proof stays, holds, and nothing else can take its place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Executable, PrimaryKeyConstraint, Table, UniqueConstraint, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from core.audit import Actor, AuditLine, Changed
from core.controls import Action
from core.kinds import Kind
from core.records import Status
from core.store.tables import attempts, events, interactions, loops, metadata, proofs, purged, receipts
from core.store.work.retaining import OF_INTERACTIONS, OF_LOOPS
from core.use_cases.retaining import forget, purge
from tests.use_cases.cast import ANA, BEN, HERE
from tests.use_cases.keeping import World, checked, live_in, signed_world


@pytest.fixture
async def world(store_url: str) -> AsyncIterator[World]:
    """On each database in turn."""
    async with signed_world(store_url) as made:
        yield made


async def purge_all(world: World, *, days: int = 90, batch: int = 100) -> int:
    world.b.clock.move(days=days + 1)
    before = world.b.clock.now() - timedelta(days=days)
    expected = await world.b.store.records.purgeable(HERE, before)
    swept = await purge(world.b.context, [HERE], before, batch=batch)
    assert swept == expected
    return swept.total


async def count(world: World, table: Table) -> int:
    async with world.b.store.engine.connect() as connection:
        return len((await connection.execute(select(table))).all())


async def test_settled_content_goes_and_its_proof_holds(world: World) -> None:
    ids = await live_in(world)
    before = {line.id for line in await world.b.store.records.receipts(HERE, ids["accepted"])}
    assert await purge_all(world) > 2
    records = world.b.store.records
    assert await records.interaction(HERE, ids["accepted"], None) is None
    assert await records.interaction(HERE, ids["pending"], None) is not None
    assert {one.name for one in [whole.loop for whole in await records.loops(HERE, None)]} == {"wo-2"}
    lines = await world.export()
    report = checked(lines, await world.public())
    assert report.faults == []
    assert report.unsigned == 0
    assert report.counts["purged"] == 3
    proved = [line for line in lines if b'"type":"proof"' in line and ids["accepted"].encode() in line]
    assert len(proved) == len(before)
    named = (b'"ana"', b'"Ana"', b"T1.U1", b'"salt"')  # whole words: keys and hashes hold any three letters
    assert not any(word in line for line in proved for word in named)


async def test_who_purged_at_a_shell_and_how_much_is_noted(world: World) -> None:
    await live_in(world)
    world.b.clock.move(days=91)
    shell = Actor(type="cli", identity="root@host")
    by_shell = replace(world.b.context, actor=shell)
    assert (await purge(by_shell, [HERE], world.b.clock.now())).total > 2
    assert (await purge(by_shell, [HERE], world.b.clock.now())).total == 0
    (line,) = await purges(world)
    assert (line.actor, line.after) == (
        shell,
        {"settled before": "2027-03-02T14:05:00.000000Z", "cards": 2, "work orders": 1, "things said": 2},
    )


async def test_what_a_setting_takes_away_every_hour_does_not_fill_the_audit(world: World) -> None:
    await live_in(world)
    assert await purge_all(world) > 2
    assert await purges(world) == []


async def purges(world: World) -> list[AuditLine]:
    return [one for one in await world.b.store.records.audited(HERE) if one.what is Changed.PURGED]


async def test_small_batches_do_the_same(world: World) -> None:
    await live_in(world)
    assert await purge_all(world, batch=1) > 2
    assert await purge_all(world, batch=1) == 0


async def test_what_is_pending_or_was_touched_since_stays(world: World) -> None:
    b = world.b
    settled = await b.open(Kind.CONFIRMATION)
    await b.press(ANA, settled, Action.ACCEPT)
    pending = await b.open(Kind.CONFIRMATION)
    world.b.clock.move(days=80)
    await b.press(BEN, pending, Action.ACCEPT)
    swept = await purge(b.context, [HERE], b.clock.now() - timedelta(days=60))
    assert swept.interactions == 1
    assert (await b.get(pending)).status is Status.ACCEPTED


async def test_what_has_just_been_settled_is_never_purged(world: World) -> None:
    id = await world.b.open(Kind.CONFIRMATION)
    await world.b.press(ANA, id, Action.ACCEPT)
    assert (await purge(world.b.context, [HERE], world.b.clock.now() + timedelta(days=1))).total == 0


async def test_whoever_read_up_to_a_purged_event_goes_on_from_there(world: World) -> None:
    b = world.b
    id = await b.open(Kind.CONFIRMATION)
    await b.press(ANA, id, Action.ACCEPT)
    last = (await b.store.records.events(HERE, None))[-1]
    await purge_all(world)
    assert await b.store.records.events(HERE, None) == []
    assert await b.store.records.position_of(HERE, last.id) == last.position
    assert await b.store.records.position_of("wsp_other", last.id) is None
    await b.open(Kind.CONFIRMATION)
    after = await b.store.records.events(HERE, None, after=last.position)
    assert [event.type for event in after] == ["interaction.created"]


async def test_everybody_goes_on_while_much_is_purged(world: World) -> None:
    b = world.b
    for _ in range(6):
        id = await b.open(Kind.CONFIRMATION)
        await b.press(ANA, id, Action.ACCEPT)
    world.b.clock.move(days=91)
    fresh = [await b.open(Kind.CONFIRMATION) for _ in range(4)]
    before = b.clock.now() - timedelta(days=90)
    purging, pressing = (
        asyncio.gather(purge(b.context, [HERE], before, batch=1), purge(b.context, [HERE], before, batch=2)),
        asyncio.gather(*(b.press(ANA, id, Action.ACCEPT) for id in fresh)),
    )
    swept = await purging
    await pressing
    assert await count(world, purged) == 6
    assert sum(one.interactions for one in swept) == 6
    assert [(await b.get(id)).status for id in fresh] == [Status.ACCEPTED] * 4
    assert checked(await world.export()).holds


REFUSED = [
    # What somebody with SQL at hand, or a mistake in the program, might do to receipts, and why it is refused.
    (update(receipts).values(line={"hash": "sha256:" + "0" * 64}), "a line is rewritten"),
    (update(receipts).values(by_id=None), "a line is changed without taking personal data out"),
    (update(receipts).values(signature=None), "a signature is taken away"),
    (update(receipts).values(redacted_at=text("at"), salt=None, seq=9), "it gets another place with the redaction"),
    (delete(receipts), "a line without proof is deleted"),
]


@pytest.mark.parametrize(("statement", "why"), REFUSED, ids=[why for _, why in REFUSED])
async def test_receipts_stay_as_they_are(world: World, statement: Executable, why: str) -> None:
    await world.b.open(Kind.CONFIRMATION)
    async with world.b.store.engine.connect() as connection:
        with pytest.raises(DBAPIError, match="append-only"):
            await connection.execute(statement)
    assert why


async def test_proofs_stay_and_let_no_other_receipt_go(world: World) -> None:
    b = world.b
    id = await b.open(Kind.CONFIRMATION)
    await b.press(ANA, id, Action.ACCEPT)
    await purge_all(world)
    other = await b.open(Kind.CONFIRMATION)
    engine = b.store.engine
    for statement in (delete(proofs), update(proofs).values(hash="x"), delete(purged), update(purged).values(head="x")):
        async with engine.connect() as connection:
            with pytest.raises(DBAPIError, match="append-only"):
                await connection.execute(statement)
    (line,) = await b.store.records.receipts(HERE, other)
    async with engine.connect() as connection:
        forged = {
            "id": line.id, "subject": id, "seq": 1, "type": "created", "revision": 1, "digest": "", "at": line.at,
            "hash": line.hash,
        }  # fmt: skip
        await connection.execute(insert(proofs).values({**forged, "seq": 99}))
        with pytest.raises(DBAPIError, match="append-only"):
            await connection.execute(delete(receipts).where(receipts.c.id == line.id))


def test_whatever_belongs_to_a_card_or_an_order_goes_with_it() -> None:
    belongs = {
        subject.name: {
            table
            for table in metadata.tables.values()
            if any(key.column.table is subject for column in table.columns for key in column.foreign_keys)
        }
        for subject in (interactions, loops)
    }
    assert belongs["interactions"] == {*OF_INTERACTIONS, events}
    assert belongs["loops"] == {*OF_LOOPS, events}


@pytest.mark.parametrize(
    ("table", "column"),
    [(table, "interaction") for table in OF_INTERACTIONS]
    + [(table, "loop") for table in OF_LOOPS]
    + [(events, "interaction"), (events, "loop"), (proofs, "subject"), (attempts, "event")],
    ids=lambda one: getattr(one, "name", one),
)
def test_what_goes_with_a_card_or_an_order_is_found_by_an_index(table: Table, column: str) -> None:
    """Else the database reads all of the table for each card that goes, to see that nothing refers to it."""
    indexes = [index for index in table.indexes if index.dialect_options["postgresql"]["where"] is None]
    keys = [one for one in table.constraints if isinstance(one, UniqueConstraint | PrimaryKeyConstraint)]
    assert column in {next(iter(one.columns)).name for one in (*indexes, *keys)}


async def test_the_own_books_are_cleared_in_short_transactions_until_nothing_is_past_its_time(world: World) -> None:
    b, rests = world.b, 0
    await live_in(world)

    async def rest() -> None:
        nonlocal rests
        rests += 1

    b.clock.move(days=365)
    steps = len(await rest_of(world))
    gone = await forget(b.context, batch=1, rest=rest)
    assert gone > 0
    assert rests == steps - 1 + gone, "one row in each, and one look at every kind that finds nothing more"
    assert await forget(b.context, rest=rest) == 0


async def rest_of(world: World) -> list[str]:
    """The marks of one look at every kind of row, of which none is past its time."""
    found, after = [""], ""
    long_ago = world.b.clock.now() - timedelta(days=10_000)
    async with world.b.store.work() as work:
        while (step := await work.forget(long_ago, after, 1)).mark is not None:
            after = step.mark
            found.append(after)
    return found
