"""Every error of the product, sorted by who must act.

SaysoError
├── Refused                 the caller asked for what the rules forbid; `str(error)` is safe to show
│   ├── Invalid             the request is wrong; `faults` point at each place
│   ├── Unauthorized        no valid key or session
│   ├── Forbidden           known, but this door is not theirs (SignInRequired: not from here, or not any more)
│   ├── NotFound            unknown, or not theirs to know
│   ├── NotAnAnswerer       the audience does not admit them
│   ├── IdentityUndetermined  the provider could not tell; neither yes nor no
│   ├── IdempotencyConflict  same key, other body
│   ├── TooLarge            more bytes than a request may have
│   ├── RateLimited         too often; `retry_after` seconds
│   ├── Forged              a control token that this service did not make
│   ├── LoopEnded           too late for a work order; carries its outcome
│   ├── LoopTaken           somebody else has the work, or a slot of it
│   └── Settled             too late; carries the outcome
│       ├── AlreadySettled (AlreadyJudged: of items, on a card that is still open)
│       ├── Expired  ├── Withdrawn  ├── Superseded  └── StaleRevision
├── Raced                   another transaction won; load again and decide again
├── Away                    the database does not answer; the operator must see to it, and the same may be asked again
├── Misconfigured           the operator must change a setting; the sentence names it
└── ChannelError            a provider call failed; only the relay and the endpoints see these
    ├── Transient           not done, try again (after `retry_after` seconds if given)
    ├── Ambiguous           may have been done: reconcile, never blindly repeat
    ├── Unreachable         this destination will never work as it is; `reason` is for the asker
    ├── MessageGone         the message to edit no longer exists
    ├── PlaceMoved          the conversation has a new id
    ├── InstallationDead    the token no longer works; stop sending for this connection
    │   └── InstallationEnded   the app was removed there; what was not sent will not be
    └── Misrendered         the provider refused our payload: our bug; carries the pointer
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from core.loops.outcomes import LoopOutcome, Mark
    from core.outcomes import Outcome


class SaysoError(Exception):
    """Base of everything sayso raises on purpose."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a request: a JSON pointer into it and a sentence saying what to change."""

    pointer: str
    detail: str


class Refused(SaysoError):
    """The rules forbid it. The message is plain words and safe to show to the one who asked."""

    slug: ClassVar[str] = "refused"


class Invalid(Refused):
    """The request is wrong; the interaction, if any, is unchanged."""

    slug = "invalid"

    def __init__(self, faults: Sequence[Fault], message: str = "") -> None:
        self.faults = tuple(faults)
        super().__init__(message or "; ".join(fault.detail for fault in self.faults))

    @classmethod
    def at(cls, pointer: str, detail: str) -> Invalid:
        """One fault."""
        return cls([Fault(pointer, detail)])


class Unauthorized(Refused):
    """No valid key or session came with the request."""

    slug = "unauthorized"


class Forbidden(Refused):
    """The caller is known, but may not do this."""

    slug = "forbidden"


class SignInRequired(Forbidden):
    """The answer counts only from the signed-in page, soon after signing in."""


class NotFound(Refused):
    """There is no such thing, or the caller may not know of it."""

    slug = "not-found"


class NotAnAnswerer(Refused):
    """The audience does not admit this person or agent."""

    slug = "not-an-answerer"


class IdentityUndetermined(Refused):
    """The provider could not say who this is or whether they belong; try again."""

    slug = "identity-undetermined"


class IdempotencyConflict(Refused):
    """The idempotency key was used with another body."""

    slug = "idempotency-conflict"


class TooLarge(Refused):
    """The request has more bytes than allowed."""

    slug = "too-large"


class RateLimited(Refused):
    """Too often. `retry_after` is in seconds."""

    slug = "rate-limited"

    def __init__(self, message: str, retry_after: float) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class Forged(Refused):
    """A control token that this service did not make, or made for something else."""

    slug = "invalid"


class LoopEnded(Refused):
    """The work order ended before; `outcome` says how."""

    slug = "already-settled"

    def __init__(self, message: str, outcome: LoopOutcome) -> None:
        self.outcome = outcome
        super().__init__(message)


class LoopTaken(Refused):
    """Somebody else has the work, or its slot. `holder` says who and since when."""

    slug = "already-claimed"

    def __init__(self, message: str, holder: Mark) -> None:
        self.holder = holder
        super().__init__(message)


class Settled(Refused):
    """The act came too late. `outcome` is what stands; None while the card is still open: for a stale revision, and
    where only the items of the act were decided."""

    slug = "already-settled"

    def __init__(self, message: str, outcome: Outcome | None) -> None:
        self.outcome = outcome
        super().__init__(message)


class AlreadySettled(Settled):
    """Someone or something else decided first."""


class AlreadyJudged(AlreadySettled):
    """Every item of the act has a verdict, and the card is still open. `late` points at each verdict that was given and
    says whose stands instead."""

    def __init__(self, late: Sequence[Fault]) -> None:
        self.late = tuple(late)
        super().__init__(". ".join(dict.fromkeys(fault.detail for fault in self.late)) + ".", None)


class Expired(Settled):
    """The time to answer is over."""

    slug = "expired"


class Withdrawn(Settled):
    """The asker took the question back."""

    slug = "withdrawn"


class Superseded(Settled):
    """A newer question replaced this one."""

    slug = "superseded"


class StaleRevision(Settled):
    """The content changed after the caller saw it."""

    slug = "stale-revision"


class Raced(SaysoError):
    """Another transaction changed the row first: load again, decide again."""


class Away(SaysoError):
    """The database does not answer, or cannot write. Where that happened at a commit, nobody knows whether it holds:
    the same may be asked again, and finds out."""


class Misconfigured(SaysoError):
    """A setting is missing or malformed. The message is one sentence that names it."""


class ChannelError(SaysoError):
    """A provider call failed."""


class Transient(ChannelError):
    """It was not done; the same call may be made again. `retry_after` is in seconds, if the provider said."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class Ambiguous(ChannelError):
    """It may have been done. Reconcile before doing it again.

    `answered`: the provider did answer, with a failure of its own (5xx), so it probably was not done.
    """

    def __init__(self, message: str, *, answered: bool = False) -> None:
        self.answered = answered
        super().__init__(message)


class Unreachable(ChannelError):
    """This destination cannot be reached as it is. `reason` is a plain sentence for the asker."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        self.reason = reason
        super().__init__(f"{code}: {reason}")


class MessageGone(ChannelError):
    """The message to edit is not there any more."""


class PlaceMoved(ChannelError):
    """The conversation lives under a new id now."""

    def __init__(self, place: str) -> None:
        self.place = place
        super().__init__(f"the conversation moved to {place}")


class InstallationDead(ChannelError):
    """The connection's credentials no longer work; an operator must act."""


class InstallationEnded(InstallationDead):
    """The app was removed there on purpose: what was not sent will not be, until somebody installs it again."""


class Misrendered(ChannelError):
    """The provider refused the payload we made; the message carries its pointer."""
