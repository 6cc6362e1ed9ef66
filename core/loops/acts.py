"""What can be done to a loop, as values. The stamp that the shell puts on each is `core.acts.Stamp`."""

from __future__ import annotations

from dataclasses import dataclass

from core.loops.values import Verb
from core.sentences.values import Status as ResultStatus


@dataclass(frozen=True)
class Acknowledge:
    """It was seen."""

    name = Verb.ACK


@dataclass(frozen=True)
class Claim:
    """The speaker takes the work, or one slot of it, alone. Without a slot where there are some: the first free one."""

    slot: int | None = None
    name = Verb.CLAIM


@dataclass(frozen=True)
class Start:
    """Whoever claimed it made progress."""

    slot: int | None = None
    name = Verb.START


@dataclass(frozen=True)
class Result:
    """The work, or one slot of it, is over. Without a slot where there are some: the one that the speaker claimed."""

    summary: str
    status: ResultStatus | None = None
    slot: int | None = None
    name = Verb.RESULT


@dataclass(frozen=True)
class Decline:
    """The speaker will not do it. Of a slot: it is free again."""

    reason: str
    slot: int | None = None
    name = Verb.DECLINE


@dataclass(frozen=True)
class NoAction:
    """The speaker looked, and nothing needed doing."""

    reason: str
    slot: int | None = None
    name = Verb.NO_ACTION


@dataclass(frozen=True)
class Track:
    """A scheduler gave out a slot of the work; it is followed from now on. `task` is what the slot is."""

    slot: int
    task: str = ""
    name = Verb.TRACK


@dataclass(frozen=True)
class MarkOverdue:
    """Its time is over and it has not ended."""

    name = Verb.OVERDUE


@dataclass(frozen=True)
class Nudged:
    """The recipient is reminded for the `number`th time."""

    number: int
    name = Verb.NUDGE


@dataclass(frozen=True)
class Escalate:
    """Reminders did not help, or whoever should do it is gone (`reason`), so the sender and the operators are told."""

    reason: str | None = None
    name = Verb.ESCALATE


LoopAct = Acknowledge | Claim | Start | Result | Decline | NoAction | Track | MarkOverdue | Nudged | Escalate
