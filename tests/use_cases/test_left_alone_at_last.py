"""Whether people want to be left alone is looked at last of all: what was planned may come at a later hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.waking import wake
from core.controls import Action
from core.dues import LEASE
from core.held import Reason
from core.loops.owed import SayNudge
from core.outbox import Lane
from core.reminding import LEFT_ALONE, ReminderState
from core.use_cases.fires import FIRES
from core.use_cases.held import held_reminders
from tests.rules.making import NOW
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, HERE, OPAL
from tests.use_cases.clockwork import Clockwork, asked
from tests.use_cases.floor import Floor
from tests.use_cases.test_reminding import kept, live, quiet

ALONE: dict[str, Any] = {"to": "slack:T1.U1", "audience": {"answerers": ["person:ana"]}}
QUARTER, HOUR = 0, 1
"""Which of the moments that a card offers: in 15 minutes, in an hour."""


@pytest.fixture
def clockwork(b: Bench) -> Clockwork:
    return Clockwork(b)


async def planned(b: Bench, *, minutes: float = 10) -> None:
    """The timer does its work; the chat takes nothing yet."""
    b.clock.move(minutes=minutes)
    await wake(b.context, b.store.dues, FIRES, lambda *_: None)


async def test_a_reminder_that_comes_late_into_quiet_hours_waits_for_their_end(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m", "max": 1, "quiet": f"{quiet(15, 120)} UTC"}, **ALONE)
    await planned(b)
    assert await clockwork.tick(minutes=5) == 0
    assert (await kept(b, id)).state is ReminderState.OWED
    ((held,),) = (await held_reminders(b.store.records, HERE, [await b.get(id)], b.clock.now())).values()
    assert (held.reason, held.until) == (Reason.QUIET_HOURS, b.clock.now() + timedelta(minutes=105))
    assert await clockwork.tick(minutes=104) == 0
    assert await clockwork.tick(minutes=1) == 1


async def test_whoever_puts_it_off_while_a_reminder_is_on_its_way_hears_of_it_when_they_said(
    b: Bench, clockwork: Clockwork
) -> None:
    id = await asked(b, {"every": "10m", "max": 1}, **ALONE)
    await planned(b)
    await b.press(ANA, id, Action.SNOOZE, option=QUARTER)
    assert await clockwork.send() == 0
    ((held,),) = (await held_reminders(b.store.records, HERE, [await b.get(id)], b.clock.now())).values()
    assert (held.reason, held.until) == (Reason.PUT_OFF, b.clock.now() + timedelta(minutes=15))
    assert await clockwork.tick(minutes=14) == 0
    assert await clockwork.tick(minutes=1) == 1
    assert await clockwork.tick(hours=1) == 0


async def test_one_that_somebody_asked_for_and_put_off_again_comes_once(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10h", "max": 1}, **ALONE)
    await b.press(ANA, id, Action.SNOOZE, option=QUARTER)
    await planned(b, minutes=15)
    await b.press(ANA, id, Action.SNOOZE, option=QUARTER)
    assert await clockwork.send() == 0
    dropped = await kept(b, id)
    assert (dropped.state, dropped.reason) == (ReminderState.DROPPED, LEFT_ALONE)
    assert await clockwork.tick(minutes=15) == 1


async def test_in_a_channel_the_others_are_reminded_though_one_put_it_off(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m", "max": 1}, audience={"answerers": ["person:ana", "person:ben"]})
    await planned(b)
    await b.press(ANA, id, Action.SNOOZE, option=QUARTER)
    assert await clockwork.send() == 1
    assert [one.name for one in clockwork.sent[0].calls] == ["Ben"]


async def test_others_are_brought_in_on_time_though_everybody_put_it_off(b: Bench, clockwork: Clockwork) -> None:
    nudges = {"every": "10m", "gaps": "even", "max": 1, "escalate_to": ["person:opal"]}
    id = await asked(b, nudges, **ALONE)
    b.clock.move(minutes=5)
    await b.press(ANA, id, Action.SNOOZE, option=HOUR)
    assert await clockwork.tick(minutes=5) == 0, "Ana wants to hear of it in an hour"
    await clockwork.tick(minutes=10)
    card = await b.get(id)
    assert card.reminding.escalated_at == NOW + timedelta(minutes=20)
    assert await clockwork.tick(minutes=44) == 0
    assert await clockwork.tick(minutes=1) == 1, "the hour is over, and she is reminded once"
    assert await clockwork.tick(days=1) == 0


async def test_others_are_brought_in_in_their_own_hours_and_not_in_those_of_whom_it_waits_for(
    b: Bench, clockwork: Clockwork
) -> None:
    await live(b, ANA, says="UTC")
    await live(b, OPAL, says="Asia/Tokyo")
    nudges = {"every": "10m", "gaps": "even", "max": 1, "escalate_to": ["person:opal"], "quiet": quiet(5, 60)}
    id = await asked(b, nudges, **ALONE)
    await clockwork.tick(minutes=10)
    assert await clockwork.tick(minutes=10) == 0
    assert (await b.get(id)).reminding.escalated_at == NOW + timedelta(minutes=20), "it is night for Ana, not for Opal"


async def test_others_are_not_brought_in_within_their_quiet_hours(b: Bench, clockwork: Clockwork) -> None:
    await live(b, BEN, says="UTC")
    nudges = {"every": "10m", "gaps": "even", "max": 1, "escalate_to": ["person:ben"], "quiet": f"{quiet(15, 60)} UTC"}
    id = await asked(b, nudges, **ALONE)
    assert await clockwork.tick(minutes=10) == 1
    await clockwork.tick(minutes=10)
    assert (await b.get(id)).reminding.escalated_at is None
    await clockwork.tick(minutes=39)
    assert (await b.get(id)).reminding.escalated_at is None
    await clockwork.tick(minutes=1)
    assert (await b.get(id)).reminding.escalated_at == NOW + timedelta(hours=1)


async def test_a_work_order_s_reminder_that_comes_late_into_the_night_waits_for_the_morning(f: Floor) -> None:
    async with f.b.store.work() as work:
        await work.save_person(ANA.model_copy(update={"timezone": "Asia/Kathmandu"}))  # 19:50 there
        await work.commit()
    await f.order("person:ana", due="1h", nudges={"every": "30m", "max": 1})
    f.b.clock.move(minutes=60)  # 20:50
    await wake(f.b.context, f.b.store.dues, FIRES, lambda *_: None)
    now = f.b.clock.now()
    (claimed,) = await f.b.store.outbox.claim([Lane.NUDGE], now, now + LEASE, "slow", 10)
    assert isinstance(claimed.delivery.task, SayNudge)
    async with f.b.store.work() as work:
        await work.postpone(claimed, now + timedelta(minutes=15), "its chat is slow", unsent=True)
        await work.commit()
    f.b.clock.move(minutes=15)  # 21:05
    await f.deliver()
    assert [text for text in f.texts if text.startswith("[NUDGE")] == []
    morning = datetime(2026, 12, 3, 2, 15, tzinfo=UTC)
    f.b.clock.move(seconds=(morning - f.b.clock.now()).total_seconds())
    await f.deliver()
    assert len([text for text in f.texts if text.startswith("[NUDGE")]) == 1
