"""What a person sets about their time on their inbox: their zone, and when they get the list of what waits."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from zoneinfo import available_timezones

from blocks.web.later import local
from bot.web.security import Posted
from core.errors import Invalid
from core.people import Person
from core.ports import Context
from core.quiet import zone_of
from core.reading import Records
from core.use_cases.commanded import zone_named
from core.use_cases.digests import USUAL_TIME, next_digest
from core.use_cases.later import zone_for
from core.use_cases.settings import set_times

ZONE, LIST, AT = "zone", "list", "at"
"""The fields of the form: the zone's name, whether the list is wanted, and at what time of day."""
_AREAS = ("Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")


@dataclass(frozen=True)
class Clocks:
    """The settings as they are, or as they were typed. `faults` are sentences by field; `reads` says how late it is
    where this person's times are read, `saved` what was just kept."""

    zone: str
    wants: bool
    at: str
    reads: str
    zones: tuple[str, ...]
    faults: dict[str, str]
    saved: str = ""


@cache
def zones() -> tuple[str, ...]:
    """The zones that people are offered, by name."""
    return ("UTC", *sorted(name for name in available_timezones() if name.startswith(_AREAS)))


async def clocks_of(context: Context, records: Records, person: Person, *, saved: bool = False) -> Clocks:
    """A person's settings."""
    zone, now = await zone_for(records, person), context.clock.now()
    reads = f"Times are told in {zone} time, where it is {now.astimezone(zone_of(zone)):%H:%M} now."
    return Clocks(
        zone=person.timezone or "",
        wants=person.digest is not None,
        at=person.digest or USUAL_TIME,
        reads=reads if person.timezone else f"{reads} Nothing is set here, so that is what your chat says.",
        zones=zones(),
        faults={},
        saved=_saved(await next_digest(records, person, now), zone) if saved else "",
    )


def _saved(next_at: datetime | None, zone: str) -> str:
    return f"Saved. Your next list comes on {local(next_at, zone)}." if next_at else "Saved. You get no list."


def typed_clocks(stored: Clocks, posted: Posted, invalid: Invalid) -> Clocks:
    """The settings as they were typed, with what is wrong."""
    names = {"/zone": ZONE, "/digest": AT}
    return Clocks(
        zone=_given(posted, ZONE),
        wants=LIST in posted,
        at=_given(posted, AT),
        reads=stored.reads,
        zones=stored.zones,
        faults={names[one.pointer]: f"{one.detail[:1].upper()}{one.detail[1:]}." for one in invalid.faults},
    )


async def keep_clocks(context: Context, person: Person, posted: Posted) -> None:
    """Keep what was typed. Raises `Invalid` at `/zone` and `/digest`."""
    zone = _given(posted, ZONE).strip()
    with suppress(ValueError):
        # As it is spelled; whatever is no zone is told with all else that is wrong.
        zone = zone_named(zone) if zone else zone
    await set_times(context, person.workspace, person.id, zone, _given(posted, AT) if LIST in posted else None)


def _given(posted: Posted, name: str) -> str:
    return posted.get(name, ("",))[-1]
