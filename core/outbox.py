"""What is owed to the outside after a commit, in which lane and order, and when to try again.

A delivery is done at least once; its handler is idempotent or reconciles first. `retry` is pure: the
relay brings the clock and the jitter.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Final, Literal, Protocol

from pydantic import Field, TypeAdapter

from core.controls import Action
from core.loops.owed import LoopTask
from core.people import Value


class Lane(StrEnum):
    """Lanes never wait for each other: answers to people, cards and results posted for the first time, reminders,
    redraws, webhooks."""

    TALK = "talk"
    POST = "post"
    NUDGE = "nudge"
    REDRAW = "redraw"
    HEAR = "hear"


class PostCard(Value):
    """Post a publication's card for the first time (or find the one whose answer was lost). `where` is its
    conversation (`slack:T1.C1`), by which calls are paced."""

    task: Literal["post_card"] = "post_card"
    publication: str
    where: str


class RedrawCard(Value):
    """Make a posted copy show the current state. `where` as in `PostCard`."""

    task: Literal["redraw_card"] = "redraw_card"
    publication: str
    where: str


class AskWords(Value):
    """Send a prompt whose reply is the words for `action`; used where a chat has no modal. `fault` says what was wrong
    with words that were sent before, which are the message `reply_to` then."""

    task: Literal["ask_words"] = "ask_words"
    interaction: str
    publication: int
    revision: int
    action: Action
    question: int = 0
    option: int = 0
    provider: str
    account: str
    channel: str
    thread: str | None
    reply_to: str | None
    person: str
    user: str
    name: str
    fault: str = ""


class TakeBack(Value):
    """Delete messages of ours that nobody is to answer any more, as far as the provider lets us."""

    task: Literal["take_back"] = "take_back"
    provider: str
    account: str
    channel: str
    messages: tuple[str, ...]


class Say(Value):
    """Send plain words to a conversation: a reply of the asker, a sign-in code, a list of open cards, a hint.

    `interaction` names the card it is about, if any; `secret` texts are erased from the store once sent.
    """

    task: Literal["say"] = "say"
    provider: str
    account: str
    channel: str
    thread: str | None = None
    reply_to: str | None = None
    text: str
    interaction: str | None = None
    secret: bool = False


class Remind(Value):
    """Send a reminder under a card, unless nothing is to be reminded of by then. `where` as in `PostCard`."""

    task: Literal["remind"] = "remind"
    interaction: str
    reminder: str
    where: str


class EndReminder(Value):
    """Make a reminder that was sent say how its card stands: that it is settled or, after the database went back, that
    it is open."""

    task: Literal["end_reminder"] = "end_reminder"
    interaction: str
    reminder: str
    where: str


class SendDigest(Value):
    """Send the list of what waits for somebody, made when it is sent: in the morning all that waits for `person`, or,
    in place of reminders that were too many, those of `interactions` and of `loops`, by id, that would still be
    reminded of. A morning's is worth nothing after `until`."""

    task: Literal["send_digest"] = "send_digest"
    provider: str
    account: str
    channel: str
    thread: str | None = None
    person: str | None
    interactions: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    until: datetime

    @property
    def is_held(self) -> bool:
        """Whether it takes the place of reminders."""
        return bool(self.interactions or self.loops)


class Hear(Value):
    """Deliver one event to the asker's webhook."""

    task: Literal["hear"] = "hear"
    event: str
    agent: str
    url: str


Task = Annotated[
    PostCard | RedrawCard | AskWords | TakeBack | Say | Remind | EndReminder | SendDigest | Hear | LoopTask,
    Field(discriminator="task"),
]
TASKS: Final = frozenset(TypeAdapter(Task).json_schema()["discriminator"]["mapping"])
"""The names of all tasks that this program knows."""


class Delivery(Value):
    """One thing owed. Deliveries with the same `lane` and `key` are done one at a time, oldest first."""

    id: str
    workspace: str
    lane: Lane
    key: str
    task: Task
    due_at: datetime


@dataclass(frozen=True)
class Claimed:
    """A delivery taken by one worker until `lease_until`. `generation` and `owner` fence late workers; `attempts`
    counts this one. `unheard`: somebody began a call for it before, and nobody knows what came of that."""

    delivery: Delivery
    generation: int
    attempts: int
    lease_until: datetime
    owner: str
    unheard: bool = False


class OwedWork(Protocol):
    """The part of `core.ports.Work` that is about what is owed."""

    async def owe(self, delivery: Delivery) -> None:
        """Add to the outbox. A redraw is not added while one for the same copy, work order or alert waits unclaimed;
        that one is then done no later than this one would have been, or, if it was postponed, when it was to be."""

    async def is_being_said(self, key: str) -> bool:
        """Whether a worker has taken something of this key that is for people to read, and has not ended it."""

    async def finish(self, claimed: Claimed) -> bool:
        """Mark a claimed delivery done; False when the claim was lost to another worker."""

    async def begin_call(self, claimed: Claimed) -> bool:
        """Note that a call is about to be made that must not be made twice; False when the claim was lost. Whoever
        claims it after that has it `unheard`."""

    async def postpone(
        self,
        claimed: Claimed,
        due_at: datetime,
        error: str,
        *,
        blocking: bool = True,
        tried: bool = True,
        unsent: bool = False,
    ) -> bool:
        """Give a claimed delivery back to be done at `due_at`; False when the claim was lost. Not `blocking`: later
        ones of its key may overtake. Not `tried`: it only waited, which is no attempt. `unsent`: the call that was
        begun had certainly no effect, so it may be made again."""

    async def abandon(self, claimed: Claimed, error: str) -> bool:
        """Mark a claimed delivery as never to be done; False when the claim was lost."""


FIRST_GAP = timedelta(seconds=1)
LONGEST_GAP: dict[Lane, timedelta] = {
    Lane.TALK: timedelta(minutes=1),
    Lane.POST: timedelta(seconds=30),
    Lane.NUDGE: timedelta(minutes=5),
    Lane.REDRAW: timedelta(minutes=1),
    Lane.HEAR: timedelta(hours=6),
}
MOST_ATTEMPTS: dict[Lane, int] = {
    # A toast or hint is worthless when late, and so is a reminder in the end; a card or an edit is owed until the
    # provider says never; a webhook is tried for about three days.
    Lane.TALK: 12,
    Lane.POST: 10_000,
    Lane.NUDGE: 30,
    Lane.REDRAW: 10_000,
    Lane.HEAR: 24,
}


def retry_at(lane: Lane, attempts: int, now: datetime, jitter: float, retry_after: float | None) -> datetime | None:
    """When to try again after `attempts` failures; None: give up. `jitter` is a random number in [0, 1).

    Gaps double from one second; a provider's own `retry_after` (seconds) is obeyed, never shortened.
    """
    if attempts >= MOST_ATTEMPTS[lane]:
        return None
    gap = min(LONGEST_GAP[lane], FIRST_GAP * float(2 ** min(attempts - 1, 20)))
    spread = gap * (0.5 + jitter)
    if retry_after is not None:
        return now + timedelta(seconds=retry_after) + min(spread, timedelta(seconds=1)) * jitter
    return now + spread
