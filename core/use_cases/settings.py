"""What people set for themselves about time and their chats, and when a workspace works.

A morning list is due at a moment that follows from all of it, so every change here moves that moment too.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from pydantic import JsonValue

from core.addresses import Provider
from core.audit import About, Changed, about_person
from core.dues import DueKind
from core.errors import Fault, Invalid, NotFound
from core.people import Person
from core.ports import Context, Work
from core.quiet import WorkingCalendar, zone_of
from core.use_cases.auditing import note
from core.use_cases.digests import next_digest
from core.use_cases.transact import transact

LONGEST_ZONE: Final = 64
_CLOCK = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")


async def set_preferred(context: Context, workspace: str, person_id: str, provider: Provider) -> Person:
    """Bring somebody what is for them alone in this chat, where they have it. Raises `Invalid` at `/prefer`,
    `NotFound`."""

    async def inner(work: Work) -> Person:
        before = await _known(work, workspace, person_id)
        after = await set_preferred_in(work, before, provider)
        await _note_others(work, context, before, after)
        return after

    return await transact(context, inner)


async def set_times(
    context: Context, workspace: str, person_id: str, zone: str | None, digest: str | None
) -> tuple[Person, datetime | None]:
    """Both at once; `Invalid` names everything that is wrong."""
    faults: list[Fault] = []
    for check, value in ((_zone, zone), (_clock, digest)):
        try:
            check(value)
        except Invalid as invalid:
            faults += invalid.faults
    if faults:
        raise Invalid(faults)

    async def inner(work: Work) -> tuple[Person, datetime | None]:
        before = await _known(work, workspace, person_id)
        person, at = await set_digest_in(work, context, await set_zone_in(work, context, before, zone), digest)
        await _note_others(work, context, before, person)
        return person, at

    return await transact(context, inner)


async def set_calendar(context: Context, workspace: str, calendar: WorkingCalendar | None) -> None:
    """Keep when a workspace works; None: nobody says."""

    async def inner(work: Work) -> None:
        earlier = await work.calendar(workspace)
        await work.save_calendar(workspace, calendar)
        before, after = (one.model_dump(mode="json") if one is not None else None for one in (earlier, calendar))
        about = About(type="workspace", id=workspace)
        await note(work, context, workspace, Changed.CALENDAR, about, before=before, after=after)
        for person in await work.people(workspace):
            if person.digest is not None:
                await schedule_digest(work, context, person)

    await transact(context, inner)


async def set_zone_in(work: Work, context: Context, person: Person, zone: str | None) -> Person:
    """The same inside a transaction."""
    changed = person.model_copy(update={"timezone": _zone(zone)})
    await work.save_person(changed)
    await schedule_digest(work, context, changed)
    return changed


async def set_digest_in(
    work: Work, context: Context, person: Person, digest: str | None
) -> tuple[Person, datetime | None]:
    """The same inside a transaction."""
    changed = person.model_copy(update={"digest": _clock(digest)})
    await work.save_person(changed)
    return changed, await schedule_digest(work, context, changed)


async def set_preferred_in(work: Work, person: Person, provider: Provider) -> Person:
    """The same inside a transaction."""
    if provider.value not in {one.provider for one in person.identities}:
        raise Invalid.at("/prefer", f"no account in {provider.value.capitalize()} is known for this person")
    accounts = sorted(person.identities, key=lambda one: one.provider != provider.value)
    changed = person.model_copy(update={"identities": tuple(accounts)})
    await work.order_accounts(changed)
    return changed


async def _note_others(work: Work, context: Context, before: Person, after: Person) -> None:
    """Note what somebody at a shell changed of a person. What people set for themselves is theirs alone."""
    was, now = _set_of(before), _set_of(after)
    if context.actor.type != "cli" or was == now:
        return
    told_before, told_after = ({name: one[name] for name in one if was[name] != now[name]} for one in (was, now))
    about = about_person(after)
    await note(work, context, after.workspace, Changed.PERSON_SET, about, before=told_before, after=told_after)


def _set_of(person: Person) -> dict[str, JsonValue]:
    preferred = next((one.provider for one in person.identities), None)
    return {"zone": person.timezone, "digest": person.digest, "prefer": preferred}


async def schedule_digest(work: Work, context: Context, person: Person) -> datetime | None:
    """Make the next list due when it is to come, or no list at all."""
    at = await next_digest(work, person, context.clock.now())
    await work.set_due(DueKind.DIGEST, person.id, person.workspace, at)
    return at


def _zone(zone: str | None) -> str | None:
    name = (zone or "").strip()
    if not name:
        return None
    if len(name) > LONGEST_ZONE:
        raise Invalid.at("/zone", "there is no time zone with such a long name; write it like Europe/Madrid or UTC")
    try:
        zone_of(name)
    except ValueError as error:
        raise Invalid.at("/zone", str(error)) from None
    return name


def _clock(digest: str | None) -> str | None:
    if digest is None:
        return None
    found = _CLOCK.fullmatch(digest.strip())
    if found is None:
        raise Invalid.at("/digest", "write a time of day like 09:00")
    return f"{int(found[1]):02}:{found[2]}"


async def _known(work: Work, workspace: str, person_id: str) -> Person:
    person = await work.person(workspace, person_id)
    if person is None:
        raise NotFound("There is no such person.")
    return person
