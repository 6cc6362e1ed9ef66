"""Receipts are signed when they are sealed, with a key that the deployment owns and can replace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.moment import SystemClock, SystemIds
from bot.sealing import Sealer
from bot.signing import Signing, is_signed
from core.errors import Misconfigured
from core.ports import Context
from core.receipts import signed_part
from core.signing import key_id
from core.store import Store, open_engine
from tests.chains import first_break
from tests.store.making import add, ask, line, settle_in

OPEN = ask(1)
OLD, NEW = b"o" * 32, b"n" * 32


def context_of(store: Store) -> Context:
    return Context(store.work, SystemClock(), SystemIds(), "https://sayso.example/review/")


@pytest.fixture
async def signing() -> Signing:
    return Signing(Sealer([OLD]))


@pytest.fixture
async def signed_store(store_url: str, signing: Signing) -> AsyncIterator[Store]:
    store = Store(open_engine(store_url), signer=signing)
    await settle_in(store)
    await add(store, OPEN)
    await signing.open(context_of(store))
    yield store
    await store.close()


async def record(store: Store, id: str) -> None:
    async with store.work() as work:
        await work.record(line(id), OPEN.id)
        await work.commit()


async def holds(store: Store) -> list[bool]:
    keys = {key.id: key.public for key in await store.records.signing_keys()}
    chain = await store.records.receipts(OPEN.workspace, OPEN.id)
    assert first_break(chain) is None
    return [
        one.key is not None and is_signed(keys[one.key], signed_part(OPEN.id, one.wire()), one.signature or "")
        for one in chain
    ]


async def test_a_receipt_is_signed_over_its_chain_and_place_and_hash(signed_store: Store) -> None:
    await record(signed_store, "rcp_1")
    await record(signed_store, "rcp_2")
    first, second = await signed_store.records.receipts(OPEN.workspace, OPEN.id)
    assert await holds(signed_store) == [True, True]
    (key,) = await signed_store.records.signing_keys()
    others = signed_part("int_other", first.wire()), signed_part(OPEN.id, {**first.wire(), "seq": 2})
    assert not any(is_signed(key.public, other, first.signature or "") for other in others)
    assert not is_signed(key.public, signed_part(OPEN.id, second.wire()), first.signature or "")
    assert first.salt != second.salt


async def test_an_unsigned_line_from_before_goes_on_into_a_signed_chain(store: Store, store_url: str) -> None:
    await settle_in(store)
    await add(store, OPEN)
    await record(store, "rcp_1")
    signing = Signing(Sealer([OLD]))
    later = Store(open_engine(store_url), signer=signing)
    await signing.open(context_of(later))
    await record(later, "rcp_2")
    assert await holds(later) == [False, True]
    await later.close()


async def test_old_receipts_hold_with_the_old_key_after_it_was_replaced(signed_store: Store, signing: Signing) -> None:
    await record(signed_store, "rcp_1")
    before = signing.key
    after = await signing.rotate(context_of(signed_store))
    await record(signed_store, "rcp_2")
    assert await holds(signed_store) == [True, True]
    first, second = await signed_store.records.receipts(OPEN.workspace, OPEN.id)
    assert (first.key, second.key) == (before.id, after.id)
    kept = await signed_store.records.signing_keys()
    assert [key.sealed is None for key in kept] == [True, False]


async def test_a_key_from_before_keys_named_each_other_takes_those_that_are_there_once(
    signed_store: Store, signing: Signing
) -> None:
    context, records = context_of(signed_store), signed_store.records
    first = signing.key
    await signing.rotate(context)
    sealer = Sealer([OLD])
    name = f"signing key {signing.key.id}"
    kept = (await records.signing_keys())[-1]
    private = sealer.open(name, kept.sealed or "")["private"]
    async with signed_store.work() as work:
        await work.reseal_signing_key(replace(kept, sealed=sealer.seal(name, {"private": private})))
        await work.commit()
    follower = Signing(sealer)
    await follower.open(context)
    assert [key.id for key in follower.vouched(await records.signing_keys())] == [first.id, kept.id]
    assert sealer.open(name, (await records.signing_keys())[-1].sealed or "")["before"] == first.id


async def test_another_process_follows_a_key_that_was_replaced(signed_store: Store, store_url: str) -> None:
    other = Signing(Sealer([OLD]))
    replaced = await other.rotate(context_of(signed_store))
    follower = Signing(Sealer([OLD]))
    await follower.open(context_of(signed_store))
    assert follower.key.id == replaced.id


async def test_processes_that_start_together_make_one_key(store: Store) -> None:
    starting = [Signing(Sealer([OLD])) for _ in range(5)]
    await asyncio.gather(*(one.open(context_of(store)) for one in starting))
    assert len({one.key.id for one in starting}) == 1
    assert len(await store.records.signing_keys()) == 1


async def test_the_key_is_sealed_anew_when_the_services_key_changes(signed_store: Store, signing: Signing) -> None:
    changed = Signing(Sealer([NEW, OLD]))
    await changed.open(context_of(signed_store))
    assert changed.key.id == signing.key.id
    without_the_old = Signing(Sealer([NEW]))
    await without_the_old.open(context_of(signed_store))
    assert without_the_old.key.id == signing.key.id


async def test_a_key_that_cannot_be_opened_stops_the_start_and_may_be_replaced(signed_store: Store) -> None:
    stranger = Signing(Sealer([NEW]))
    with pytest.raises(Misconfigured, match="SAYSO_SECRET_KEY_PREVIOUS"):
        await stranger.open(context_of(signed_store))
    await stranger.rotate(context_of(signed_store))
    await stranger.open(context_of(signed_store))
    assert len(await signed_store.records.signing_keys()) == 2


def test_what_is_no_signature_or_key_is_no_error() -> None:
    assert not is_signed("not base64", b"text", "neither")
    assert not is_signed("AAAA", b"text", "AAAA")
    assert key_id(b"a" * 32).startswith("ed25519:")
