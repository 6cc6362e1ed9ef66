"""What can be done to an interaction, as values, and the stamp the shell puts on each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.content import Content
from core.kinds.answers import Answer
from core.people import By, Via


class ActName(StrEnum):
    """What can be done to an interaction."""

    RESPOND = "respond"
    ACCEPT = "accept"
    REJECT = "reject"
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


@dataclass(frozen=True)
class Respond:
    """Answer every question. `revision` is the one the answerer saw."""

    answers: Mapping[str, Answer]
    revision: int
    name = ActName.RESPOND


@dataclass(frozen=True)
class Accept:
    """Say yes to a confirmation."""

    revision: int
    name = ActName.ACCEPT


@dataclass(frozen=True)
class Reject:
    """Say no, with a reason where the card takes one."""

    revision: int
    reason: str | None = None
    name = ActName.REJECT


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
    """Words instead of a decision; it stays pending and the asker hears them."""

    text: str
    name = ActName.COMMENT


Act = (
    Respond | Accept | Reject | Withdraw | Cancel | Skip | Expire | Supersede | FailDelivery | Patch
    | Dismiss | Reopen | Comment
)  # fmt: skip


@dataclass(frozen=True)
class Stamp:
    """What the shell brings to every act: the moment, who, through what, and ids for the receipts it leaves.

    `receipt` is the id of the main receipt; an act that leaves more takes them from `more_receipts`.
    """

    now: datetime
    by: By
    via: Via
    receipt: str
    provider_event: str | None = None
    more_receipts: tuple[str, ...] = ()
