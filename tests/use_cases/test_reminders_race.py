"""An answer and a reminder at the same moment: never a reminder recorded, or sent, for a card that is settled."""

from __future__ import annotations

import asyncio

import pytest

from bot.waking import wake
from core.channels import Posted
from core.controls import Action
from core.dues import LEASE
from core.kinds import Kind
from core.outbox import Lane, Remind
from core.replies import Saved
from core.use_cases import reminders
from core.use_cases.fires import FIRES
from tests.stores import store_url
from tests.use_cases.bench import Bench, bench
from tests.use_cases.cast import ANA
from tests.use_cases.clockwork import Clockwork, asked

__all__ = ["store_url"]

EVERY = {"starts": "asked", "nudges": {"every": "10m", "gaps": "even", "max": 2}}


async def race(b: Bench, times: int) -> tuple[int, int]:
    """Let answers and reminders meet so many times; how many reminders were sent, and how many never came to be."""
    sent = prevented = 0
    for number in range(times):
        id = await b.open(Kind.CONFIRMATION, policy=EVERY)
        b.clock.move(minutes=10)
        answering = b.press(ANA, id, Action.ACCEPT)
        waking = wake(b.context, b.store.dues, FIRES, lambda *_: None)
        relaying = remind_once(b)
        first, *others = (answering, waking, relaying) if number % 2 else (waking, answering, relaying)
        replies = await asyncio.gather(first, *others)
        assert any(isinstance(reply, Saved) for reply in replies)
        assert not await remind_once(b), "what is owed by now is for a card that is settled"
        receipts = await b.types(id)
        assert receipts in (["created", "accepted"], ["created", "nudged", "accepted"])
        sent += replies[2] is True
        prevented += "nudged" not in receipts
        await b.owed()
    return sent, prevented


async def remind_once(b: Bench) -> bool:
    """Send what is owed, as the relay does. Says whether a chat was called."""
    called = False
    now = b.clock.now()
    for claimed in await b.store.outbox.claim([Lane.NUDGE], now, now + LEASE, "relay/1", 50):
        assert isinstance(claimed.delivery.task, Remind)
        ready = await reminders.begin_remind(b.context, claimed, claimed.delivery.task, link_ok=True)
        if ready is not None:
            assert ready.notice.card.interaction.is_pending
            called = True
            await reminders.reminded(b.context, claimed, ready, Posted("C1", f"r{claimed.delivery.id}"))
    return called


async def test_an_answer_and_a_reminder_that_meet(store_url: str) -> None:
    async with bench(store_url) as b:
        sent, prevented = await race(b, 15)
        assert sent + prevented <= 15


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_an_answer_and_a_reminder_that_meet_a_thousand_times(store_url: str) -> None:
    async with bench(store_url) as b:
        _, prevented = await race(b, 1_000)
        assert 0 < prevented < 1_000, "each of them won sometimes"


async def test_what_is_due_at_once_for_one_person_is_counted_one_by_one(store_url: str) -> None:
    async with bench(store_url) as b:
        clockwork = Clockwork(b)
        for _ in range(8):
            await asked(b, {"every": "10m", "max": 1}, to="slack:T1.U1")
        assert await clockwork.tick(minutes=10) == 3
        await clockwork.tick(hours=1)
        assert [len(one.interactions) for one in clockwork.digests] == [5]
