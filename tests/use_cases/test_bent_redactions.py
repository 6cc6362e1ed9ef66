"""Whoever can write to the database, and has not the service's key, makes no receipt say what it never said by making
it look as if somebody had been forgotten in it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Table, select, text, update

from bot.sealing import Sealer
from bot.signing import Signing
from core.controls import Action
from core.kinds import Kind
from core.proving import redacted_part
from core.receipts import FORMAT_BEFORE, signed_part
from core.store import Store, open_engine
from core.store.rows import receipt_of
from core.store.tables import loop_receipts, loops, receipts
from core.use_cases.forgetting import forget_person
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, HERE
from tests.use_cases.keeping import World, checked, live_in, signed_world

UNSIGNED = "somebody was forgotten in it without a signature: nothing proves what it says"
NOT_GOOD = "somebody was forgotten in it, and of that the signature is not good"


@pytest.fixture
async def world(store_url: str) -> AsyncIterator[World]:
    """On each database in turn."""
    async with signed_world(store_url) as made:
        yield made


@pytest.fixture
async def forgotten(world: World) -> World:
    """Where Ana was forgotten in all that she did, and Ben decided one card more."""
    await live_in(world)
    await world.b.press(ANA, await world.b.open(Kind.CONFIRMATION), Action.ACCEPT)
    await forget_person(world.b.context, HERE, "ana")
    ben = await world.b.open(Kind.CONFIRMATION)
    await world.b.press(BEN, ben, Action.ACCEPT)
    return world


async def rows_of(world: World, table: Table, *, redacted: bool) -> list[Any]:
    marked = table.c.redacted_at.is_not(None) if redacted else table.c.redacted_at.is_(None)
    async with world.b.store.engine.connect() as connection:
        return list((await connection.execute(select(table).where(marked).order_by(table.c.id))).all())


async def write(world: World, table: Table, id: str, **values: Any) -> None:
    async with world.b.store.engine.begin() as connection:
        await connection.execute(update(table).where(table.c.id == id).values(values))


async def write_unguarded(world: World, id: str, **values: Any) -> None:
    """Write to a receipt what the owner of the tables can."""
    is_file = world.b.store.engine.dialect.name == "sqlite"
    unguard = (
        "DROP TRIGGER IF EXISTS receipts_stay_as_they_are"
        if is_file
        else "SET LOCAL session_replication_role = replica"
    )
    async with world.b.store.engine.begin() as connection:
        await connection.execute(text(unguard))
        await connection.execute(update(receipts).where(receipts.c.id == id).values(values))


async def faults(world: World) -> list[str]:
    lines = await world.export()
    return [fault.what for fault in checked(lines, await world.public()).faults]


def said_by_mallory(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "by": {**line["by"], "id": "per_mallory", "handle": "mallory"}}


async def test_what_was_honestly_forgotten_holds_and_all_of_it_is_proved(forgotten: World) -> None:
    report = checked(await forgotten.export(), await forgotten.public())
    assert report.faults == []
    assert report.redacted > 3
    assert report.unproved == 0


@dataclass(frozen=True)
class Attack:
    """`made` gives the values written to a row, of which another genuine redaction is at hand. `on`: a line that was
    redacted before."""

    said: str
    made: Callable[[Any, Any, World], dict[str, Any]]
    on: bool
    table: Table = receipts


def _now(world: World) -> dict[str, Any]:
    return {"salt": None, "redacted_at": world.b.clock.now()}


ATTACKS = {
    "a line is rewritten as if somebody had been forgotten in it": Attack(
        UNSIGNED, lambda row, _, world: {"line": said_by_mallory(row.line), **_now(world)}, on=False
    ),
    "and is given out for one of long ago": Attack(
        UNSIGNED,
        lambda row, _, world: {"line": said_by_mallory(row.line), "salt": None, "redacted_at": row.at},
        on=False,
    ),
    "and signed with what is no signature": Attack(
        NOT_GOOD,
        lambda row, other, world: {
            "line": said_by_mallory(row.line),
            **_now(world),
            "redaction_key": other.key,
            "redaction_signature": "AAAA",
        },
        on=False,
    ),
    "and given the signature of another line's redaction": Attack(
        NOT_GOOD,
        lambda row, other, _: {
            "line": said_by_mallory(row.line),
            "salt": None,
            "redacted_at": other.redacted_at,
            "redaction_key": other.redaction_key,
            "redaction_signature": other.redaction_signature,
        },
        on=False,
    ),
    "what is left of a line is bent": Attack(NOT_GOOD, lambda row, *_: {"line": said_by_mallory(row.line)}, on=True),
    "the moment of a redaction is moved": Attack(
        NOT_GOOD, lambda row, *_: {"redacted_at": row.redacted_at - timedelta(days=9)}, on=True
    ),
    "the signature of a redaction is taken away": Attack(
        UNSIGNED,
        lambda row, *_: {"line": said_by_mallory(row.line), "redaction_key": None, "redaction_signature": None},
        on=True,
    ),
    "what a work order orders is given out for another": Attack(
        NOT_GOOD, lambda *_: {"redaction_digest": "sha256:" + "0" * 64}, on=True, table=loop_receipts
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
async def test_a_forged_redaction_is_named(forgotten: World, name: str) -> None:
    attack = ATTACKS[name]
    row = (await rows_of(forgotten, attack.table, redacted=attack.on))[-1]
    other = next(one for one in await rows_of(forgotten, attack.table, redacted=True) if one.id != row.id)
    await write(forgotten, attack.table, row.id, **attack.made(row, other, forgotten))
    assert await faults(forgotten) == [attack.said]


async def test_what_a_work_order_orders_cannot_be_bent_after_somebody_was_forgotten_in_it(forgotten: World) -> None:
    row = (await rows_of(forgotten, loop_receipts, redacted=True))[-1]
    await write(forgotten, loops, row.loop, title="Wire the money")
    (said,) = await faults(forgotten)
    assert "orders is not what its receipts are of" in said


async def test_forgetting_does_not_make_good_what_was_forged_before(world: World) -> None:
    """The forged line names somebody. They go from it when they are forgotten, and the line is named as before."""
    await live_in(world)
    (*_, row) = await rows_of(world, receipts, redacted=False)
    line = {**row.line, "by": {**row.line["by"], "id": ANA.id, "handle": "ana", "identity": "slack:T1.U1"}}
    await write(world, receipts, row.id, line=line, **_now(world))
    assert await faults(world) == [UNSIGNED]
    await forget_person(world.b.context, HERE, "ana")
    assert await faults(world) == [UNSIGNED]
    assert b'"handle":"ana"' not in b"".join(await world.export())


@pytest.mark.parametrize("shape", ["another decision", "no receipt at all"])
async def test_forgetting_does_not_make_good_a_line_that_did_not_hold(world: World, shape: str) -> None:
    accepted = (await live_in(world))["accepted"]
    row = next(one for one in await rows_of(world, receipts, redacted=False) if one.line["by"]["id"] == ANA.id)
    assert row.interaction == accepted
    bent = {**row.line, "via": "review"} if shape == "another decision" else {**row.line, "policy": 1}
    await write_unguarded(world, row.id, line=bent)
    await forget_person(world.b.context, HERE, "ana")
    (kept,) = [one for one in await rows_of(world, receipts, redacted=True) if one.id == row.id]
    assert kept.redaction_signature == ""
    assert '"ana"' not in json.dumps(kept.line)
    if shape == "another decision":
        assert await faults(world) == ["it was not that of its hash or signature when somebody was forgotten in it"]


async def signed_as_before(world: World, id: str) -> None:
    """Sign the lines of a card as programs did that signed no redactions."""
    for row in await rows_of(world, receipts, redacted=False):
        if row.interaction == id:
            made = world.signing.sign(signed_part(id, receipt_of(row).wire(), FORMAT_BEFORE))
            await write_unguarded(world, row.id, signature=made.signature)


async def test_a_line_that_an_older_program_signed_and_redacted_is_counted_apart(world: World) -> None:
    id = await world.b.open(Kind.CONFIRMATION)
    await world.b.press(ANA, id, Action.ACCEPT)
    await signed_as_before(world, id)
    report = checked(await world.export(), await world.public())
    assert (report.faults, report.unsigned) == ([], 0)
    (*_, row) = await rows_of(world, receipts, redacted=False)
    await write(world, receipts, row.id, **_now(world))
    report = checked(await world.export(), await world.public())
    assert (report.faults, report.redacted, report.unproved) == ([], 1, 1)
    # Whoever is forgotten in it afterwards is, and nothing vouches for what could not be checked any more.
    await forget_person(world.b.context, HERE, "ana")
    assert b'"ana"' not in b"".join(await world.export())
    report = checked(await world.export(), await world.public())
    assert (report.faults, report.redacted, report.unproved) == ([], 1, 1)


async def test_a_line_that_an_older_program_signed_is_redacted_with_a_signature_now(world: World) -> None:
    id = await world.b.open(Kind.CONFIRMATION)
    await world.b.press(ANA, id, Action.ACCEPT)
    await signed_as_before(world, id)
    await forget_person(world.b.context, HERE, "ana")
    report = checked(await world.export(), await world.public())
    assert (report.faults, report.redacted, report.unproved) == ([], 1, 0)
    (row,) = await rows_of(world, receipts, redacted=True)
    await write(world, receipts, row.id, line=said_by_mallory(row.line))
    assert await faults(world) == [NOT_GOOD]


async def test_two_who_are_forgotten_one_after_the_other_leave_lines_that_hold(forgotten: World) -> None:
    await forget_person(forgotten.b.context, HERE, "ben")
    report = checked(await forgotten.export(), await forgotten.public())
    assert (report.faults, report.unproved) == ([], 0)


async def test_whoever_forgets_knows_keys_that_another_process_put_in_use_meanwhile(
    world: World, store_url: str
) -> None:
    stale = Signing(Sealer([b"k" * 32]))
    store = Store(open_engine(store_url), signer=stale)
    other = Bench(store, world.b.clock, world.b.ids)
    await stale.open(other.context)
    try:
        await world.signing.rotate(world.b.context)
        await live_in(world)
        await forget_person(other.context, HERE, "ana")
    finally:
        await store.close()
    report = checked(await world.export(), await world.public())
    assert report.faults == []
    assert report.unproved == 0
    assert {row.redaction_key for row in await rows_of(world, receipts, redacted=True)} == {world.signing.key.id}


def test_a_signature_is_for_one_line_of_one_chain_at_one_moment() -> None:
    line = {name: name for name in ("id", "seq", "type", "by", "via", "provider_event", "revision", "digest", "policy")}
    line |= {name: name for name in ("at", "data", "prev", "hash")}
    whole: dict[str, Any] = {**line, "redaction": {"at": "then", "ordered": None}}
    signed = redacted_part("int_1", whole)
    others = [
        redacted_part("int_2", whole),
        redacted_part("int_1", {**whole, "redaction": {"at": "x", "ordered": None}}),
    ]
    others.append(redacted_part("int_1", {**whole, "redaction": {"at": "then", "ordered": "sha256:0"}}))
    others += [redacted_part("int_1", {**whole, name: "other"}) for name in line]
    assert signed not in others
    assert len(set(others)) == len(others)
