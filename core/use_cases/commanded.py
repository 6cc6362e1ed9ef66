"""Commands by which people set their time zone, the time of their daily list and the chat they prefer, and what they
are told."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.addresses import Provider
from core.awaited import clock
from core.errors import Refused
from core.people import Identity, Person, Standing
from core.ports import Context, Work
from core.quiet import zone_of
from core.replies import Helped, Reply, Told
from core.use_cases.digests import USUAL_TIME, next_digest
from core.use_cases.people import recognise
from core.use_cases.recipients import zone_of_person
from core.use_cases.settings import set_digest_in, set_preferred_in, set_zone_in
from core.use_cases.transact import transact

EXAMPLE = "Europe/Madrid"
OFF = frozenset({"off", "none", "never"})
CHATS = tuple(provider.value for provider in Provider)
LONGEST = 64
"""Characters of a zone's name."""
HOW = "write a time of day like 09:00, or off"
_TIME = re.compile(r"(?:at\s+)?([01]?\d|2[0-3])(?:[:.h]([0-5]\d))?")

Apply = Callable[[Context, str, Identity, Standing, "Setting"], Awaitable[Reply]]
"""Sets something for whoever has this identity in a workspace, or says how it is set."""


@dataclass(frozen=True)
class Setting:
    """`words` are what it is to be (empty: say what it is) and `command` how it is spelled there, for saying how to
    change it: `/digest`, `/sayso digest`. `sets_zone` is how the zone is set."""

    apply: Apply
    words: str
    command: str
    sets_zone: str


async def zone_command(
    context: Context, workspace: str, identity: Identity, standing: Standing, asked: Setting
) -> Reply:
    """Set the time zone in which somebody says and reads times, or (`off`) take that of their chat's profile again."""
    try:
        zone = None if asked.words.lower() in ("", *OFF) else zone_named(asked.words)
    except ValueError as error:
        return _refused(error)

    async def inner(work: Work, person: Person) -> str:
        if not asked.words:
            return await _where(work, context, person, asked)
        person = await set_zone_in(work, context, person, zone)
        where, coming = await _where(work, context, person, asked), await _coming(work, context, person)
        return f"{where} {coming}" if coming else where

    return await _set(context, workspace, identity, standing, inner)


async def digest_command(
    context: Context, workspace: str, identity: Identity, standing: Standing, asked: Setting
) -> Reply:
    """Set at what time of day somebody gets the list of what waits for them, or (`off`) that they get none."""
    try:
        at = time_of(asked.words) if asked.words else None
    except ValueError as error:
        return _refused(error)

    async def inner(work: Work, person: Person) -> str:
        if asked.words:
            person, _ = await set_digest_in(work, context, person, at)
        if person.digest is None:
            return f"You get no list of what waits for you. {asked.command} {USUAL_TIME} brings it every morning."
        coming = await _coming(work, context, person)
        said = f"At {person.digest} you get the list of what waits for you, if anything does. {coming}"
        if await zone_of_person(work, person) is None:
            said += f" I do not know your time zone; {asked.sets_zone} {EXAMPLE} tells me."
        return f"{said} {asked.command} off ends it."

    return await _set(context, workspace, identity, standing, inner)


async def prefer_command(
    context: Context, workspace: str, identity: Identity, standing: Standing, asked: Setting
) -> Reply:
    """Set in which chat somebody gets what is for them alone."""
    wanted = asked.words.lower()
    if wanted and wanted not in CHATS:
        return _refused(ValueError(f"write {asked.command} {' or '.join(CHATS)}"))

    async def inner(work: Work, person: Person) -> str:
        if wanted:
            person = await set_preferred_in(work, person, Provider(wanted))
        known = list(dict.fromkeys(one.provider for one in person.identities if one.provider in CHATS))
        said = f"What is for you alone comes in {known[0].capitalize()}."
        return f"{said} {asked.command} {known[1]} changes it." if len(known) > 1 else said

    return await _set(context, workspace, identity, standing, inner)


def zone_named(words: str) -> str:
    """The IANA name of a zone as people write it: `europe/madrid`, `America/New York`, `utc`. ValueError when there
    is none."""
    written = re.sub(r"\s+", "_", words.strip())[:LONGEST]
    for name in (written, written.upper(), written.title()):
        try:
            return zone_of(name).key
        except ValueError:
            continue
    raise ValueError(f"there is no time zone called {written}; write it like {EXAMPLE} or UTC")


def time_of(words: str) -> str | None:
    """`HH:MM` of a time of day as people write it: `9`, `9:30`, `on`; None: off. ValueError says how to write it."""
    written = " ".join(words.lower().split())
    if written in OFF:
        return None
    found = _TIME.fullmatch(USUAL_TIME if written == "on" else written)
    if found is None:
        raise ValueError(HOW)
    return f"{int(found[1]):02}:{found[2] or '00'}"


async def _set(
    context: Context,
    workspace: str,
    identity: Identity,
    standing: Standing,
    inner: Callable[[Work, Person], Awaitable[str]],
) -> Reply:
    async def within(work: Work) -> str:
        return await inner(work, await recognise(work, context, workspace, identity, standing))

    try:
        return Helped(await transact(context, within))
    except Refused as refused:
        return Told(str(refused))


def _refused(error: ValueError) -> Told:
    said = str(error)
    return Told(f"{said[:1].upper()}{said[1:]}. Nothing has changed.")


async def _coming(work: Work, context: Context, person: Person) -> str:
    """When the next list comes; nothing for whoever wants none."""
    if person.digest is None:
        return ""
    at = await next_digest(work, person, context.clock.now())
    if at is None:
        return "The calendar of this workspace has no working day in sight, so none comes."
    return f"The next one comes on {clock(at, zone_of(await _zone(work, person)))}."


async def _where(work: Work, context: Context, person: Person, asked: Setting) -> str:
    """Which zone somebody is in, and who says so."""
    zone = await _zone(work, person)
    now = clock(context.clock.now(), zone_of(zone))
    if person.timezone is not None:
        return f"Your time zone is {zone}: it is {now} there. {asked.command} off forgets it."
    if await zone_of_person(work, person) is not None:
        return f"Your time zone is {zone}, as your profile says: it is {now} there. {asked.command} … changes it."
    return f"I do not know your time zone, so I take {zone}: it is {now} there. {asked.command} {EXAMPLE} sets it."


async def _zone(work: Work, person: Person) -> str:
    calendar = await work.calendar(person.workspace)
    return await zone_of_person(work, person) or (calendar.zone if calendar else "UTC")
