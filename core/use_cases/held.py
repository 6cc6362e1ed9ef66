"""Which reminders of cards wait, and why: of a whole page of them with a handful of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.addresses import ChatAddress, PersonAddress, parse_address
from core.held import Held, held_of, is_held_back
from core.nudging import next_nudge, windows
from core.people import Identity, Person
from core.ports import Connection, Context, Work
from core.publications import Publication
from core.quiet import Window
from core.records import Interaction
from core.snapshot import snapshot
from core.use_cases.recipients import Lookups, accounts_at, is_collective, people_among, zone_of_person


async def held_reminders(
    work: Lookups, workspace: str, interactions: Sequence[Interaction], now: datetime
) -> dict[str, tuple[Held, ...]]:
    """The reminders of a workspace's interactions that do not go out yet, and why, by the interaction's id. Those of
    which none waits are left out."""
    reminded = [one for one in interactions if one.is_pending and one.policy.nudges is not None]
    if not reminded:
        return {}
    queued = await work.queued_reminders(workspace, [one.id for one in reminded])
    left_alone = [one for one in reminded if is_held_back(queued[one.id], next_nudge(one), now)]
    closed = await _closed(work, workspace, left_alone) if left_alone else {}
    held = {one.id: held_of(queued[one.id], next_nudge(one), closed.get(one.id, ()), now) for one in reminded}
    return {id: found for id, found in held.items() if found}


async def seen(
    work: Work, context: Context, interaction: Interaction, publications: Sequence[Publication], now: datetime
) -> dict[str, Any]:
    """An interaction as the outside sees it, inside a transaction."""
    held = await held_reminders(work, interaction.workspace, [interaction], now)
    return snapshot(interaction, publications, context.review_url(interaction.id), held.get(interaction.id, ()))


async def _closed(work: Lookups, workspace: str, cards: Sequence[Interaction]) -> dict[str, tuple[Window, ...]]:
    """For what those whom each of these cards names are left alone."""
    directory, calendar = await _directory(work, workspace, cards), await work.calendar(workspace)
    found = {}
    for card in cards:
        named = await people_among(directory, workspace, card.audience.answerers)
        zones = [await zone_of_person(directory, person) for person in named]
        known = tuple(dict.fromkeys(zone for zone in zones if zone is not None))
        found[card.id] = windows(card.policy.nudges, known, calendar)
    return found


@dataclass(frozen=True)
class _Directory:
    """The people of one workspace whom some cards name, read at once."""

    by_handle: dict[str, Person]
    by_identity: dict[Identity, Person]
    zones: dict[Identity, str]
    chats: tuple[Connection, ...]

    async def person_by_handle(self, _workspace: str, handle: str) -> Person | None:
        return self.by_handle.get(handle)

    async def person_by_identity(self, _workspace: str, identity: Identity) -> Person | None:
        return self.by_identity.get(identity)

    async def connections(self, _workspace: str) -> tuple[Connection, ...]:
        return self.chats

    async def profile_zone(self, _workspace: str, identity: Identity) -> str | None:
        return self.zones.get(identity)


async def _directory(work: Lookups, workspace: str, cards: Sequence[Interaction]) -> _Directory:
    chats = await work.connections(workspace)
    handles, accounts = dict[str, None](), dict[Identity, None]()
    for answerer in dict.fromkeys(answerer for card in cards for answerer in card.audience.answerers):
        address = parse_address(answerer) if not is_collective(answerer) else None
        if isinstance(address, PersonAddress):
            handles[address.handle] = None
        elif isinstance(address, ChatAddress):
            accounts |= dict.fromkeys(accounts_at(address, chats))
    users = [one.user for one in accounts]
    people = await work.people_named(workspace, list(handles), users) if handles or users else ()
    unset = [one for person in people if person.timezone is None for one in person.identities]
    return _Directory(
        by_handle={person.handle: person for person in people},
        by_identity={one: person for person in people for one in person.identities},
        zones=await work.profile_zones(workspace, unset) if unset else {},
        chats=chats,
    )
