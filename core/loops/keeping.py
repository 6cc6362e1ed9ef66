"""What the database keeps of loops: the part of `core.ports.Work` that writes, and of `core.reading.Records` that
reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from core.loops.outcomes import LoopState
from core.loops.places import Alert, Conversation, FollowUp, Handover, LoopPrompt, Saying
from core.loops.values import Loop
from core.people import Agent, By, Identity, Person
from core.receipts import Receipt, ReceiptDraft
from core.urgency import Urgency


class LoopWork(Protocol):
    """Loops, loaded under a lock that lasts until the end of the transaction, and where they are talked about."""

    async def loop(self, workspace: str, id: str) -> Loop | None:
        """Load and lock one by its internal id."""

    async def loop_named(self, workspace: str, name: str) -> Loop | None:
        """Load and lock one by its name."""

    async def loop_at(self, provider: str, account: str, channel: str, message: str) -> Loop | None:
        """Load and lock the one whose card is this message."""

    async def loops_in(self, conversation: str, *, open_only: bool = False, limit: int = 50) -> tuple[Loop, ...]:
        """Load (without a lock) the loops of a conversation, newest first."""

    async def loops_of_agent(self, workspace: str, agent: Agent) -> tuple[Loop, ...]:
        """Load (without a lock) the open loops that an agent sent, is the recipient of, or has, oldest first."""

    async def loops_of_person(self, workspace: str, person: Person) -> tuple[Loop, ...]:
        """Load (without a lock) the open loops that a person is the recipient of, by name or by account, that they
        have, or that they ordered in their own chat, oldest first."""

    async def add_loop(self, loop: Loop) -> None:
        """Insert one. `Raced` when its name was taken meanwhile."""

    async def save_loop(self, before: Loop, after: Loop) -> None:
        """Write `after` where the row is still at `before.version` and state; `Raced` when it is not."""

    async def record_loop(self, draft: ReceiptDraft, loop: str) -> Receipt:
        """Seal a receipt after the last one of the loop and insert it."""

    async def loop_receipts(self, loop: str) -> tuple[Receipt, ...]:
        """The whole chain, in order."""

    async def conversation(self, workspace: str, id: str) -> Conversation | None:
        """Load one."""

    async def conversation_like(self, conversation: Conversation) -> Conversation | None:
        """The one that is the same place (`Conversation.key`), if it is there already."""

    async def conversation_at(
        self, provider: str, account: str, channel: str, thread: str | None, reply_to: str | None
    ) -> Conversation | None:
        """The linked conversation that a message there belongs to; None: nobody listens there."""

    async def add_conversation(self, conversation: Conversation) -> None:
        """Insert one. `Raced` when the place was taken meanwhile."""

    async def save_conversation(self, conversation: Conversation) -> None:
        """Write one."""

    async def move_conversations(self, provider: str, account: str, old: str, new: str) -> tuple[Loop, ...]:
        """A chat got a new id: its conversations are there from now on, and begin anew where a message of ours that
        stayed behind began them. Returns the open loops whose cards stayed behind, which are to be posted anew."""

    async def join(self, conversation: Conversation, agent: str, now: datetime) -> None:
        """Note that an agent (its id) takes part in a conversation."""

    async def has_ordered_in(self, conversation: str, agent: str) -> bool:
        """Whether an agent ever opened an order there."""

    async def takes_part(self, conversation: str, agent: str) -> bool:
        """Whether it does."""

    async def add_saying(self, saying: Saying) -> None:
        """Keep what was said. What was kept of this message already stays."""

    async def said_since(self, conversation: str, since: datetime) -> tuple[Saying, ...]:
        """What others than we said in a conversation after a moment, newest first: the last hundred of it."""

    async def add_handover(self, handover: Handover) -> None:
        """Keep a directive or a runtime context for the next event of its conversation."""

    async def take_handovers(
        self, conversation: str, event: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[Handover, ...]:
        """What no event has carried yet, oldest first, from `since` to `until`. This `event` carries it, and no
        other."""

    async def add_follow_up(self, follow_up: FollowUp) -> None:
        """Insert one."""

    async def follow_up(self, workspace: str, id: str) -> FollowUp | None:
        """Load and lock one."""

    async def save_follow_up(self, follow_up: FollowUp) -> None:
        """Write one."""

    async def count_follow_ups(self, conversation: Conversation, by: By, since: datetime) -> tuple[int, int]:
        """How many wait in a conversation, and how many this one made since then anywhere in its workspace. Nobody
        makes another until the end."""

    async def add_alert(self, alert: Alert) -> None:
        """Insert one."""

    async def alert(self, workspace: str, id: str) -> Alert | None:
        """Load and lock one."""

    async def save_alert(self, alert: Alert) -> None:
        """Write one."""

    async def newest_alert(self, conversation: str) -> Alert | None:
        """The one that was raised last in a conversation."""

    async def add_loop_prompt(self, prompt: LoopPrompt) -> None:
        """Insert or replace."""

    async def loop_prompt_at(self, provider: str, account: str, channel: str, message: str) -> LoopPrompt | None:
        """The prompt that is this message."""

    async def link_account(self, workspace: str, agent: str, identity: Identity, now: datetime) -> None:
        """Say that a bot account is an agent's (its id). `Raced` when it is another's."""

    async def unlink_account(self, workspace: str, identity: Identity) -> bool:
        """Forget it; False when nobody had it."""

    async def agent_of_account(self, workspace: str, identity: Identity) -> Agent | None:
        """The agent whose bot account this is, unless it was revoked."""

    async def operators(self, workspace: str) -> tuple[Person, ...]:
        """The people who are operators, by handle."""

    async def remember_order(self, agent: str, key: str, digest: str, response: dict[str, Any], now: datetime) -> None:
        """Keep an idempotency key whose first answer was about loops; `remembered` has it then."""


@dataclass(frozen=True)
class Ordered:
    """A loop and where it is talked about, read at one moment."""

    loop: Loop
    conversation: Conversation | None


class LoopReads(Protocol):
    """The read side. `visible_to` narrows to what an agent may read: loops it sent, is the recipient of, or that are in
    a conversation it takes part in. An operator key, and None (a signed-in operator), see the whole workspace."""

    async def loop(self, workspace: str, name: str, visible_to: Agent | None) -> Ordered | None:
        """One, by its name."""

    async def loops(
        self,
        workspace: str,
        visible_to: Agent | None,
        *,
        after: str | None = None,
        limit: int = 50,
        states: Sequence[LoopState] = (),
        recipient: str | None = None,
        conversation: str | None = None,
        overdue: bool | None = None,
    ) -> Sequence[Ordered]:
        """Newest first, those older than the internal id `after`; what is empty or None narrows nothing."""

    async def loops_for(
        self,
        workspace: str,
        person: Person,
        *,
        after: Urgency | None = None,
        limit: int = 50,
    ) -> Sequence[Ordered]:
        """Open loops that may wait on this person: theirs by name or claim, or, in a conversation where they were seen,
        such as nobody has or that have a free slot. In the order of their urgency, from the place `after` on. A hint
        for lists: authority is judged elsewhere."""

    async def loops_around(
        self,
        workspace: str,
        person: Person,
        *,
        after: str | None = None,
        limit: int = 50,
        states: Sequence[LoopState] = (),
        overdue: bool | None = None,
    ) -> Sequence[Ordered]:
        """Loops that this person may read as no operator: theirs by name, those they ordered or did something about,
        and those of conversations where they were seen. Otherwise as `loops`. A hint for lists as well."""

    async def loop_receipts(self, workspace: str, name: str) -> tuple[Receipt, ...]:
        """The whole chain of a loop, by its name, in order."""

    async def conversation(self, workspace: str, id: str, visible_to: Agent | None) -> Conversation | None:
        """One that the agent takes part in."""

    async def conversations(
        self, workspace: str, visible_to: Agent | None, *, after: str | None = None, limit: int = 50
    ) -> Sequence[Conversation]:
        """Newest first, older than the id `after`."""

    async def linked(
        self, provider: str, account: str, channel: str, thread: str | None, reply_to: str | None
    ) -> Conversation | None:
        """As `LoopWork.conversation_at`, and a prompt for words of a loop counts as well: whether a message is to be
        heard at all."""

    async def sayings(
        self, workspace: str, conversation: str, *, after: str | None = None, limit: int = 50
    ) -> Sequence[Saying]:
        """What was said, newest first, older than the id `after`."""

    async def alert(self, workspace: str, id: str) -> Alert | None:
        """One."""

    async def alerts(
        self, workspace: str, visible_to: Agent | None, *, after: str | None = None, limit: int = 50
    ) -> Sequence[Alert]:
        """Those that the agent raised or that were raised where it takes part, newest first, older than the id
        `after`."""

    async def accounts(self, workspace: str) -> Sequence[tuple[str, Identity]]:
        """The bot accounts that are linked, each with the name of its agent, by name."""

    async def agent_of_account(self, workspace: str, identity: Identity) -> Agent | None:
        """The agent whose bot account this is, unless it was revoked."""
