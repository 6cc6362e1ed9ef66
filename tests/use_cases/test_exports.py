"""An export holds everything, says nothing secret, and whatever is done to it is found, with the line."""

from __future__ import annotations

import asyncio
import base64
import json
import random
from collections.abc import AsyncIterator
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from bot.sealing import Sealer
from bot.signing import Signing
from core.errors import Invalid
from core.exporting import START, link_after, manifest_signed, spelled
from core.kinds import Kind
from core.receipts import signed_part
from core.signing import SigningKey, key_id
from core.store.tables import signing_keys
from tests.use_cases.keeping import World, checked, live_in, signed_world, where


class Kept:
    """An export, and the key that signed it."""

    def __init__(self, lines: list[bytes], key: str) -> None:
        self.lines = lines
        self.key = key


@pytest.fixture
async def world(store_url: str) -> AsyncIterator[World]:
    """On each database in turn."""
    async with signed_world(store_url) as made:
        yield made


@pytest.fixture(scope="module")
def kept(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """One export for all that is done to it."""
    path = tmp_path_factory.mktemp("export") / "store.sqlite3"
    path.write_bytes(sqlite_template.read_bytes())

    async def make() -> Kept:
        async with signed_world(f"sqlite:///{path}") as made:
            await live_in(made)
            return Kept(await made.export(), await made.public())

    return asyncio.run(make())


def values(lines: list[bytes], type_: str) -> list[dict[str, Any]]:
    return [line["value"] for line in map(json.loads, lines) if line["type"] == type_]


def linked_anew(lines: list[bytes], signing: Signing | None = None) -> list[bytes]:
    """What somebody makes of a file who knows how lines are linked, and has a key of their own at most."""
    link = START
    made: list[bytes] = []
    for n, raw in enumerate(lines, start=1):
        line = {**json.loads(raw), "n": n}
        line.pop("link")
        if line["type"] == "manifest":
            line["value"] |= {"lines": n - 1, "link": link, "counts": counted(made)}
            if signing is not None:
                signed = signing.sign(manifest_signed(line["value"]))
                line["value"] |= {"key": signed.key, "signature": signed.signature}
        link = link_after(link, line)
        made.append(spelled({**line, "link": link}) + b"\n")
    return made


def counted(lines: list[bytes]) -> dict[str, int]:
    types = [json.loads(line)["type"] for line in lines]
    return {name: types.count(name) for name in types}


async def test_everything_is_in_it_and_all_of_it_holds(world: World) -> None:
    ids = await live_in(world)
    lines = await world.export()
    report = checked(lines, await world.public())
    assert report.faults == []
    assert report.unsigned == 0
    assert report.counts["interaction"] == 5 == len(values(lines, "interaction"))
    assert report.counts["loop"] == 2
    assert report.counts["task"] > 0
    assert report.counts["person"] == 3
    assert report.counts["event"] > 10
    of_one = [line for line in values(lines, "receipt") if line["of"] == ids["accepted"]]
    assert [line["type"] for line in of_one] == ["created", "accepted"]


async def test_the_same_is_written_twice_alike(world: World) -> None:
    await live_in(world)
    assert await world.export() == await world.export()


async def test_no_secret_is_in_it(world: World) -> None:
    await live_in(world)
    text = b"".join(await world.export()).decode()
    assert "https://hook.example" in text
    assert "s3cret" not in text
    assert "whsec_" not in text
    assert "hash-of" not in text
    sealed = (await world.b.store.records.signing_keys())[-1].sealed
    assert sealed
    assert sealed not in text


async def test_what_was_asked_in_a_time_is_exported_with_all_that_happened_to_it_later(world: World) -> None:
    first = await world.b.open(Kind.CONFIRMATION)
    world.b.clock.move(days=2)
    at = world.b.clock.now()
    second = await world.b.open(Kind.CONFIRMATION)
    for since, until, expected in ((at, None, {second}), (None, at, {first}), (None, None, {first, second})):
        lines = await world.export(since, until)
        assert {one["id"] for one in values(lines, "interaction")} == expected
        assert {one["data"]["interaction"]["id"] for one in values(lines, "event")} == expected
        assert where(lines) == []


async def test_it_holds_after_the_key_was_replaced(world: World) -> None:
    await world.b.open(Kind.CONFIRMATION)
    await world.signing.rotate(world.b.context)
    world.b.clock.move(days=1)
    await world.b.open(Kind.CONFIRMATION)
    lines = await world.export()
    assert where(lines, await world.public()) == []
    assert len({line["key"] for line in values(lines, "receipt")}) == 2


def test_any_byte_that_is_changed_is_found_where_it_is(kept: Kept) -> None:
    lines, key = kept.lines, kept.key
    chance = random.Random(7)
    for number, line in enumerate(lines, start=1):
        for place in chance.sample(range(len(line)), 6):
            other = bytes([chance.choice([byte for byte in range(256) if byte != line[place] and byte != 10])])
            bent = [*lines[: number - 1], line[:place] + other + line[place + 1 :], *lines[number:]]
            try:
                found = where(bent, key)
            except Invalid:
                assert number == 1
                continue
            assert found[:1] == [number], (number, place, other)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 999), st.integers(0, 999), st.sampled_from(["out", "double", "swap", "cut", "more"]))
