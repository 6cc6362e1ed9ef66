"""People are reminded, others brought in, and nobody is disturbed for nothing: the timer's work on a real store."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.waking import wake
from core.acts import Dismiss, Reopen
from core.addresses import Provider
from core.channels import Posted
from core.controls import Action
from core.dues import LEASE, DueKind
from core.outbox import Lane, Remind
from core.people import Person, Standing
from core.quiet import WEEKDAYS, WorkingCalendar
from core.reminding import Reminder, ReminderState
from core.replies import Saved
from core.use_cases import reminders
from core.use_cases.answer import expire_due
from core.use_cases.change import operate
from core.use_cases.digests import next_digest
from core.use_cases.fires import FIRES
from tests.rules.making import NOW
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, HERE, OPAL, identity_on
from tests.use_cases.clockwork import Clockwork, asked


@pytest.fixture
def clockwork(b: Bench) -> Clockwork:
    return Clockwork(b)


async def test_reminders_come_in_growing_gaps_and_then_others_may_answer(b: Bench, clockwork: Clockwork) -> None:
    nudges = {"every": "10m", "max": 2, "escalate_to": ["person:opal"]}
    id = await asked(b, nudges, audience={"answerers": ["person:ana"]})
    assert await clockwork.tick(minutes=9) == 0
    assert await clockwork.tick(minutes=1) == 1
    assert await clockwork.tick(minutes=19) == 0
    assert await clockwork.tick(minutes=1) == 1
    assert [(one.number, one.of) for one in clockwork.sent] == [(1, 2), (2, 2)]
    assert [one.name for one in clockwork.sent[0].calls] == ["Ana"]
    assert "person:opal" not in (await b.get(id)).audience.answerers
    await clockwork.tick(minutes=40)
    card = await b.get(id)
    assert card.audience.answerers == ("person:ana", "person:opal")
    assert card.reminding.escalated_at == b.clock.now()
    assert [one.place for one in await b.copies(id)] == ["C1", "U3"], "she gets the card where she is"
    await b.post(id)
    assert isinstance(await b.press(OPAL, id, Action.ACCEPT, on=2), Saved)
    assert await b.types(id) == ["created", "nudged", "nudged", "escalated", "accepted"]
    assert await clockwork.tick(days=2) == 0


async def test_an_answer_ends_reminders_and_what_was_sent_says_so(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m", "max": 5})
    await clockwork.tick(minutes=10)
    await b.press(ANA, id, Action.ACCEPT)
    await clockwork.tick()
    assert [one.card.interaction.status.value for one in clockwork.ended] == ["accepted"]
    assert await clockwork.tick(days=3) == 0
    assert (await b.types(id)).count("nudged") == 1
    assert await b.store.dues.next_due() is None, "nothing is left to wake up for"


async def test_a_reminder_that_is_owed_is_not_sent_once_somebody_answered(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m"})
    b.clock.move(minutes=10)
    await wake(b.context, b.store.dues, FIRES, lambda *_: None)
    await b.press(ANA, id, Action.ACCEPT)
    assert await clockwork.send() == 0
    reminder = await kept(b, id)
    assert (reminder.state, reminder.reason) == (ReminderState.DROPPED, "the card is settled")


async def test_one_that_was_on_the_wire_is_edited_as_soon_as_its_place_is_known(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m"})
    b.clock.move(minutes=10)
    await wake(b.context, b.store.dues, FIRES, lambda *_: None)
    (claimed,) = await b.store.outbox.claim([Lane.NUDGE], b.clock.now(), b.clock.now() + LEASE, "relay/1", 9)
    assert isinstance(claimed.delivery.task, Remind)
    ready = await reminders.begin_remind(b.context, claimed, claimed.delivery.task, link_ok=True)
    assert ready is not None
    await b.press(ANA, id, Action.ACCEPT)
    await reminders.reminded(b.context, claimed, ready, Posted("C1", "r1"))
    await clockwork.send()
    assert len(clockwork.ended) == 1


async def test_one_whose_sender_died_over_it_is_never_sent_again(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m", "max": 1})
    b.clock.move(minutes=10)
    await wake(b.context, b.store.dues, FIRES, lambda *_: None)
    (claimed,) = await b.store.outbox.claim([Lane.NUDGE], b.clock.now(), b.clock.now() + LEASE, "relay/1", 9)
    assert isinstance(claimed.delivery.task, Remind)
    assert await reminders.begin_remind(b.context, claimed, claimed.delivery.task, link_ok=True) is not None
    b.clock.move(minutes=1)
    assert await clockwork.send() == 0
    reminder = await kept(b, id)
    assert (reminder.state, reminder.reason) == (ReminderState.DROPPED, reminders.UNHEARD)


async def test_one_that_was_refused_for_the_moment_is_sent_later(b: Bench, clockwork: Clockwork) -> None:
    await asked(b, {"every": "10m", "max": 1})
    b.clock.move(minutes=10)
    await wake(b.context, b.store.dues, FIRES, lambda *_: None)
    (claimed,) = await b.store.outbox.claim([Lane.NUDGE], b.clock.now(), b.clock.now() + LEASE, "relay/1", 9)
    assert isinstance(claimed.delivery.task, Remind)
    ready = await reminders.begin_remind(b.context, claimed, claimed.delivery.task, link_ok=True)
    assert ready is not None
    later = b.clock.now() + timedelta(seconds=30)
    await reminders.not_reminded(b.context, claimed, ready, "slow down", later)
    assert await clockwork.tick(seconds=29) == 0
    assert await clockwork.tick(seconds=1) == 1


async def test_after_a_long_outage_there_is_one_reminder_and_not_nine(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m", "gaps": "even", "max": 9})
    assert await clockwork.tick(hours=1, minutes=5) == 1
    assert (clockwork.sent[0].number, clockwork.sent[0].of) == (6, 9)
    assert await clockwork.tick(minutes=4) == 0
    assert await clockwork.tick(minutes=1) == 1
    assert (await b.types(id)).count("nudged") == 2


async def test_a_clock_that_goes_back_repeats_nothing(b: Bench, clockwork: Clockwork) -> None:
    await asked(b, {"every": "10m", "gaps": "even", "max": 3})
    assert await clockwork.tick(minutes=10) == 1
    assert await clockwork.tick(hours=-1) == 0
    assert await clockwork.tick(hours=1) == 0
    assert await clockwork.tick(minutes=10) == 1


async def test_in_quiet_hours_nobody_is_reminded_until_they_are_over(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m", "max": 1, "quiet": f"{quiet(5, 120)} UTC"})
    assert await clockwork.tick(minutes=10) == 0
    assert "nudged" not in await b.types(id)
    assert await clockwork.tick(minutes=109) == 0
    assert await clockwork.tick(minutes=1) == 1


async def test_quiet_hours_are_those_of_whoever_is_reminded(b: Bench, clockwork: Clockwork) -> None:
    """Ana is in the zone that Slack says, Ben in the one that he set; both get the card in private."""
    await live(b, ANA, says="Asia/Tokyo")
    await live(b, BEN, says="Asia/Tokyo", sets="UTC")
    there = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    quiet_in_tokyo = f"{there:%H:%M}-{there + timedelta(hours=2):%H:%M}"
    await asked(b, {"every": "10m", "max": 1, "quiet": quiet_in_tokyo}, to=["slack:T1.U1", "slack:T1.U2"])
    assert await clockwork.tick(minutes=10) == 1
    assert await clockwork.tick(minutes=109) == 0
    assert await clockwork.tick(minutes=1) == 1
    assert {one.zone for one in clockwork.sent} == {"UTC", "Asia/Tokyo"}


async def test_a_workspace_that_does_not_work_reminds_nobody(b: Bench, clockwork: Clockwork) -> None:
    tomorrow = NOW.date() + timedelta(days=1)
    async with b.store.work() as work:
        await work.save_calendar(HERE, WorkingCalendar(days=WEEKDAYS, holidays=(NOW.date(), tomorrow)))
        await work.commit()
    await asked(b, {"every": "10m", "max": 1})
    assert await clockwork.tick(minutes=10) == 0
    assert await clockwork.tick(days=1) == 0
    assert await clockwork.tick(days=1) == 1


async def test_a_card_that_was_set_aside_reminds_nobody_until_it_is_brought_back(
    b: Bench, clockwork: Clockwork
) -> None:
    id = await asked(b, {"every": "10m", "gaps": "even", "max": 3})
    await operate(b.context, HERE, id, Dismiss(), OPAL, identity_on(OPAL, Provider.SLACK))
    assert await clockwork.tick(minutes=10) == 0
    await operate(b.context, HERE, id, Reopen(), OPAL, identity_on(OPAL, Provider.SLACK))
    assert await clockwork.tick(minutes=10) == 1
    assert clockwork.sent[0].number == 2


async def test_the_expiry_beats_a_reminder_that_is_due_with_it(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m", "max": 5}, policy={"expires_in": "25m"})
    b.clock.move(minutes=25)
    assert await clockwork.tick() == 0
    assert await expire_due(b.context, b.store.records) == 1
    assert (await b.types(id))[-1] == "expired"
    assert await b.store.dues.next_due() is None


async def test_the_fourth_reminder_within_an_hour_becomes_one_list(b: Bench, clockwork: Clockwork) -> None:
    ids = [await asked(b, {"every": "10m", "max": 1}, to="slack:T1.U1") for _ in range(6)]
    assert await clockwork.tick(minutes=10) == 3
    assert await clockwork.tick(minutes=59) == 0
    assert clockwork.digests == []
    await b.press(ANA, ids[4], Action.ACCEPT)
    await clockwork.tick(minutes=1)
    (digest,) = clockwork.digests
    assert digest.person == "per_ana"
    assert len(digest.interactions) == 2, "the one that was answered meanwhile is not listed"
    await clockwork.tick(hours=5)
    assert len(clockwork.digests) == 1


async def test_the_morning_list_comes_once_a_day_at_the_persons_time(b: Bench, clockwork: Clockwork) -> None:
    due = await morning(b)
    assert due.astimezone(ZoneInfo("Asia/Tokyo")).strftime("%H:%M") == "09:00"
    await clockwork.tick(seconds=(due - NOW).total_seconds())
    assert len(clockwork.digests) == 1
    assert await b.store.dues.next_due() == due + timedelta(days=1)
    await clockwork.tick(days=3, hours=1)
    assert len(clockwork.digests) == 2, "after an outage there is one list, not three"


async def test_a_list_that_takes_the_place_of_reminders_comes_after_any_outage(b: Bench, clockwork: Clockwork) -> None:
    for _ in range(5):
        await asked(b, {"every": "10m", "max": 1}, to="slack:T1.U1")
    assert await clockwork.tick(minutes=10) == 3
    await clockwork.tick(days=9)
    assert [len(one.interactions) for one in clockwork.digests] == [2]


@pytest.mark.parametrize(("late", "sent"), [(0, True), (2, True), (4, False), (14, False), (25, True)])
async def test_a_morning_list_that_nobody_was_awake_for_waits_for_the_next_morning(
    b: Bench, clockwork: Clockwork, late: int, sent: bool
) -> None:
    due = await morning(b)
    await clockwork.tick(seconds=(due - NOW).total_seconds() + late * 3600)
    days = timedelta(days=late // 24)
    assert [one.until for one in clockwork.digests] == ([due + days + timedelta(hours=3)] if sent else [])
    assert await b.store.dues.next_due() == due + days + timedelta(days=1)


async def morning(b: Bench) -> datetime:
    """Let Ana have a list at nine in the morning; when the next one is due."""
    async with b.store.work() as work:
        await work.save_person(person := ANA.model_copy(update={"digest": "09:00", "timezone": "Asia/Tokyo"}))
        due = await next_digest(work, person, NOW)
        assert due is not None
        await work.set_due(DueKind.DIGEST, ANA.id, HERE, due)
        await work.commit()
    return due


async def test_processes_that_wake_together_remind_once(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m", "max": 1})
    b.clock.move(minutes=10)
    await asyncio.gather(*(wake(b.context, b.store.dues, FIRES, lambda *_: None) for _ in range(5)))
    assert await clockwork.send() == 1
    assert (await b.types(id)).count("nudged") == 1


async def test_what_a_process_claimed_and_died_over_is_done_by_another(b: Bench, clockwork: Clockwork) -> None:
    await asked(b, {"every": "10m", "max": 1})
    b.clock.move(minutes=10)
    assert len(await b.store.dues.claim(b.clock.now(), b.clock.now() + LEASE, 9)) == 1
    assert await clockwork.tick(seconds=19) == 0
    assert await clockwork.tick(seconds=1) == 1
    assert clockwork.late == [20.0]


def quiet(after: int, until: int) -> str:
    """Quiet hours from so many to so many minutes after now, in UTC."""
    first, last = NOW + timedelta(minutes=after), NOW + timedelta(minutes=until)
    return f"{first:%H:%M}-{last:%H:%M}"


async def live(b: Bench, who: Person, *, says: str, sets: str | None = None) -> None:
    """Let Slack say where somebody lives, and them too."""
    async with b.store.work() as work:
        await work.keep_standing(HERE, identity_on(who, Provider.SLACK), Standing(timezone=says), b.clock.now())
        await work.save_person(who.model_copy(update={"timezone": sets}))
        await work.commit()


async def kept(b: Bench, id: str) -> Reminder:
    """The one reminder of a card."""
    async with b.store.work() as work:
        (reminder,) = await work.reminders(id)
    return reminder
