"""Fetching updates: stored first, confirmed after, by one process at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from adapters.inbound import Wrote
from adapters.telegram import TelegramAdapter
from adapters.telegram.client import ALLOWED_UPDATES, TelegramClient
from adapters.telegram.polling import MOST_TRIES, Poller
from bot.sandbox.telegram.faults import Failure, FaultKind
from core.errors import InstallationDead, Transient
from tests.adapters.telegram.connected import Connected, Remembering, always, ana_in, connected, polling


def _again(one: Connected) -> tuple[TelegramAdapter, Remembering]:
    """The same service after a restart: the stored arrivals are there, everything in memory is gone."""
    intake = Remembering(arrivals=dict(one.intake.arrivals))
    return TelegramAdapter(one.adapter._settings, one.adapter.channel._codec, intake), intake


async def test_a_restart_loses_nothing_and_takes_nothing_twice() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        await one.intake.first()
        one.intake.down = True
        texts = [f"message {number}" for number in range(5)]
        for text in texts:
            one.stand_in.human.write(ana, ana, text)
        await one.intake.until(lambda: len(one.intake.seen) > 3)
        # It dies here, with a batch fetched and not stored.
        successor, intake = _again(one)
        await successor.start()
        async with polling(successor):
            arrivals = await intake.first(6)
        assert [arrival.text for arrival in arrivals if isinstance(arrival, Wrote)] == texts
        await successor.close()


async def test_what_was_stored_and_not_confirmed_comes_again_and_is_known() -> None:
    stored: list[int] = []

    async def receive(number: int, _raw: Mapping[str, Any]) -> None:
        stored.append(number)
        stop.set()

    stop = asyncio.Event()
    async with connected(polls=False, receive=receive) as one:
        await one.adapter._client.delete_webhook()
        ana_in(one)
        await Poller(one.adapter._client, receive).run(stop, always)
        stop.clear()
        await Poller(one.adapter._client, receive).run(stop, always)
        assert stored == [stored[0], stored[0]]


async def test_which_updates_are_wanted_is_said_at_every_fetch() -> None:
    async with connected(polls=True) as one:
        await one.stand_in.until(lambda: one.stand_in.polled)
        assert one.stand_in.parts.queue.allowed == set(ALLOWED_UPDATES)


async def test_which_updates_are_wanted_is_said_to_the_webhook() -> None:
    async with connected() as one:
        assert one.stand_in.parts.queue.allowed == set(ALLOWED_UPDATES)
        (call,) = one.stand_in.journal.of("setWebhook")
        assert call.args["drop_pending_updates"] in (False, "false", None)


async def test_only_whoever_holds_the_lease_fetches() -> None:
    asked = asyncio.Event()

    async def never() -> bool:
        asked.set()
        return False

    async with connected(polls=True) as one:
        await one.stand_in.until(lambda: one.stand_in.polled)
        other = asyncio.Event()
        second = asyncio.create_task(one.adapter.poll(other, never))
        await asked.wait()
        ana = ana_in(one)
        await one.intake.first()
        assert one.stand_in.world.place(ana) is not None
        assert [call.status for call in one.stand_in.journal.of("getUpdates") if call.status == 409] == []
        other.set()
        await second


async def test_two_that_fetch_come_to_terms() -> None:
    """A lease that is taken over while the old holder still waits: Telegram ends the older fetch."""
    async with connected(polls=True) as one:
        successor, intake = _again(one)
        await successor.start()
        stop = asyncio.Event()
        task = asyncio.create_task(Poller(successor._client, successor._receive, gap=0.01, wait=1).run(stop, always))
        ana = ana_in(one)
        for number in range(3):
            one.stand_in.human.write(ana, ana, f"message {number}")
        async with asyncio.timeout(10):
            while len({**one.intake.arrivals, **intake.arrivals}) < 4:
                waits = [asyncio.ensure_future(event.wait()) for event in (one.intake.changed, intake.changed)]
                await asyncio.wait(waits, timeout=0.2, return_when=asyncio.FIRST_COMPLETED)
                for wait in waits:
                    wait.cancel()
        texts = [one.text for one in {**one.intake.arrivals, **intake.arrivals}.values() if isinstance(one, Wrote)]
        assert sorted(texts) == ["message 0", "message 1", "message 2"]
        stop.set()
        await task
        await successor.close()


async def test_a_webhook_somebody_set_is_taken_away() -> None:
    async with connected(polls=True) as one:
        await one.stand_in.until(lambda: one.stand_in.polled)
        await one.adapter._client.set_webhook(one.stand_in.api_url, "secret")
        ana = ana_in(one)
        (start,) = await one.intake.first()
        assert start.sender.user == str(ana)


FAULTS: list[tuple[FaultKind, dict[str, Any]]] = [
    (FaultKind.DROP_BEFORE, {}),
    (FaultKind.DROP_AFTER, {}),
    (FaultKind.STATUS, {"status": 502}),
    (FaultKind.RATE_LIMITED, {"seconds": 1}),
]


@pytest.mark.parametrize(("kind", "more"), FAULTS)
async def test_fetching_goes_on_after_a_failure(kind: FaultKind, more: dict[str, Any]) -> None:
    async with connected(polls=False) as one:
        await one.adapter._client.delete_webhook()
        one.stand_in.faults.plan(Failure(kind=kind, method="getUpdates", **more))
        stop = asyncio.Event()
        poller = Poller(one.adapter._client, one.adapter._receive, gap=0.01)
        task = asyncio.create_task(poller.run(stop, always))
        ana = ana_in(one)
        (start,) = await one.intake.first()
        assert start.sender.user == str(ana)
        stop.set()
        await task


class Scripted(TelegramClient):
    """A client whose fetches are given: a batch, or what is raised; then it waits for ever."""

    def __init__(self, *answers: list[Any] | Exception) -> None:
        super().__init__("7:token")
        self.answers = list(answers)
        self.offsets: list[int | None] = []
        self.done = asyncio.Event()

    async def updates(self, offset: int | None, wait: int) -> list[Any]:
        self.offsets.append(offset)
        if not self.answers:
            self.done.set()
            await asyncio.Event().wait()
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def _run(client: Scripted, receive: Any, gap: float = 0.0) -> None:
    stop = asyncio.Event()
    task = asyncio.create_task(Poller(client, receive, gap=gap).run(stop, always))
    async with asyncio.timeout(30):
        await client.done.wait()
    stop.set()
    await task


def _batch(*numbers: int) -> list[Any]:
    return [{"update_id": number} for number in numbers]


async def test_the_number_asked_for_follows_what_is_stored() -> None:
    stored: list[int] = []
    failing = {12}

    async def receive(number: int, _raw: Mapping[str, Any]) -> None:
        if number in failing:
            failing.discard(number)
            raise ConnectionError("away")
        stored.append(number)

    client = Scripted(_batch(10, 11, 12, 13), _batch(12, 13), [], _batch(3), [{"no": "number"}])
    await _run(client, receive)
    # 12 failed once, so the next fetch asks for it; an empty answer leaves nothing to confirm, and numbers may
    # start anew.
    assert client.offsets == [None, 12, 14, None, 4, None]
    assert stored == [10, 11, 13, 12, 13, 3]


async def test_an_update_that_always_fails_holds_up_nobody_for_ever() -> None:
    stored: list[int] = []

    async def receive(number: int, _raw: Mapping[str, Any]) -> None:
        if number == 5:
            raise ValueError("it cannot be read")
        stored.append(number)

    client = Scripted(*(_batch(5, 6 + turn) for turn in range(MOST_TRIES)))
    await _run(client, receive)
    assert client.offsets == [None, *[5] * (MOST_TRIES - 1), 6 + MOST_TRIES]
    assert stored == [6 + turn for turn in range(MOST_TRIES)]


async def test_while_nothing_can_be_stored_nothing_is_given_up() -> None:
    async def receive(_number: int, _raw: Mapping[str, Any]) -> None:
        raise ConnectionError("the database is away")

    client = Scripted(*(_batch(5, 6) for _ in range(MOST_TRIES + 2)))
    await _run(client, receive)
    assert set(client.offsets) == {None, 5}


async def test_it_waits_as_long_as_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []

    async def rest(_stop: asyncio.Event, seconds: float) -> None:
        rests.append(seconds)

    monkeypatch.setattr("adapters.telegram.polling._rest", rest)
    client = Scripted(
        Transient("slow down", retry_after=7), InstallationDead("no such token"), OSError("odd"), _batch(1)
    )

    async def receive(_number: int, _raw: Mapping[str, Any]) -> None:
        return None

    await _run(client, receive, gap=0.5)
    assert rests == [7, 60, 0.5]
