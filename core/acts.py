"""What can be done to an interaction, as values, and the stamp the shell puts on each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.content import Content
from core.kinds.answers import Answer
from core.kinds.item_verdicts import Given
from core.kinds.suggested_tasks import Edit
from core.people import By, Via


class ActName(StrEnum):
    """What can be done to an interaction."""

    RESPOND = "respond"
    ACCEPT = "accept"
    REJECT = "reject"
    TICK = "tick"
    JUDGE = "judge"
    SET_OUT = "set_out"
    CONNECTED = "connected"
    WITHDRAW = "withdraw"
    CANCEL = "cancel"
    SKIP = "skip"
    EXPIRE = "expire"
    SUPERSEDE = "supersede"
    FAIL_DELIVERY = "fail_delivery"
    PATCH = "patch"
    DISMISS = "dismiss"
    REOPEN = "reopen"
    COMMENT = "comment"
    NUDGE = "nudge"
    ESCALATE = "escalate"
    SNOOZE = "snooze"
    DELEGATE = "delegate"


@dataclass(frozen=True)
class Respond:
    """Answer every question. `revision` is the one the answerer saw."""

    answers: Mapping[str, Answer]
    revision: int
    name = ActName.RESPOND


@dataclass(frozen=True)
class Accept:
    """Say yes to a confirmation, complete a checklist, or accept suggested tasks.

    `selected` are the items or tasks that are chosen then (None: what a checklist has ticked now), and `edits` what
    was changed in chosen tasks.
    """

    revision: int
    selected: tuple[str, ...] | None = None
    edits: Mapping[str, Edit] = field(default_factory=dict)
    name = ActName.ACCEPT


@dataclass(frozen=True)
class Reject:
    """Say no, with a reason where the card takes one."""

    revision: int
    reason: str | None = None
    name = ActName.REJECT


@dataclass(frozen=True)
class Tick:
    """Tick and untick items of a checklist, by id. It stays pending."""

    revision: int
    tick: tuple[str, ...] = ()
    untick: tuple[str, ...] = ()
    name = ActName.TICK


@dataclass(frozen=True)
class Judge:
    """Give verdicts to items. It completes once every item has one."""

    revision: int
    verdicts: tuple[Given, ...]
    name = ActName.JUDGE


@dataclass(frozen=True)
class SetOut:
    """An operator goes to the other side to grant a connection. `state` is the digest of what they bring there."""

    revision: int
    state: str
    name = ActName.SET_OUT


@dataclass(frozen=True)
class Connected:
    """The asker's side confirms that a connection was granted, by the state that the operator brought."""

    state: str
    name = ActName.CONNECTED


@dataclass(frozen=True)
class Withdraw:
    """The asker takes the question back. A `revision`, if given, is the one they saw."""

    reason: str | None = None
    revision: int | None = None
    name = ActName.WITHDRAW


@dataclass(frozen=True)
class Cancel:
    """An operator closes it: it will not be answered."""

    reason: str | None = None
    name = ActName.CANCEL


@dataclass(frozen=True)
class Skip:
    """An operator closes it: no answer is needed."""

    reason: str | None = None
    name = ActName.SKIP


@dataclass(frozen=True)
class Expire:
    """The time to answer is over."""

    name = ActName.EXPIRE


@dataclass(frozen=True)
class Supersede:
    """A newer interaction replaces it."""

    successor: str
    name = ActName.SUPERSEDE


@dataclass(frozen=True)
class FailDelivery:
    """Every place it was sent to failed for good, or nobody is left to answer."""

    reason: str
    name = ActName.FAIL_DELIVERY


@dataclass(frozen=True)
class Patch:
    """The asker changes the content of a pending card. `revision` is the one that is replaced."""

    revision: int
    content: Content
    name = ActName.PATCH


@dataclass(frozen=True)
class Dismiss:
    """An operator stops the reminders; it stays pending."""

    name = ActName.DISMISS


@dataclass(frozen=True)
class Reopen:
    """An operator clears `dismissed`."""

    name = ActName.REOPEN


@dataclass(frozen=True)
class Comment:
    """Words instead of a decision, which the asker hears. `message` is where they were said, if in a thread."""

    text: str
    message: str | None = None
    name = ActName.COMMENT


@dataclass(frozen=True)
class Nudge:
    """The timer reminds. `number` of `of`, and `done_to` is the moment of the plan that it stands for; `to` are the
    conversations that hear of it."""

    number: int
    of: int
    done_to: datetime
    to: tuple[str, ...]
    name = ActName.NUDGE


@dataclass(frozen=True)
class Escalate:
    """Nobody answered, so the timer lets others answer as well. `not_told` are those of them that no chat reaches."""

    to: tuple[str, ...]
    not_told: tuple[str, ...] = ()
    name = ActName.ESCALATE


@dataclass(frozen=True)
class Snooze:
    """Somebody wants to be left alone with it until then. `publication` is the copy they said so on; 0: none."""

    until: datetime
    publication: int = 0
    name = ActName.SNOOZE


@dataclass(frozen=True)
class Delegate:
    """Somebody who may answer hands it to somebody else, who may answer then as well. `to` is an answerer, `called` the
    name they go by."""

    to: str
    called: str
    name = ActName.DELEGATE


Act = (
    Respond | Accept | Reject | Tick | Judge | SetOut | Connected | Withdraw | Cancel | Skip | Expire | Supersede
    | FailDelivery | Patch | Dismiss | Reopen | Comment | Nudge | Escalate | Snooze | Delegate
)  # fmt: skip


@dataclass(frozen=True)
class Quoted:
    """An agent acts on what a person wrote: which message, and the agent's name."""

    message: str
    agent: str


@dataclass(frozen=True)
class Stamp:
    """What the shell brings to every act: the moment, who, through what, and ids for the receipts it leaves.

    `receipt` is the id of the main receipt; an act that leaves more takes them from `more_receipts`, and one that
    creates tasks takes theirs from `tasks`. `quoted`: the act was read from a message of the person it is by.
    """

    now: datetime
    by: By
    via: Via
    receipt: str
    provider_event: str | None = None
    more_receipts: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    quoted: Quoted | None = None
