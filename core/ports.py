"""What the shell must provide: chats to post to, a transaction to work in, a clock and ids.

Every implementation passes the contract suite of its port (`tests/contracts`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeVar

from core.access import Access
from core.addresses import Provider
from core.audit import SERVICE, Actor, AuditWork
from core.drafts import DraftWork
from core.dues import DueWork
from core.events import Event
from core.installations import InstallationWork
from core.loops.keeping import LoopWork
from core.outbox import Claimed, Lane, OwedWork
from core.people import Agent, Identity, Person
from core.publications import Publication
from core.receipts import Receipt, ReceiptDraft
from core.records import Interaction
from core.reminding import ReminderWork
from core.restoring import RestoringWork
from core.retention import RetentionWork
from core.signing import SigningWork
from core.tasks import Task
from core.tools.keeping import ToolWork
from core.turned_back import TurnedBackWork
from core.upkeep import Upkeep

T = TypeVar("T")


@dataclass(frozen=True)
class Connection:
    """A Slack installation or a Telegram bot: which account it is and what it calls itself.

    `problem` is why it cannot be used since its credentials stopped working, in words for the operator.
    """

    id: str
    workspace: str
    provider: Provider
    account: str
    name: str
    bot_user: str
    problem: str | None = None


@dataclass(frozen=True)
class Committed:
    """What a commit changed, for those who wait: ids of interactions, the newest event position per workspace, and the
    lanes in which something is owed. `dropped` are accounts, each with its workspace, of which what was kept of them no
    longer holds. `missed`: such notices were lost, so anything may have changed. `events` are known only in the process
    that committed them."""

    interactions: tuple[str, ...] = ()
    positions: tuple[tuple[str, int], ...] = ()
    lanes: tuple[Lane, ...] = ()
    dropped: tuple[tuple[str, Identity], ...] = ()
    missed: bool = False
    events: tuple[Event, ...] = field(default=(), compare=False)


Wake = Callable[[Committed], None]
"""Called after a commit, in the process that made it. Must return at once."""


class Work(
    Access,
    AuditWork,
    Upkeep,
    DraftWork,
    DueWork,
    ReminderWork,
    LoopWork,
    OwedWork,
    ToolWork,
    InstallationWork,
    SigningWork,
    RetentionWork,
    RestoringWork,
    TurnedBackWork,
    Protocol,
):
    """One transaction. Leaving without `commit` rolls everything back; any method may raise `Raced`, and then the
    whole is to be done again from what stands.

    What is loaded through `interaction`, or as a copy of one, is locked until the end (the interaction as a whole), so
    that two acts on one interaction run one after the other; a conditional write guards it all the same and raises
    `Raced`. Never wait for anything but this transaction inside it: others wait for it.
    """

    async def interaction(self, workspace: str, id: str) -> Interaction | None:
        """Load and lock one interaction of the workspace."""

    async def add_interaction(self, interaction: Interaction) -> None:
        """Insert a new one."""

    async def save_interaction(self, before: Interaction, after: Interaction, now: datetime | None) -> None:
        """Write `after`, whose version is not smaller, where the row is still at `before.version` and, when it leaves
        `pending`, still pending and, with `now`, not past its `due_at`. Raises `Raced` when no row matched. Settling
        frees its idempotency key."""

    async def pending_by_key(self, workspace: str, creator: str, key: str) -> Interaction | None:
        """Load and lock the pending interaction with this creator and `supersede_key`."""

    async def pending_by_sole_key(self, workspace: str, creator: str, key: str) -> Interaction | None:
        """Load and lock the pending interaction with this creator and `sole_key`."""

    async def rejected_like(self, asked: Interaction, limit: int) -> tuple[Interaction, ...]:
        """Those with this creator that asked the same people the same and were rejected, newest first."""

    async def add_tasks(self, new: Sequence[Task]) -> None:
        """Insert accepted tasks."""

    async def publications(self, interaction: str) -> tuple[Publication, ...]:
        """All copies, by number."""

    async def publication(self, id: str) -> Publication | None:
        """One copy."""

    async def publication_at(self, provider: str, account: str, channel: str, message: str) -> Publication | None:
        """The copy that is this message."""

    async def copy_reminded_of(self, provider: str, account: str, channel: str, message: str) -> Publication | None:
        """The copy that this message reminds of."""

    async def open_copies_in_thread(
        self, provider: str, account: str, channel: str, thread: str
    ) -> tuple[Publication, ...]:
        """The copies of pending interactions that were posted into a thread which was there before."""

    async def open_copies_to(self, workspace: str, person: Person, limit: int) -> tuple[Publication, ...]:
        """Copies of pending interactions that were sent to one of a person's accounts and have not failed."""

    async def add_publication(self, publication: Publication) -> None:
        """Insert a copy."""

    async def save_publication(self, publication: Publication) -> None:
        """Write a copy."""

    async def move_channel(self, provider: str, account: str, old: str, new: str) -> tuple[Publication, ...]:
        """A conversation got a new id: re-address its drafts, the words owed to it and the copies of pending
        interactions.

        Messages stay behind under their old ids, so these copies are `queued` without one, and its prompts are dropped.
        Returns the copies, which are to be posted anew."""

    async def record(self, draft: ReceiptDraft, interaction: str) -> Receipt:
        """Seal a receipt after the last one of the interaction and insert it."""

    async def receipts(self, interaction: str) -> tuple[Receipt, ...]:
        """The whole chain, in order."""

    async def announce(self, event: Event) -> None:
        """Insert an event. Its position is assigned at commit, under the workspace's lock."""

    async def event(self, id: str) -> Event | None:
        """One event."""

    async def first_seen(self, key: str, provider: str, raw: str, now: datetime) -> bool:
        """Enter an arrival in the inbox and lock it; False when its key was there and done (`arrival_reply` has
        what was told then)."""

    async def arrival_reply(self, key: str) -> str | None:
        """The reply stored with a done arrival."""

    async def arrival_done(self, key: str, reply: str | None, now: datetime) -> None:
        """Mark an arrival done, with the reply to give again to a redelivery."""

    async def person(self, workspace: str, id: str) -> Person | None:
        """One person."""

    async def people(self, workspace: str) -> tuple[Person, ...]:
        """All people, by handle."""

    async def person_by_handle(self, workspace: str, handle: str) -> Person | None:
        """One person."""

    async def person_by_identity(self, workspace: str, identity: Identity) -> Person | None:
        """The person this identity is proved for."""

    async def add_person(self, person: Person) -> None:
        """Insert a person with their identities. `Raced` when an identity or handle was taken meanwhile."""

    async def order_accounts(self, person: Person) -> None:
        """Keep the order of a person's accounts; the first is preferred."""

    async def add_identity(self, person: str, workspace: str, identity: Identity) -> None:
        """Attach a proved identity, taking it from an automatic member with all that member has, as `merge_people`
        does. `Invalid` when it is proved for someone else."""

    async def merge_people(self, old: Person, person: Person) -> None:
        """Make two members one: `old` is removed, and whatever is open and names them names `person`, who has their
        accounts, what they did on pending interactions, their work orders and what they set for themselves."""

    async def remove_identity(self, workspace: str, person: str, identity: Identity) -> bool:
        """Detach an identity; False when it is not this person's. `Invalid` when it is their last."""

    async def agent(self, workspace: str, id: str) -> Agent | None:
        """One agent."""

    async def agent_by_name(self, workspace: str, name: str) -> Agent | None:
        """One agent."""

    async def connections(self, workspace: str) -> tuple[Connection, ...]:
        """The chats this workspace is connected to."""

    async def add_connection(self, connection: Connection, now: datetime) -> None:
        """Insert one. `Raced` when the account is connected already, here or in another workspace."""

    async def save_connection(self, connection: Connection) -> None:
        """Write name, bot user and problem."""

    async def open_for(self, workspace: str, person: Person, limit: int) -> Sequence[Interaction]:
        """Pending, not dismissed interactions that may wait on this person: named in the audience, or `conversation`
        where they were seen; in the order of their urgency. A hint for lists: authority is judged elsewhere."""

    async def foresee_posts(self, workspace: str) -> None:
        """Say that a card is about to be asked in chats: what that takes may be fetched with what is asked next."""

    async def foresee_answer(self, workspace: str, interaction: str, identity: Identity) -> None:
        """Say that someone is about to answer: what that takes may be fetched with what is asked next, and the
        interaction locked. Changes nothing that anybody is told."""

    async def foresee_end(self, interaction: str, copies: Sequence[Publication]) -> None:
        """Say that an interaction is about to be settled, with these copies: the same."""

    async def commit(self) -> None:
        """Make everything durable, then wake whoever waits for it."""