def test_lines_that_are_moved_doubled_or_taken_out_are_found(kept: Kept, one: int, other: int, done: str) -> None:
    lines, key = kept.lines, kept.key
    one, other = (place % (len(lines) - 1) + 1 for place in (one, other))
    bent = list(lines)
    match done:
        case "out":
            del bent[one]
            expected = min(one + 1, len(bent))
        case "double":
            bent.insert(one, bent[one])
            expected = one + 2
        case "swap":
            if lines[one] == lines[other]:
                return
            bent[one], bent[other] = bent[other], bent[one]
            expected = min(one, other) + 1
        case "cut":
            bent = bent[:one]
            expected = one
        case _:
            bent.append(bent[one])
            expected = len(bent)
    assert expected in where(bent, key)


def test_a_file_cut_within_a_line_is_found(kept: Kept) -> None:
    lines, key = kept.lines, kept.key
    whole = b"".join(lines)
    for end in range(len(lines[0]) + 1, len(whole), len(whole) // 40):
        assert where(whole[:end].splitlines(keepends=True), key), end


FORGED = [
    # What is changed, how, and what gives it away although every line was linked anew and the whole signed anew.
    ("interaction", lambda value: value.update(title="Something else"), "not that of its digest"),
    ("interaction", lambda value: value["outcome"] or value.update(revision=7), "other content"),
    ("receipt", lambda value: value["by"].update(handle="mallory"), "not that of its hash"),
    ("receipt", lambda value: value.update(at="2026-01-01T00:00:00.000000Z"), "not that of its hash"),
    ("receipt", lambda value: value.update(redacted=True, digest="sha256:1"), "signature is not good"),
    ("receipt", lambda value: value.update(hash="sha256:" + "0" * 64), "signature is not good"),
    ("receipt", lambda value: value.update(key="ed25519:nobody"), "none of this export's"),
    ("loop", lambda value: value.update(title="Other work"), "not what its receipts are of"),
]


@pytest.mark.parametrize(("type_", "change", "said"), FORGED, ids=[said for _, _, said in FORGED])
def test_what_was_changed_and_linked_anew_is_still_found(kept: Kept, type_: str, change: Any, said: str) -> None:
    lines = kept.lines
    bent = []
    for raw in lines:
        line = json.loads(raw)
        if line["type"] == type_:
            change(line["value"])
        bent.append(spelled(line) + b"\n")
    report = checked(linked_anew(bent))
    assert any(said in fault.what for fault in report.faults), report.faults[:3]


@pytest.mark.parametrize("type_", ["receipt", "interaction", "event", "task"])
def test_what_was_taken_out_and_linked_anew_breaks_the_signature(kept: Kept, type_: str) -> None:
    lines, key = kept.lines, kept.key
    place = max(number for number, raw in enumerate(lines) if json.loads(raw)["type"] == type_)
    bent = linked_anew([*lines[:place], *lines[place + 1 :]])
    assert len(bent) in where(bent, key)


async def test_a_forger_with_a_key_of_their_own_is_found_by_who_knows_the_real_one(kept: Kept, world: World) -> None:
    lines, key = kept.lines, kept.key
    forger = Signing(Sealer([b"m" * 32]))
    await forger.rotate(world.b.context)
    header = json.loads(lines[0])
    header["value"]["keys"].append(forger.key.wire(None))
    events_gone = [raw for raw in lines[1:] if json.loads(raw)["type"] != "event"]
    bent = linked_anew([spelled(header) + b"\n", *events_gone], forger)
    assert where(bent) == []  # the file's own word is taken for whose key that is
    assert "another key" in checked(bent, key).faults[0].what


async def test_a_key_that_somebody_put_into_the_database_signs_for_nobody(world: World) -> None:
    """Whoever has the database, and not the service's key, signs receipts that never were with a key of their own."""
    b, id = world.b, (await live_in(world))["accepted"]
    genuine = {key.id for key in await b.store.records.signing_keys()}
    private = Ed25519PrivateKey.generate()
    raw = private.public_key().public_bytes_raw()
    forged = SigningKey(key_id(raw), 0, base64.b64encode(raw).decode(), b.clock.now() - timedelta(days=1))
    accepted = (await b.receipts(id))[-1]
    signature = base64.b64encode(private.sign(signed_part(id, accepted.wire()))).decode()
    async with b.store.engine.begin() as connection:
        await connection.execute(insert(signing_keys).values(asdict(forged)))
    for _ in range(2):
        lines = await world.export()
        bent = []
        for raw_line in lines:
            line = json.loads(raw_line)
            if line["type"] == "receipt" and line["value"]["id"] == accepted.id:
                line["value"] |= {"key": forged.id, "signature": signature}
            bent.append(spelled(line) + b"\n")
        report = checked(linked_anew(bent, world.signing), await world.public())
        assert [fault.what for fault in report.faults] == [f"the key {forged.id} is none of this export's"]
        header = json.loads(lines[0])["value"]
        assert {key["id"] for key in header["keys"]} >= genuine
        await world.signing.rotate(b.context)


def test_another_file_is_no_export() -> None:
    for lines in ([b"{}\n"], [b'{"format":"other"}\n'], [b"\x00\xff\n"], [b"[" * 100_000 + b"\n"]):
        with pytest.raises(Invalid, match="no export"):
            checked(lines)
    assert not checked([]).holds
