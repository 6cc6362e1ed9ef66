"""Whom a card waits for, in one plain sentence or two, for people who may read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from core.held import Held, Reason
from core.people import Person
from core.records import Interaction

MOST_NAMED = 5
HELD = {
    Reason.QUIET_HOURS: "A reminder waits for quiet hours to end",
    Reason.NOT_WORKING_DAY: "A reminder waits for a working day",
    Reason.PUT_OFF: "A reminder waits, as everybody it is for put it off",
    Reason.RATE_CAP: "A reminder waits to come in one list with others, as there were three within an hour",
    Reason.PROVIDER_PACE: "A reminder waits for the chat to take it",
}


@dataclass(frozen=True)
class Awaited:
    """Who may still answer: `people` by name, `others` such as everybody in the conversation; how many are needed and
    how many have accepted; who wants to be left alone until when; and when people are reminded next."""

    people: tuple[str, ...]
    others: tuple[str, ...]
    needed: int
    accepted: int
    away: tuple[tuple[str, datetime], ...]
    next_at: datetime | None


def awaited(interaction: Interaction, named: Sequence[Person], next_at: datetime | None, now: datetime) -> Awaited:
    """Whom it waits for now."""
    others = []
    if "conversation" in interaction.audience.answerers:
        others.append("anyone in the conversation")
    if "role:operator" in interaction.audience.answerers:
        others.append("any operator")
    others += [
        f"agent {one.removeprefix('agent:')}" for one in interaction.audience.answerers if one.startswith("agent:")
    ]
    return Awaited(
        people=tuple(person.name for person in named if not interaction.has_voted(person.id)),
        others=tuple(others),
        needed=interaction.audience.quorum,
        accepted=sum(vote.accepted for vote in interaction.votes),
        away=tuple(
            (one.by.name or one.by.handle or "someone", one.until)
            for one in interaction.reminding.snoozes
            if one.until > now
        ),
        next_at=next_at,
    )


def awaited_words(found: Awaited, zone: ZoneInfo) -> str:
    """The same in words."""
    names = list(found.people[:MOST_NAMED])
    if len(found.people) > MOST_NAMED:
        names.append(f"{len(found.people) - MOST_NAMED} more")
    who = [*names, *found.others]
    parts = [f"Waiting for {_either(who)}." if who else "There is nobody left to answer."]
    if found.needed > 1:
        parts.append(f"{found.accepted} of {found.needed} have accepted.")
    parts += [f"{name} is reminded at {clock(until, zone)}." for name, until in found.away[:MOST_NAMED]]
    if found.next_at is not None:
        parts.append(f"Next reminder: {clock(found.next_at, zone)}.")
    return " ".join(parts)


def held_words(held: Sequence[Held], zone: ZoneInfo) -> str:
    """The same in words; empty when nothing waits."""
    said = (f"{HELD[one.reason]}{f': {clock(one.until, zone)}' if one.until else ''}." for one in held)
    return " ".join(dict.fromkeys(said))


def clock(at: datetime, zone: ZoneInfo) -> str:
    """A moment as somebody in `zone` reads it: `Thu 3 Dec, 09:00 CET`."""
    local = at.astimezone(zone)
    return f"{local:%a} {local.day} {local:%b}, {local:%H:%M %Z}"


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
