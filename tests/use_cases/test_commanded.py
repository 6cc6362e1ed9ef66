"""Commands by which people set their time zone and the time of their daily list."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.dues import DueKind
from core.people import Identity, Person, Standing
from core.quiet import WorkingCalendar
from core.replies import Helped, Told
from core.use_cases.commanded import Setting, digest_command, time_of, zone_command, zone_named
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, HERE

STRANGER = Identity(provider="telegram", user="999")


async def _set(b: Bench, what: str, words: str, identity: Identity = ANA.identities[1], bot: bool = False) -> str:
    """Send `/zone …` or `/digest …`, and return what is said."""
    apply = {"zone": zone_command, "digest": digest_command}[what]
    asked = Setting(apply, words, f"/{what}", "/zone")
    reply = await apply(b.context, HERE, identity, Standing(name="Somebody", bot=bot), asked)
    assert isinstance(reply, Helped | Told)
    return reply.text


async def _person(b: Bench, identity: Identity = ANA.identities[1]) -> Person:
    async with b.store.work() as work:
        found = await work.person_by_identity(HERE, identity)
    assert found is not None
    return found


async def _next(b: Bench, person: Person = ANA) -> datetime | None:
    async with b.store.work() as work:
        row = await work.due(DueKind.DIGEST, person.id)
    return row.due_at if row is not None else None


ZONES = [
    ("Europe/Madrid", "Europe/Madrid"),
    ("europe/madrid", "Europe/Madrid"),
    ("america/new york", "America/New_York"),
    ("utc", "UTC"),
    ("Asia/Kathmandu", "Asia/Kathmandu"),
]


@pytest.mark.parametrize(("words", "zone"), ZONES)
def test_a_zone_is_read_as_people_write_it(words: str, zone: str) -> None:
    assert zone_named(words) == zone


@pytest.mark.parametrize("words", ["Madrid", "Mars/Olympus", "../../etc/passwd", "Europe", "e" * 500, "\x00", "UTC+25"])
def test_what_is_no_zone_is_said_to_be_none(words: str) -> None:
    with pytest.raises(ValueError, match="there is no time zone called"):
        zone_named(words)


TIMES = [
    ("9", "09:00"),
    ("9:05", "09:05"),
    ("09:00", "09:00"),
    ("at 18.30", "18:30"),
    ("7h15", "07:15"),
    ("ON", "09:00"),
]


@pytest.mark.parametrize(("words", "at"), TIMES)
def test_a_time_of_day_is_read_as_people_write_it(words: str, at: str) -> None:
    assert time_of(words) == at


@pytest.mark.parametrize("words", ["24:00", "9:60", "noon", "", "-1", "9:00 Europe/Madrid"])
def test_what_is_no_time_of_day_is_said_to_be_none(words: str) -> None:
    with pytest.raises(ValueError, match="write a time of day like 09:00, or off"):
        time_of(words)


async def test_a_zone_is_shown_set_and_given_back(b: Bench) -> None:
    b.clock.at = datetime(2026, 12, 2, 17, 5, tzinfo=UTC)
    assert await _set(b, "zone", "") == (
        "I do not know your time zone, so I take UTC: it is Wed 2 Dec, 17:05 UTC there. /zone Europe/Madrid sets it."
    )
    assert "Your time zone is Europe/Madrid: it is Wed 2 Dec, 18:05 CET there." in await _set(
        b, "zone", "europe/madrid"
    )
    assert (await _person(b)).timezone == "Europe/Madrid"
    assert "Your time zone is Europe/Madrid" in await _set(b, "zone", "")
    assert "I do not know your time zone" in await _set(b, "zone", "off")
    assert (await _person(b)).timezone is None


async def test_a_wrong_zone_or_time_changes_nothing_and_says_how_to_write_it(b: Bench) -> None:
    await _set(b, "zone", "Europe/Madrid")
    await _set(b, "digest", "9:00")
    assert await _set(b, "zone", "Mars") == (
        "There is no time zone called Mars; write it like Europe/Madrid or UTC. Nothing has changed."
    )
    assert await _set(b, "digest", "soon") == "Write a time of day like 09:00, or off. Nothing has changed."
    person = await _person(b)
    assert (person.timezone, person.digest) == ("Europe/Madrid", "09:00")


async def test_a_list_is_set_for_a_time_of_day_and_comes_at_it_in_the_persons_zone(b: Bench) -> None:
    b.clock.at = datetime(2026, 12, 2, 17, 5, tzinfo=UTC)
    assert "I do not know your time zone; /zone Europe/Madrid tells me." in await _set(b, "digest", "09:00")
    assert await _next(b) == datetime(2026, 12, 3, 9, tzinfo=UTC)
    assert "The next one comes on Thu 3 Dec, 09:00 CET." in await _set(b, "zone", "Europe/Madrid")
    assert await _next(b) == datetime(2026, 12, 3, 8, tzinfo=UTC)
    assert await _set(b, "digest", "") == (
        "At 09:00 you get the list of what waits for you, if anything does. "
        "The next one comes on Thu 3 Dec, 09:00 CET. /digest off ends it."
    )
    assert await _set(b, "digest", "off") == (
        "You get no list of what waits for you. /digest 09:00 brings it every morning."
    )
    assert await _next(b) is None
    assert (await _person(b)).digest is None


async def test_a_list_comes_on_days_on_which_the_workspace_works(b: Bench) -> None:
    b.clock.at = datetime(2026, 12, 4, 17, 5, tzinfo=UTC)
    async with b.store.work() as work:
        await work.save_calendar(HERE, WorkingCalendar(zone="Europe/Madrid"))
        await work.commit()
    assert "The next one comes on Mon 7 Dec, 09:00 CET." in await _set(b, "digest", "9")
    assert await _next(b) == datetime(2026, 12, 7, 8, tzinfo=UTC)


async def test_whoever_was_not_known_becomes_somebody_and_no_bot_does(b: Bench) -> None:
    await _set(b, "zone", "Asia/Tokyo", STRANGER)
    assert (await _person(b, STRANGER)).timezone == "Asia/Tokyo"
    robot = Identity(provider="telegram", user="1000")
    assert "Bots cannot" in await _set(b, "zone", "Asia/Tokyo", robot, bot=True)
    async with b.store.work() as work:
        assert await work.person_by_identity(HERE, robot) is None
