"""Work orders and time: reminders in growing gaps and waking hours, the overdue mark, others; nothing after the end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.channels import Posted
from core.dues import LEASE, DueKind
from core.held import Held, Reason
from core.loops import Acknowledge, Claim, LoopAct, LoopAction, LoopState, Result
from core.loops.owed import SayNudge
from core.loops.timing import Next, Step, held_back, next_step, waking
from core.outbox import Lane, TakeBack
from core.people import Person
from core.use_cases import loop_words
from core.use_cases.loop_recording import quiet_of
from core.use_cases.loop_time import fire_loop
from core.use_cases.loops import move
from core.use_cases.transact import transact
from tests.rules.making import NOW
from tests.use_cases.cast import ANA, BUILDER, HERE, OPAL, OTHER_AGENT
from tests.use_cases.floor import Floor

EVERY = {"every": "15m", "max": 3}


def nudges(f: Floor) -> list[str]:
    return [text.splitlines()[0] for text in f.texts if text.startswith("[NUDGE")]


async def until_quiet(f: Floor) -> list[tuple[timedelta, list[str]]]:
    """Let time pass from due to due until nothing is: when each was, and the receipts it left."""
    found: list[tuple[timedelta, list[str]]] = []
    while (wait := await f.next_due()) is not None and len(found) < 20:
        before = len(await f.types())
        await f.tick(seconds=max(wait.total_seconds(), 0))
        found.append((f.b.clock.now() - NOW, (await f.types())[before:]))
    return found


async def test_an_order_that_nobody_answers_is_reminded_of_in_growing_gaps_then_taken_to_others(f: Floor) -> None:
    await f.order(due="45m", nudges=EVERY)
    assert await until_quiet(f) == [
        (timedelta(minutes=30), ["nudged"]),  # as the time approaches
        (timedelta(minutes=45), ["overdue", "nudged"]),
        (timedelta(minutes=75), ["nudged"]),
        (timedelta(minutes=135), ["escalated"]),
    ]
    deadline, ask = "Deadline 2026-12-02T14:50:00Z:", "lease acknowledge it or post the result: Audit the endpoints"
    assert nudges(f) == [
        f"[NUDGE wo-1] [nudge 1/3] {deadline} P{ask}",
        f"[NUDGE wo-1] [nudge 2/3] {deadline} It is overdue; p{ask}",
        f"[NUDGE wo-1] [nudge 3/3] {deadline} It is overdue; p{ask}",
    ]
    types = [type_ for type_, _ in await f.events()]
    assert types == ["loop.opened", "loop.nudged", "loop.overdue", "loop.nudged", "loop.nudged", "loop.escalated"]
    (told,) = [text for where, text in f.said if where == "U3"]  # an operator; the sender, a program, hears it as event
    assert told.startswith("After 3 reminders nobody has ended “Audit the endpoints” (wo-1): it was not acknowledged.")


async def test_an_order_without_a_due_time_is_reminded_of_until_it_is_seen(f: Floor) -> None:
    await f.order(nudges=EVERY)
    await f.tick(minutes=15)
    assert len(nudges(f)) == 1
    await move(f.b.context, HERE, "wo-1", Acknowledge(), BUILDER)
    assert await f.next_due() is None


@pytest.mark.parametrize("act", [Acknowledge(), Claim()], ids=lambda one: one.name)
async def test_whoever_saw_it_is_reminded_only_once_its_time_is_over(f: Floor, act: LoopAct) -> None:
    await f.order(due="45m", nudges=EVERY)
    await move(f.b.context, HERE, "wo-1", act, BUILDER)
    first, *_ = await until_quiet(f)
    assert first == (timedelta(minutes=45), ["overdue", "nudged"])


async def test_nothing_happens_any_more_once_it_has_ended(f: Floor) -> None:
    await f.order(due="45m", nudges=EVERY)
    await f.tick(minutes=30)
    await move(f.b.context, HERE, "wo-1", Result("done"), BUILDER)
    assert await f.next_due() is None
    await f.tick(hours=5)
    assert len(nudges(f)) == 1


async def test_a_reminder_that_is_on_its_way_is_not_said_of_an_order_that_ended_meanwhile(f: Floor) -> None:
    await f.order(due="45m", nudges=EVERY)
    f.b.clock.move(minutes=30)
    now = f.b.clock.now()
    (due,) = await f.b.store.dues.claim(now, now + LEASE, 10)
    await transact(f.b.context, lambda work: fire_loop(work, f.b.context, due))
    (claimed,) = await f.b.store.outbox.claim([Lane.NUDGE], now, now + LEASE, "late", 10)
    assert isinstance(claimed.delivery.task, SayNudge)
    await move(f.b.context, HERE, "wo-1", Result("done"), BUILDER)
    assert await loop_words.begin_words(f.b.context, claimed, claimed.delivery.task) is None
    await f.deliver()
    assert nudges(f) == []


async def test_a_reminder_that_was_on_the_wire_when_the_order_ended_is_taken_back(f: Floor) -> None:
    await f.order(due="45m", nudges=EVERY)
    f.b.clock.move(minutes=30)
    now = f.b.clock.now()
    (due,) = await f.b.store.dues.claim(now, now + LEASE, 10)
    await transact(f.b.context, lambda work: fire_loop(work, f.b.context, due))
    (claimed,) = await f.b.store.outbox.claim([Lane.NUDGE], now, now + LEASE, "late", 10)
    task = claimed.delivery.task
    assert isinstance(task, SayNudge)
    words = await loop_words.begin_words(f.b.context, claimed, task)
    assert words is not None
    await move(f.b.context, HERE, "wo-1", Result("done"), BUILDER)
    await loop_words.said(f.b.context, claimed, task, words, Posted("C1", "1712.9"))
    owed = [one for one in await f.b.owed() if isinstance(one, TakeBack)]
    assert owed == [TakeBack(provider="slack", account="T1", channel="C1", messages=("1712.9",))]


async def test_a_row_that_was_claimed_before_the_end_does_nothing_after_it(f: Floor) -> None:
    await f.order(due="45m", nudges=EVERY)
    f.b.clock.move(minutes=30)
    now = f.b.clock.now()
    (due,) = await f.b.store.dues.claim(now, now + LEASE, 10)
    await move(f.b.context, HERE, "wo-1", Result("done"), BUILDER)
    await transact(f.b.context, lambda work: fire_loop(work, f.b.context, due))
    assert await f.types() == ["opened", "closed"]


async def test_a_row_that_is_fired_twice_acts_once(f: Floor) -> None:
    await f.order(due="45m", nudges=EVERY)
    f.b.clock.move(minutes=30)
    now = f.b.clock.now()
    (due,) = await f.b.store.dues.claim(now, now + LEASE, 10)
    for _ in range(2):
        await transact(f.b.context, lambda work: fire_loop(work, f.b.context, due))
    assert await f.types() == ["opened", "nudged"]


async def test_after_a_long_outage_there_is_one_reminder_and_the_overdue_mark(f: Floor) -> None:
    await f.order(due="45m", nudges=EVERY)
    await f.tick(hours=9)  # 23:05 UTC, and nobody's hours are known
    assert await f.types() == ["opened", "nudged", "overdue"]
    assert len(nudges(f)) == 1
    assert await f.next_due() == timedelta(minutes=15)


async def test_a_person_is_reminded_within_their_waking_hours(f: Floor) -> None:
    async with f.b.store.work() as work:
        await work.save_person(ANA.model_copy(update={"timezone": "Asia/Kathmandu"}))  # 19:50 there
        await work.commit()
    loop = await f.order("person:ana", due="2h", nudges={"every": "30m", "max": 1})
    async with f.b.store.work() as work:
        left_alone = await quiet_of(work, loop)
    morning = datetime(2026, 12, 3, 2, 15, tzinfo=UTC)
    assert held_back(loop, left_alone, NOW + timedelta(hours=1)) == (), "it is not due yet"
    assert held_back(loop, left_alone, NOW + timedelta(hours=2)) == (Held(Reason.QUIET_HOURS, morning),)
    assert held_back(loop, left_alone, morning) == ()
    moments = await until_quiet(f)
    # 15:35 UTC is 21:20 there, so the reminder waits for 8:00, which is 2:15 UTC; the mark does not wait.
    assert moments[0] == (timedelta(hours=2), ["overdue"])
    assert (NOW + moments[1][0], moments[1][1]) == (datetime(2026, 12, 3, 2, 15, tzinfo=UTC), ["nudged"])


async def test_whoever_claimed_it_is_the_one_whose_hours_count(f: Floor) -> None:
    async with f.b.store.work() as work:
        await work.save_person(ANA.model_copy(update={"timezone": "Pacific/Auckland"}))  # 3:05 there
        await work.commit()
    loop = await f.order(due="1h", nudges=EVERY)
    await f.press(ANA, loop, LoopAction.CLAIM)
    moments = await until_quiet(f)
    assert moments[0] == (timedelta(hours=1), ["overdue"])
    assert NOW + moments[1][0] == datetime(2026, 12, 2, 19, 0, tzinfo=UTC)


async def zoned(f: Floor, person: Person, zone: str) -> None:
    async with f.b.store.work() as work:
        await work.save_person(person.model_copy(update={"timezone": zone}))
        await work.commit()


async def test_others_are_brought_in_within_their_own_waking_hours_and_not_its_recipients(f: Floor) -> None:
    await zoned(f, ANA, "Europe/Madrid")
    await zoned(f, OPAL, "Pacific/Auckland")  # 3:05 there: the operator sleeps while Ana is reminded
    await f.order("person:ana", due="45m", nudges={"every": "15m", "max": 1})
    assert await until_quiet(f) == [
        (timedelta(minutes=30), ["nudged"]),
        (timedelta(minutes=45), ["overdue"]),
        (datetime(2026, 12, 2, 19, 0, tzinfo=UTC) - NOW, ["escalated"]),  # 8:00 in Auckland
    ]
    assert [where for where, text in f.said if "nobody has ended" in text] == ["U3"]


async def test_a_recipient_who_sleeps_keeps_nobody_else_from_being_told(f: Floor) -> None:
    await zoned(f, ANA, "Pacific/Auckland")
    await zoned(f, OPAL, "Europe/Madrid")
    await f.order("person:ana", due="45m", nudges={"every": "15m", "max": 0})
    assert await until_quiet(f) == [(timedelta(minutes=45), ["overdue", "escalated"])]


async def test_where_no_hour_suits_all_others_the_first_that_suits_one_must_do(f: Floor) -> None:
    loop = await f.order(due="5h", nudges={"every": "15m", "max": 0})
    late = loop.model_copy(update={"overdue_at": loop.due_at})  # 19:05 in London, 3:05 in Shanghai, 11:05 in California
    three = [waking([zone]) for zone in ("Europe/London", "Asia/Shanghai", "America/Los_Angeles")]
    assert next_step(late, (), three) == Next(Step.ESCALATE, NOW + timedelta(hours=5))
    assert next_step(late, (), three[:2]) == Next(Step.ESCALATE, datetime(2026, 12, 3, 8, 0, tzinfo=UTC))
    assert next_step(late, (), three[1:2]) == Next(Step.ESCALATE, datetime(2026, 12, 3, 0, 0, tzinfo=UTC))


async def test_an_order_may_have_no_reminders_and_is_taken_to_others_when_its_time_is_over(f: Floor) -> None:
    await f.order(due="45m", nudges={"every": "15m", "max": 0})
    assert await until_quiet(f) == [(timedelta(minutes=45), ["overdue", "escalated"])]
    assert nudges(f) == []


async def test_a_sender_who_is_an_operator_is_told_once(f: Floor) -> None:
    first = await f.order(nudges={"every": "15m", "max": 0})
    await f.write(OPAL, await f.place(first), "[WO:wo-2] [due 2026-12-02T15:05:00Z] Restart")
    while (wait := await f.next_due()) is not None:
        await f.tick(seconds=wait.total_seconds())
    assert [where for where, text in f.said if "nobody has ended" in text] == ["U3"]


async def test_words_wait_for_the_card_that_their_conversation_begins_with(f: Floor) -> None:
    await f.order()
    await f.order("telegram:sayso_bot.-100", id="wo-2")
    await move(f.b.context, HERE, "wo-2", Acknowledge(), BUILDER)
    await f.deliver()
    loop = await f.loop("wo-2")
    assert loop.card is not None
    assert f.said == [(f"-100/{loop.card.message}", "[ACK:wo-2] [from builder]")]
    # A reply to what we said there is said there.
    said = (await f.b.store.records.sayings(HERE, loop.conversation))[0]
    assert said.ours
    await f.write(ANA, await f.place(loop), "[CLAIM wo-2]", reply_to=said.message)
    assert (await f.loop("wo-2")).state is LoopState.CLAIMED


async def test_a_loop_s_row_is_its_own(f: Floor) -> None:
    loop = await f.order(due="45m", nudges=EVERY)
    async with f.b.store.work() as work:
        due = await work.due(DueKind.LOOP, loop.id)
    assert due is not None
    assert (due.workspace, due.due_at) == (HERE, NOW + timedelta(minutes=30))


async def test_a_program_that_is_in_no_chat_reads_its_reminder_in_the_event(f: Floor) -> None:
    await f.order("agent:other", nudges=EVERY)
    await f.tick(minutes=15)
    type_, data = (await f.events(OTHER_AGENT))[-1]
    assert type_ == "loop.nudged"
    assert data["sentence"].startswith("[NUDGE wo-1] [nudge 1/3] Deadline ")
    assert f.said == []
