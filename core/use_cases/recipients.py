"""Whom a reminder on one copy is for, when they may be reminded, and how they are called there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.addresses import ChatAddress, PersonAddress, Provider, parse_address
from core.held import Queued
from core.installations import may_be_in
from core.notices import Named
from core.nudging import windows
from core.people import Identity, Person
from core.policy import Nudges
from core.ports import Connection, Work
from core.publications import Publication
from core.quiet import WorkingCalendar, opens_at
from core.records import Interaction

MOST_CALLED = 8
"""How many people one reminder calls by name."""


@dataclass(frozen=True)
class Recipient:
    """Who hears of a reminder on one copy. `key` is whom it counts for: the person alone there, or the conversation."""

    publication: Publication
    people: tuple[Person, ...]
    zones: tuple[str, ...]

    @property
    def key(self) -> str:
        """A person's id where they are alone, else the conversation."""
        private = self.publication.is_private and len(self.people) == 1
        return self.people[0].id if private else self.publication.conversation

    def opens_at(self, at: datetime, nudges: Nudges | None, calendar: WorkingCalendar | None) -> datetime | None:
        """When they may be reminded, from `at` on; None: there is no such time."""
        return opens_in(self.zones, at, nudges, calendar)

    def hears_at(self, interaction: Interaction, at: datetime, calendar: WorkingCalendar | None) -> datetime | None:
        """When they may be reminded of it, from `at` on, and no sooner than they asked for; None: there is no such
        time, or whoever is alone there has voted, and it waits for others."""
        if self.publication.is_private and any(interaction.has_voted(person.id) for person in self.people):
            return None
        opens = self.opens_at(at, interaction.policy.nudges, calendar)
        return max(opens, self.snoozed_until(interaction) or opens) if opens is not None else None

    def snoozed_until(self, interaction: Interaction) -> datetime | None:
        """Until when everybody it calls wants to be left alone; None when somebody does not."""
        until = [interaction.reminding.snoozed_until(person.id) for person in self.people]
        if not until or any(moment is None for moment in until):
            return None
        return min(moment for moment in until if moment is not None)

    def calls(self, interaction: Interaction, now: datetime) -> tuple[Named, ...]:
        """Those to be called by name there: not in a private chat, nobody who voted, and nobody who is left alone."""
        if self.publication.is_private:
            return ()
        wanted = [
            Named(identity, person.name)
            for person in self.people
            if not interaction.has_voted(person.id)
            and (interaction.reminding.snoozed_until(person.id) or now) <= now
            and (identity := account_on(person, self.publication)) is not None
        ]
        return tuple(wanted[:MOST_CALLED])


def opens_in(
    zones: Sequence[str], at: datetime, nudges: Nudges | None, calendar: WorkingCalendar | None
) -> datetime | None:
    """When people in these zones may be disturbed, from `at` on; None: there is no such time."""
    found = opens_at(at, windows(nudges, zones, calendar))
    if found is not None or len(zones) < 2:
        return found
    # No moment suits all of them, so the first that suits one must do.
    each = [opens_at(at, windows(nudges, [zone], calendar)) for zone in zones]
    return min((moment for moment in each if moment is not None), default=None)


def account_on(person: Person, publication: Publication) -> Identity | None:
    """The account of a person that the chat of a copy knows."""
    for identity in person.identities:
        if may_be_in(identity, publication.provider, publication.account):
            return identity
    return None


async def recipient_of(work: Work, interaction: Interaction, publication: Publication) -> Recipient:
    """Whom a reminder on this copy is for."""
    if publication.is_private:
        own = await _person_at(work, interaction.workspace, publication)
        people: tuple[Person, ...] = (own,) if own is not None else ()
    else:
        named = await named_people(work, interaction)
        people = tuple(person for person in named if account_on(person, publication) is not None)
    zones = [await zone_of_person(work, person, publication) for person in people]
    if not people and publication.is_private:
        zones = [await work.profile_zone(interaction.workspace, _own_identity(publication))]
    return Recipient(publication, people, tuple(dict.fromkeys(zone for zone in zones if zone is not None)))


