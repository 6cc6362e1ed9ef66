"""What may be read without locking anything: for the API, the pages, `doctor` and the metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from core.access import Session
from core.audit import AuditReads
from core.drafts import Draft
from core.dues import DueKind
from core.events import Event, EventType
from core.examining import ExaminingReads
from core.exporting import ExportReads
from core.held import Queued
from core.installations import InstallationReads
from core.kinds import Kind
from core.loops.keeping import LoopReads
from core.outbox import Lane
from core.people import Agent, Identity, Person, Standing
from core.publications import Publication
from core.quiet import WorkingCalendar
from core.receipts import Receipt
from core.records import Interaction, Status
from core.restoring import RestoringReads
from core.retention import RetentionReads
from core.signing import SigningReads
from core.tasks import Task
from core.tools.keeping import ToolReads
from core.upkeep import Attempt
from core.urgency import Urgency

if TYPE_CHECKING:
    from core.ports import Connection


@dataclass(frozen=True)
class Whole:
    """An interaction and its copies, read at one moment."""

    interaction: Interaction
    publications: tuple[Publication, ...]


@dataclass(frozen=True)
class Counts:
    """How things stand now. `overdue` are pending past their time; per lane `waiting` counts what is owed and
    `late_since` says since when the oldest due delivery has been waiting; `undone_since` the same of what the timer is
    to do, by kind."""

    pending: int
    overdue: int
    overdue_since: datetime | None
    unknown_posts: int
    waiting_arrivals: int
    abandoned: int
    retrying: int
    waiting: Mapping[Lane, int] = field(default_factory=dict)
    late_since: Mapping[Lane, datetime] = field(default_factory=dict)
    undone_since: Mapping[DueKind, datetime] = field(default_factory=dict)


@dataclass(frozen=True)
class Announced:
    """An event without what it carries, and how its deliveries by webhook went, in order."""

    id: str
    type: EventType
    at: datetime
    attempts: tuple[Attempt, ...] = ()


class Records(
    AuditReads,
    LoopReads,
    ToolReads,
    InstallationReads,
    ExaminingReads,
    SigningReads,
    ExportReads,
    RetentionReads,
    RestoringReads,
    Protocol,
):
    """The read side. Every question about rows of a workspace names it, and another's rows are never seen.

    `visible_to` narrows to what an agent may read: what it created, or is named in as `agent:<name>`. An operator
    key, and None (a signed-in operator), see the whole workspace.
    """

    async def interaction(self, workspace: str, id: str, visible_to: Agent | None) -> Whole | None:
        """One interaction with its copies."""

    async def interactions(
        self,
        workspace: str,
        visible_to: Agent | None,
        *,
        after: str | None = None,
        limit: int = 50,
        statuses: Sequence[Status] = (),
        kinds: Sequence[Kind] = (),
    ) -> Sequence[Whole]:
        """Newest first, those older than the id `after`; empty `statuses` or `kinds` mean any."""

    async def receipts(self, workspace: str, interaction: str) -> tuple[Receipt, ...]:
        """The whole chain, in order."""

    async def draft(self, workspace: str, interaction: str, scope: str) -> Draft | None:
        """What is filled in there and not sent."""

    async def live_drafts(self, workspace: str, interaction: str) -> tuple[Draft, ...]:
        """The drafts of people who are answering just now, by when they were touched."""

    async def due_interactions(self, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """`(workspace, id)` of pending interactions whose time is over, longest over first; of all workspaces."""

    async def lapsed_drafts(self, before: datetime, limit: int) -> Sequence[Draft]:
        """Live drafts last touched before `before`, of all workspaces."""

    async def tasks(
        self,
        workspace: str,
        visible_to: Agent | None,
        *,
        interaction: str | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> Sequence[Task]:
        """Accepted tasks, newest first, older than the id `after`; of one interaction if it is named."""

    async def has_acted(self, workspace: str, interaction: str, person: Person) -> bool:
        """Whether a receipt of the interaction is this person's, by id or by an identity that is now theirs."""

    async def open_for(
        self, workspace: str, person: Person, *, after: Urgency | None = None, limit: int = 50
    ) -> Sequence[Interaction]:
        """As `Work.open_for`: what may wait on this person, in the order of its urgency, from the place `after` on."""

    async def unseen_places(self, workspace: str, person: Person, limit: int) -> Sequence[Publication]:
        """A copy in each conversation that something pending is asked of as a whole, of a chat that this person has an
        account in, and where they were not seen yet; those asked last first."""

    async def past_for(
        self, workspace: str, person: Person, *, after: str | None = None, limit: int = 50
    ) -> Sequence[Interaction]:
        """What this person acted on and is settled, newest first, older than the id `after`."""

    async def event(self, workspace: str, id: str) -> Event | None:
        """One event."""

    async def events(
        self,
        workspace: str,
        visible_to: Agent | None,
        *,
        after: int = 0,
        limit: int = 100,
        types: Sequence[str] = (),
    ) -> Sequence[Event]:
        """Events in the order of commit from the position after `after`. Nothing ever appears at a position at or
        before one that was returned."""

    async def announced(self, workspace: str, interaction: str) -> tuple[Announced, ...]:
        """What was announced of one interaction, in the order of commit."""

    async def last_position(self, workspace: str) -> int:
        """The position of the newest event; 0 before the first."""

    async def attempts(self, event: str) -> Sequence[Attempt]:
        """How the deliveries of an event went, in order."""

    async def agent_by_key(self, key_hash: str, now: datetime) -> Agent | None:
        """The agent whose key, or key before a rotation, has this hash; None when it is unknown, over or revoked."""

    async def agent_given(self, key_hash: str) -> Agent | None:
        """The agent that was given the key with this hash, whether or not the key is still good."""

    async def agent(self, workspace: str, id: str) -> Agent | None:
        """One agent."""

    async def agents(self, workspace: str) -> tuple[Agent, ...]:
        """All agents, by name; revoked ones too."""

    async def webhook_secrets(self, agent: str, now: datetime) -> tuple[str, ...]:
        """The secrets to sign with, newest first: two during a rotation."""

    async def session(self, token: str, now: datetime) -> Session | None:
        """The session whose cookie has this hash, while it is good."""

    async def person(self, workspace: str, id: str) -> Person | None:
        """One person."""

    async def person_by_handle(self, workspace: str, handle: str) -> Person | None:
        """One person."""

    async def person_by_identity(self, workspace: str, identity: Identity) -> Person | None:
        """The person this identity is proved for."""

    async def people(self, workspace: str) -> tuple[Person, ...]:
        """All people, by handle."""

    async def workspaces(self) -> tuple[str, ...]:
        """The ids of all workspaces, oldest first."""

    async def connections(self, workspace: str) -> tuple[Connection, ...]:
        """The chats a workspace is connected to."""

    async def connection_at(self, provider: str, account: str) -> Connection | None:
        """The connection of this account, which says whose workspace an arrival belongs to."""

    async def standing(self, workspace: str, identity: Identity) -> tuple[Standing, datetime] | None:
        """What a provider last said of an identity, and when it was asked."""

    async def queued_reminders(self, workspace: str, interactions: Sequence[str]) -> dict[str, Queued]:
        """What is known of the reminders of each of these interactions that wait."""

    async def people_named(self, workspace: str, handles: Sequence[str], users: Sequence[str]) -> tuple[Person, ...]:
        """Those with one of these handles, or with an account whose name is one of `users` anywhere."""

    async def profile_zones(self, workspace: str, identities: Sequence[Identity]) -> dict[Identity, str]:
        """The time zones that providers last said these are in, where they did."""

    async def profile_zone(self, workspace: str, identity: Identity) -> str | None:
        """The time zone that a provider last said somebody is in."""

    async def calendar(self, workspace: str) -> WorkingCalendar | None:
        """When the workspace works; None: nobody said."""

    async def last_seen(self, workspace: str, identity: Identity, conversation: str) -> datetime | None:
        """When the person of an identity last acted in a conversation (`slack:T1.C1`); None when never."""

    async def counts(self, now: datetime, workspace: str | None = None) -> Counts:
        """How things stand, over all workspaces."""
