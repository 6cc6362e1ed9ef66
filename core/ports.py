"""What the shell must provide: chats to post to, a transaction to work in, a clock and ids.

Every implementation passes the contract suite of its port (`tests/contracts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from core.access import Access
from core.addresses import Provider
from core.cards import Card
from core.drafts import Draft, Prompt
from core.dues import DueWork
from core.events import Event
from core.loops.cards import AlertCard, LoopCard
from core.loops.keeping import LoopWork
from core.loops.owed import AskLoopWords
from core.loops.values import Loop, LoopCopy
from core.notices import DigestNotice, ReminderNotice
from core.outbox import AskWords, Claimed, Delivery, Lane, Say, SendDigest
from core.people import Agent, Identity, Membership, Person, Standing
from core.publications import Publication, Surface
from core.receipts import Receipt, ReceiptDraft
from core.records import Interaction
from core.reminding import ReminderWork
from core.tasks import Task
from core.upkeep import Upkeep


@dataclass(frozen=True)
class Posted:
    """Where a message is: the conversation it landed in (a direct message may differ from the address) and its id."""

    channel: str
    message: str
    surface: Surface | None = None


class Channel(Protocol):
    """One connection to a chat. Every method raises only `ChannelError`s."""

    provider: Provider
    account: str

    async def post(self, card: Card, publication: Publication) -> Posted:
        """Post a card, once, without retrying: an unknown outcome is `Ambiguous`."""

    async def find(self, publication: Publication) -> Posted | None:
        """Look for a post whose answer was lost. None: it is not there. `Ambiguous`: this chat cannot be searched."""

    async def redraw(self, card: Card, publication: Publication) -> Surface:
        """Make the posted copy show the card as it is. Repeating it is harmless."""

    async def say(self, words: Say) -> Posted:
        """Send plain words."""

    async def ask_words(self, prompt: AskWords, card: Card) -> Posted:
        """Send a prompt whose reply will be the words asked for."""

    async def take_back(self, channel: str, message: str) -> None:
        """Delete a message of ours. That it is gone already is `MessageGone` or `Misrendered`."""

    async def remind(self, notice: ReminderNotice, publication: Publication) -> Posted:
        """Send a reminder under a posted copy, once, without retrying."""

    async def end_reminder(self, notice: ReminderNotice, publication: Publication, where: Posted) -> None:
        """Make a reminder that was sent say how its card ended. `MessageGone` when it is not there any more."""

    async def digest(self, digest: DigestNotice, where: SendDigest) -> Posted:
        """Send the list of what waits for somebody, once, without retrying."""

    async def standing(self, identity: Identity) -> Standing:
        """What the provider says of an identity now; `known=False` when it could not be asked."""

    async def membership(self, identity: Identity, channel: str) -> Membership:
        """Whether an identity is now a member of a conversation."""

    async def place_name(self, place: str) -> str:
        """What a conversation, or the person whose direct message it is, is called; empty when it has no name."""


@runtime_checkable
class LoopChannel(Protocol):
    """What a chat that shows work orders can do besides. Every method raises only `ChannelError`s.

    `copy.thread` is the thread or topic to post into, `copy.reply_to` the message to hang it under.
    """

    async def post_loop(self, card: LoopCard, copy: LoopCopy) -> Posted:
        """Post a loop's card, once, without retrying: an unknown outcome is `Ambiguous`."""

    async def find_loop(self, loop: Loop, copy: LoopCopy) -> Posted | None:
        """Look for a post whose answer was lost. None: it is not there. `Ambiguous`: this chat cannot be searched."""

    async def redraw_loop(self, card: LoopCard, copy: LoopCopy) -> None:
        """Make the posted card show the loop as it is. Repeating it is harmless."""

    async def ask_loop_words(self, prompt: AskLoopWords, loop: Loop) -> Posted:
        """Send a prompt whose reply will be the result or the reason asked for."""

    async def post_alert(self, card: AlertCard, copy: LoopCopy) -> Posted:
        """Post an alert, once, without retrying."""

    async def redraw_alert(self, card: AlertCard, copy: LoopCopy) -> None:
        """Make a posted alert show that there is an order for it."""


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
    lanes in which something is owed. `missed`: such notices were lost, so anything may have changed."""

    interactions: tuple[str, ...] = ()
    positions: tuple[tuple[str, int], ...] = ()
    lanes: tuple[Lane, ...] = ()
    missed: bool = False


Wake = Callable[[Committed], None]
"""Called after a commit, in the process that made it. Must return at once."""


class Work(Access, Upkeep, DueWork, ReminderWork, LoopWork, Protocol):
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

    async def add_tasks(self, new: Sequence[Task]) -> None:
        """Insert accepted tasks."""

    async def publications(self, interaction: str) -> tuple[Publication, ...]:
        """All copies, by number."""

    async def publication(self, id: str) -> Publication | None:
        """One copy."""

    async def publication_at(self, provider: str, account: str, channel: str, message: str) -> Publication | None:
        """The copy that is this message."""

    async def open_copies_in_thread(
        self, provider: str, account: str, channel: str, thread: str
    ) -> tuple[Publication, ...]:
        """The copies of pending interactions that were posted into a thread which was there before."""

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

    async def owe(self, delivery: Delivery) -> None:
        """Add to the outbox. A `RedrawCard` is not added while one for the same publication waits unclaimed; that one
        is then done no later than this one would have been, unless it was postponed: then it waits until then."""

    async def finish(self, claimed: Claimed) -> bool:
        """Mark a claimed delivery done; False when the claim was lost to another worker."""

    async def postpone(
        self, claimed: Claimed, due_at: datetime, error: str, *, blocking: bool = True, tried: bool = True
    ) -> bool:
        """Give a claimed delivery back to be done at `due_at`; False when the claim was lost. Not `blocking`: later
        ones of its key may overtake. Not `tried`: it only waited, which is no attempt."""

    async def abandon(self, claimed: Claimed, error: str) -> bool:
        """Mark a claimed delivery as never to be done; False when the claim was lost."""

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

    async def add_identity(self, person: str, workspace: str, identity: Identity) -> None:
        """Attach a proved identity, taking it from an automatic member who has no other; that member is removed and
        their votes on pending interactions become this person's. `Invalid` when it is proved for someone else."""

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

    async def draft(self, interaction: str, scope: str) -> Draft | None:
        """What is filled in there."""

    async def save_draft(self, draft: Draft) -> None:
        """Insert or replace."""

    async def drop_draft(self, interaction: str, scope: str) -> None:
        """Forget."""

    async def live_drafts(self, interaction: str) -> tuple[Draft, ...]:
        """The drafts of people who are answering just now."""

    async def drop_drafts(self, interaction: str) -> None:
        """Forget all of an interaction that were filled in in a chat. What somebody typed on its page is still shown
        back to them."""

    async def prompt_at(self, provider: str, account: str, channel: str, message: str) -> Prompt | None:
        """The prompt that is this message."""

    async def add_prompt(self, prompt: Prompt) -> None:
        """Insert or replace."""

    async def prompts_in(self, interaction: str, provider: str, account: str, channel: str) -> tuple[Prompt, ...]:
        """The prompts about an interaction in one conversation."""

    async def drop_prompt(self, prompt: Prompt) -> None:
        """Forget one: a reply to it is words like any other."""

    async def open_for(self, workspace: str, person: Person, limit: int) -> Sequence[Interaction]:
        """Pending, not dismissed interactions that may wait on this person: named in the audience, or `conversation`
        where they were seen; newest first. A hint for lists: authority is judged elsewhere."""

    async def commit(self) -> None:
        """Make everything durable, then wake whoever waits for it."""


WorkFactory = Callable[[], AbstractAsyncContextManager[Work]]


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

    def review_url(self, interaction: str) -> str:
        """Where the full form of an interaction is."""
        return self.review_base + interaction

    @property
    def inbox_url(self) -> str:
        """Where a person finds what waits for them."""
        return self.review_base.removesuffix("review/") + "inbox"
