"""One receiver that hangs takes only so many turns; one that answers is waited for."""

from __future__ import annotations

import asyncio

from bot.errands.receivers import AT_ONCE, SLOW, Receivers, receiver_of


class Clock:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


async def held(receivers: Receivers, receiver: str, until: asyncio.Event) -> bool:
    async with receivers.turn(receiver) as entered:
        if entered:
            await until.wait()
        return entered


async def begun(receivers: Receivers, receiver: str, until: asyncio.Event) -> list[asyncio.Task[bool]]:
    calls = [asyncio.create_task(held(receivers, receiver, until)) for _ in range(AT_ONCE)]
    await asyncio.sleep(0)
    return calls


async def test_a_receiver_that_hangs_gets_no_further_turn_and_others_get_theirs() -> None:
    clock, let_go = Clock(), asyncio.Event()
    receivers = Receivers(clock)
    calls = await begun(receivers, "one", let_go)
    clock.at = SLOW + 0.1
    async with receivers.turn("one") as entered:
        assert not entered
    async with receivers.turn("another") as entered:
        assert entered
    let_go.set()
    assert await asyncio.gather(*calls) == [True] * AT_ONCE
    async with receivers.turn("one") as entered:
        assert entered


async def test_a_receiver_that_answers_is_waited_for() -> None:
    let_go = asyncio.Event()
    receivers = Receivers(Clock())
    calls = await begun(receivers, "one", let_go)
    late = asyncio.create_task(held(receivers, "one", let_go))
    await asyncio.sleep(0)
    assert not late.done()
    let_go.set()
    assert await asyncio.gather(*calls, late) == [True] * (AT_ONCE + 1)


async def test_a_call_that_fails_or_is_cancelled_gives_its_turn_back() -> None:
    receivers = Receivers(Clock())
    calls = await begun(receivers, "one", asyncio.Event())
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    async with receivers.turn("one") as entered:
        assert entered


def test_a_receiver_is_an_agents_host_whatever_the_path() -> None:
    assert receiver_of("agt_1", "https://a.example/x?y=1") == receiver_of("agt_1", "https://a.example/z")
    assert receiver_of("agt_1", "https://a.example/x") != receiver_of("agt_2", "https://a.example/x")
    assert receiver_of("agt_1", "https://[::1") == receiver_of("agt_1", "https://[::1")
