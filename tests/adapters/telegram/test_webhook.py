"""Deliveries: repeated, refused, forged and broken. What is stored is acknowledged, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from adapters.inbound import Wrote
from adapters.telegram.endpoint import LARGEST, webhook
from adapters.telegram.verify import HEADER, is_genuine
from core.replies import Quiet, Saved
from tests.adapters.telegram.connected import BOTH_WAYS, SECRET, ana_in, connected, last_words


@BOTH_WAYS
async def test_five_deliveries_of_one_update_have_one_key_and_one_answer(polls: bool) -> None:
    async with connected(polls=polls) as one:
        ana = ana_in(one)
        one.intake.reply = lambda arrival: Saved("Noted.") if isinstance(arrival, Wrote) else Quiet()
        one.stand_in.human.write(ana, ana, "once")
        await one.intake.first(2)
        await one.stand_in.wire.redeliver(4)
        key = f"telegram:{one.me.id}:{one.stand_in.settings.first_update_id + 1}"
        await one.intake.until(lambda: one.intake.seen.count(key) == 5)
        assert len(one.intake.arrivals) == 2
        await one.stand_in.until(lambda: last_words(one, ana) == "Noted.")
        assert len([message for message in one.stand_in.world.history(ana) if message.text == "Noted."]) == 1


@BOTH_WAYS
async def test_what_was_not_stored_comes_again(polls: bool) -> None:
    async with connected(polls=polls) as one:
        ana = ana_in(one)
        await one.intake.first()
        one.intake.down = True
        one.stand_in.human.write(ana, ana, "do not lose me")
        await one.intake.until(lambda: len(one.intake.seen) > 1)
        assert len(one.intake.arrivals) == 1
        one.intake.down = False
        _start, wrote = await one.intake.first(2)
        assert isinstance(wrote, Wrote)
        assert wrote.text == "do not lose me"


async def test_nobody_else_can_deliver() -> None:
    async with connected() as one:
        update = {"update_id": 1, "message": {"message_id": 1}}
        assert await one.stand_in.wire.forge(update) == 401
        assert await one.stand_in.wire.forge(update, "guessed") == 401
        assert await one.stand_in.wire.forge(update, SECRET + "x") == 401
        assert one.intake.seen == []
        assert await one.stand_in.wire.forge(update, SECRET) == 200


BODIES: list[tuple[str, bytes, int]] = [
    ("no JSON", b"{", 400),
    ("no object", b"[1]", 400),
    ("no number", b'{"message": {}}', 400),
    ("brackets without end", b"[" * 100_000, 400),
    ("bytes that are no text", b"\xff\xfe", 400),
    ("more than is allowed", b'{"update_id": 1, "x": "' + b"x" * LARGEST + b'"}', 413),
    ("an update of a kind nobody knows", b'{"update_id": 7, "thought": {}}', 200),
]


@pytest.mark.parametrize(("body", "status"), [pytest.param(body, status, id=name) for name, body, status in BODIES])
async def test_whatever_is_posted_the_service_goes_on(body: bytes, status: int) -> None:
    async with connected() as one:
        url = one.adapter._settings.webhook_url
        assert url is not None
        async with httpx2.AsyncClient(verify=False) as client:
            posted = await client.post(url, content=body, headers={HEADER: SECRET})
            assert posted.status_code == status
            asked = await client.get(url, headers={HEADER: SECRET})
            assert asked.status_code == 405
        ana = ana_in(one)
        await one.intake.first()
        assert [arrival.sender.user for arrival in one.intake.arrivals.values()] == [str(ana)]


async def test_updates_before_the_start_are_asked_for_again() -> None:
    async with connected() as one:
        ana_in(one)
        await one.intake.first()
        ready, one.adapter._receiver = one.adapter._receiver, None
        assert await one.stand_in.wire.redeliver() == [503]
        one.adapter._receiver = ready
        assert await one.stand_in.wire.redeliver() == [200]
        assert len(one.intake.arrivals) == 1


def test_no_secret_lets_nobody_in() -> None:
    assert is_genuine({HEADER: "s"}, "s")
    assert not is_genuine({}, "s")
    assert not is_genuine({HEADER: ""}, "")
    assert not is_genuine({HEADER: "\udcff"}, "s")


async def test_raw_updates_go_to_whoever_stores_them_first() -> None:
    stored: list[tuple[int, Mapping[str, Any]]] = []
    arrived = asyncio.Event()

    async def receive(number: int, raw: Mapping[str, Any]) -> None:
        stored.append((number, raw))
        arrived.set()

    async with connected(receive=receive) as one:
        ana = ana_in(one)
        async with asyncio.timeout(5):
            await arrived.wait()
        ((number, raw),) = stored
        assert (number, one.intake.seen) == (raw["update_id"], [])
        await one.adapter.take(raw)
        (start,) = await one.intake.first()
        assert start.sender.user == str(ana)


async def test_a_delivery_that_breaks_off_is_not_stored() -> None:
    stored: list[int] = []

    async def store(number: int, _: Mapping[str, Any]) -> None:
        stored.append(number)

    arriving = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(arriving)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(HEADER.lower().encode(), SECRET.encode())]
    scope = {"type": "http", "method": "POST", "path": "/telegram/webhook", "query_string": b"", "headers": headers}
    await webhook(SECRET, store).handle(scope, receive, send)
    assert (sent[0]["status"], stored) == (400, [])