class Directory(Protocol):
    """Who people are and in which zone."""

    async def person_by_handle(self, workspace: str, handle: str) -> Person | None:
        """One person."""

    async def person_by_identity(self, workspace: str, identity: Identity) -> Person | None:
        """The person this identity is proved for."""

    async def connections(self, workspace: str) -> tuple[Connection, ...]:
        """The chats a workspace is connected to."""

    async def profile_zone(self, workspace: str, identity: Identity) -> str | None:
        """The time zone that a provider last said somebody is in."""


class Lookups(Directory, Protocol):
    """What is looked up to remind people: a `Work` can, inside its transaction, and so can `Records`."""

    async def calendar(self, workspace: str) -> WorkingCalendar | None:
        """When the workspace works; None: nobody said."""

    async def queued_reminders(self, workspace: str, interactions: Sequence[str]) -> dict[str, Queued]:
        """What is known of the reminders of each of these interactions that wait."""

    async def people_named(self, workspace: str, handles: Sequence[str], users: Sequence[str]) -> tuple[Person, ...]:
        """Those with one of these handles, or with an account whose name is one of `users` anywhere."""

    async def profile_zones(self, workspace: str, identities: Sequence[Identity]) -> dict[Identity, str]:
        """The time zones that providers last said these are in, where they did."""


async def zone_of_person(work: Directory, person: Person, publication: Publication | None = None) -> str | None:
    """A person's zone: what they set, else that of the account they are reached by, else that of any other."""
    if person.timezone is not None:
        return person.timezone
    first = account_on(person, publication) if publication is not None else None
    for identity in dict.fromkeys((first, *person.identities)):
        zone = await work.profile_zone(person.workspace, identity) if identity is not None else None
        if zone is not None:
            return zone
    return None


async def named_people(work: Directory, interaction: Interaction) -> tuple[Person, ...]:
    """The people whom the audience names, one by one; a role or a conversation names nobody."""
    return await people_among(work, interaction.workspace, interaction.audience.answerers)


async def people_among(work: Directory, workspace: str, answerers: Sequence[str]) -> tuple[Person, ...]:
    """The people among these answerers, one by one; a role or a conversation names nobody."""
    found: dict[str, Person] = {}
    for answerer in answerers:
        if is_collective(answerer):
            continue
        person = await _named(work, workspace, answerer)
        if person is not None:
            found[person.id] = person
    return tuple(found.values())


async def _named(work: Directory, workspace: str, answerer: str) -> Person | None:
    address = parse_address(answerer)
    if isinstance(address, PersonAddress):
        return await work.person_by_handle(workspace, address.handle)
    if not isinstance(address, ChatAddress):
        return None
    for identity in accounts_at(address, await work.connections(workspace)):
        person = await work.person_by_identity(workspace, identity)
        if person is not None:
            return person
    return None


def is_collective(answerer: str) -> bool:
    """Whether an answerer names no single person: a conversation, a role, a program."""
    return answerer == "conversation" or answerer.startswith(("role:", "agent:"))


def accounts_at(address: ChatAddress, chats: Sequence[Connection]) -> list[Identity]:
    """Whose own chat an address may be. Telegram numbers people once for all bots; in Slack a user is one within a
    team."""
    accounts = [one.account for one in chats if one.provider is address.provider]
    if address.account is not None:
        accounts = [address.account]
    if address.provider is Provider.TELEGRAM:
        accounts = [""]
    return [Identity(provider=address.provider.value, account=one, user=address.place) for one in accounts]


async def _person_at(work: Work, workspace: str, publication: Publication) -> Person | None:
    return await work.person_by_identity(workspace, _own_identity(publication))


def _own_identity(publication: Publication) -> Identity:
    """The account whose private chat this is, as it was addressed."""
    account = publication.account if publication.provider is Provider.SLACK else ""
    return Identity(provider=publication.provider.value, account=account, user=publication.place)