class WorkFactory(Protocol):
    """Opens transactions."""

    def __call__(self) -> AbstractAsyncContextManager[Work]:
        """Open one for whoever also has other things to wait for. What was not committed is rolled back."""

    async def run(self, inner: Callable[[Work], Awaitable[T]]) -> T:
        """Run `inner` in one and commit it: the quick way, in which `inner` may wait for nothing but its work."""


class Outbox(Protocol):
    """The relay's side of what is owed. Each call is a transaction of its own."""

    async def claim(
        self, lanes: Sequence[Lane], now: datetime, lease_until: datetime, owner: str, limit: int
    ) -> Sequence[Claimed]:
        """Take due deliveries: unclaimed or with a lapsed lease, the oldest of its lane and key, one per key."""

    async def next_due(self, lanes: Sequence[Lane]) -> datetime | None:
        """When the next delivery of these lanes falls due or its lease lapses (may be past); None: nothing is owed."""


class Clock(Protocol):
    """The time."""

    def now(self) -> datetime:
        """The moment, aware, in UTC."""


class Ids(Protocol):
    """New ids."""

    def new(self, prefix: str) -> str:
        """One with this prefix, later than all before it."""


@dataclass(frozen=True)
class Context:
    """What every use case needs."""

    work: WorkFactory
    clock: Clock
    ids: Ids
    review_base: str
    """`https://host/review/`; the id is appended."""
    actor: Actor = SERVICE
    """Who acts where nobody else is named: the audit says so."""

    def review_url(self, interaction: str) -> str:
        """Where the full form of an interaction is."""
        return self.review_base + interaction

    @property
    def inbox_url(self) -> str:
        """Where a person finds what waits for them."""
        return self.review_base.removesuffix("review/") + "inbox"

    @property
    def signin_url(self) -> str:
        """Where a person signs in."""
        return self.review_base.removesuffix("review/") + "signin"
