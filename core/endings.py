"""The words for how a card ended, by its kind. Surfaces mark them up and say nothing of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.kinds import Kind
from core.outcomes import Outcome, Status, Vote

WAITING: Final = "Waiting for an answer"
NOT_WHOLE: Final = "What was said is too long to show whole here; it is on the full form."
SET_BEFOREHAND: Final = "The answer set beforehand for this case"
_BY_WORDS: Final = "Replaced by words"


@dataclass(frozen=True)
class Wording:
    """`called` is the state a card is in, `did` what its settler did to it, where somebody did: `Ana declined this`."""

    called: str
    did: str = ""


ENDED: Final[Mapping[Status, Wording]] = {
    Status.PENDING: Wording(WAITING),
    Status.ANSWERED: Wording("Answered", "answered"),
    Status.ACCEPTED: Wording("Accepted", "accepted"),
    Status.REJECTED: Wording("Rejected", "rejected"),
    Status.COMPLETED: Wording("Completed", "completed"),
    Status.CANCELLED: Wording("Cancelled", "cancelled"),
    Status.WITHDRAWN: Wording("Withdrawn", "took back"),
    Status.SKIPPED: Wording("Skipped", "skipped"),
    Status.EXPIRED: Wording("Expired"),
    Status.SUPERSEDED: Wording("Replaced by a newer question"),
    Status.UNDELIVERABLE: Wording("Could not be delivered"),
}
OWN: Final[Mapping[tuple[Kind, Status], Wording]] = {
    # The button says Decline, and what an operator does is to grant.
    (Kind.CONNECTION, Status.ACCEPTED): Wording("Connected", "granted"),
    (Kind.CONNECTION, Status.REJECTED): Wording("Declined", "declined"),
    # Nobody judges a proposal here: tasks are created, or none of them is wanted.
    (Kind.SUGGESTED_TASKS, Status.ACCEPTED): Wording("Tasks created", "accepted"),
    (Kind.SUGGESTED_TASKS, Status.REJECTED): Wording("Tasks declined", "declined"),
}
EXPLAINED: Final[Mapping[Status, str]] = {
    Status.CANCELLED: "It will not be answered.",
    Status.WITHDRAWN: "Whoever asked took it back, so no answer is needed.",
    Status.SKIPPED: "No answer was needed.",
    Status.EXPIRED: "Nobody answered in time.",
}
"""What follows for those who were asked."""
_UNCREDITED: Final = frozenset({Status.EXPIRED, Status.UNDELIVERABLE})


def wording(kind: Kind, status: Status) -> Wording:
    """The words for a card of this kind in this state."""
    return OWN.get((kind, status), ENDED[status])


def is_words(outcome: Outcome) -> bool:
    """Whether somebody's words took the place of the question."""
    return outcome.status is Status.SUPERSEDED and outcome.successor is None


def called(kind: Kind, outcome: Outcome) -> str:
    """The state in a word or two: `Declined`, `Replaced by words`."""
    return _BY_WORDS if is_words(outcome) else wording(kind, outcome.status).called


def credit(outcome: Outcome, name: str, where: str) -> str:
    """What follows the state: ` by Ana in Slack`; nothing where that is nobody's doing, or the newer question says it.
    `name` is who it was and `where` the surface, both as they are to be shown."""
    if outcome.successor is not None or outcome.status in _UNCREDITED or outcome.by.type == "timer":
        return ""
    return f" {'of' if is_words(outcome) else 'by'} {name} {where}".rstrip()


def reason_label(outcome: Outcome) -> str:
    """What words beside an outcome are."""
    return "Their words" if is_words(outcome) else "Reason"


def voted(vote: Vote) -> str:
    """What a vote says: `accepted` or `rejected`."""
    return ENDED[Status.ACCEPTED if vote.accepted else Status.REJECTED].did
