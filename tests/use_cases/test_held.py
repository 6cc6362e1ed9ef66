"""A reminder that is due but held back says so: why, and until when, as data and in words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import event as listening

from core.audience import Candidate
from core.awaited import held_words
from core.controls import Action
from core.events import EventType
from core.held import Held, Reason
from core.kinds import Kind
from core.people import Person, Standing
from core.quiet import WorkingCalendar, zone_of
from core.reminding import ReminderState, changed
from core.use_cases.held import held_reminders
from core.use_cases.timing import whom_it_waits_for
from tests.rules.making import NOW
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, GROUP, HERE
from tests.use_cases.clockwork import Clockwork, asked

ANA_ONLY = {"answerers": ["person:ana"]}


async def _held(b: Bench, id: str) -> list[tuple[str, str]]:
    """Why reminders wait and until when, as a process that only reads sees it."""
    found = (await held_reminders(b.store.records, HERE, [await b.get(id)], b.clock.now())).get(id, ())
    return [(one.reason.value, f"{one.until:%a %H:%M}" if one.until else "") for one in found]


async def _told(b: Bench, id: str, who: Person = ANA) -> str:
    candidate = Candidate(person=who, identity=None, standing=Standing())
    return await whom_it_waits_for(b.store.records, b.context, await b.get(id), candidate)


@pytest.mark.parametrize(
    ("nudges", "calendar", "reason", "until", "words"),
    [
        (
            {"quiet": "14:00-18:00 UTC"},
            None,
            "quiet_hours",
            "Wed 18:00",
            "for quiet hours to end: Wed 2 Dec, 18:00 UTC",
        ),
        ({"days": ["thu"]}, None, "not_working_day", "Thu 00:00", "for a working day: Thu 3 Dec, 00:00 UTC"),
        ({}, WorkingCalendar(days=("fri",)), "not_working_day", "Fri 00:00", "a working day: Fri 4 Dec, 00:00 UTC"),
        ({}, WorkingCalendar(hours="08:00-12:00"), "quiet_hours", "Thu 08:00", "hours to end: Thu 3 Dec, 08:00 UTC"),
    ],
    ids=["quiet hours", "its days", "the workspace's days", "the workspace's hours"],
)
async def test_what_waits_for_humane_hours_says_until_when(
    b: Bench, nudges: dict[str, Any], calendar: WorkingCalendar | None, reason: str, until: str, words: str
) -> None:
    async with b.store.work() as work:
        await work.save_calendar(HERE, calendar)
        await work.commit()
    id = await asked(b, {"every": "10m", "max": 1, **nudges}, audience=ANA_ONLY)
    assert await _held(b, id) == [], "it is not due yet"
    assert await Clockwork(b).tick(minutes=10) == 0
    assert await _held(b, id) == [(reason, until)]
    told = await _told(b, id)
    assert words in told
    assert "Next reminder" not in told


async def test_what_would_be_too_many_waits_for_the_list(b: Bench) -> None:
    clockwork = Clockwork(b)
    ids = [await asked(b, {"every": f"{10 + n}m", "max": 1}, audience=ANA_ONLY, title=f"Card {n}") for n in range(4)]
    for _ in range(14):
        await clockwork.tick(minutes=1)
    assert len(clockwork.sent) == 3
    assert await _held(b, ids[0]) == []
    cards = [await b.get(id) for id in ids]
    ((id, (held,)),) = (await held_reminders(b.store.records, HERE, cards, b.clock.now())).items()
    assert id == ids[3]
    assert held.reason is Reason.RATE_CAP
    assert held.until is not None
    assert held.until > b.clock.now()
    assert "in one list with others" in await _told(b, ids[3])


async def test_what_the_chat_refuses_for_now_says_that_it_waits_for_the_chat(b: Bench) -> None:
    id = await asked(b, {"every": "10m", "max": 1}, kind=Kind.CONFIRMATION, to=GROUP, audience=ANA_ONLY)
    await Clockwork(b).tick(minutes=10)
    async with b.store.work() as work:
        (sent,) = await work.reminders(id)
        await work.save_reminder(changed(sent, ReminderState.OWED, "slow down"))
        await work.commit()
    assert await _held(b, id) == [("provider_pace", "")]
    assert "A reminder waits for the chat to take it." in await _told(b, id)


def test_several_that_wait_for_the_same_are_said_once() -> None:
    pace = Held(Reason.PROVIDER_PACE, None)
    assert held_words([pace, pace], zone_of("UTC")) == "A reminder waits for the chat to take it."


async def test_a_page_of_cards_is_looked_at_at_once_each_in_the_hours_of_its_own_people(
    b: Bench,
) -> None:
    async with b.store.work() as work:
        await work.save_person(BEN.model_copy(update={"timezone": "Asia/Tokyo"}))  # past eleven in the evening there
        await work.keep_standing(HERE, ANA.identities[0], Standing(timezone="Europe/Madrid"), NOW)
        await work.commit()
    night = {"every": "10m", "max": 1, "quiet": "23:00-07:00"}
    whom = ["person:ana", "slack:T1.U2", "person:ben"]
    ids = [await asked(b, night, audience={"answerers": [one]}, title=f"For {one}") for one in whom for _ in range(3)]
    assert await Clockwork(b).tick(minutes=10) == 3
    cards = [await b.get(id) for id in ids]
    sent: list[str] = []
    listening.listen(b.store.database, "before_cursor_execute", lambda _c, _u, statement, *_: sent.append(statement))
    found = await held_reminders(b.store.records, HERE, cards, b.clock.now())
    of_many = len(sent)
    morning = [(Reason.QUIET_HOURS, datetime(2026, 12, 2, 22, tzinfo=UTC))]
    assert {id: [(one.reason, one.until) for one in held] for id, held in found.items()} == dict.fromkeys(
        ids[3:], morning
    )
    await held_reminders(b.store.records, HERE, cards[3:4], b.clock.now())
    assert of_many == len(sent) - of_many, "as many statements for one as for a page"


async def test_events_say_what_waits_as_the_card_itself_does(b: Bench) -> None:
    two = {"answerers": ["person:ana", "person:ben"], "quorum": 2}
    id = await asked(b, {"every": "10m", "max": 1, "quiet": "14:00-18:00 UTC"}, audience=two)
    await Clockwork(b).tick(minutes=10)
    await b.press(ANA, id, Action.ACCEPT)
    *_, event = await b.store.records.events(HERE, None)
    assert event.type is EventType.PROGRESSED
    waits = [{"reason": "quiet_hours", "until": "2026-12-02T18:00:00.000000Z"}]
    assert event.data["interaction"]["reminders"]["waiting"] == waits
