"""The fourteen structures that agents and people say in brackets, one frozen value each.

Texts are as they were said, without blanks around them, and may be empty: whether an order needs a title or a refusal
a reason is for whoever acts on it to say. `span` is where the value stood in the text it was read from and is no part
of what it means: two values that say the same are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, time
from enum import StrEnum
from typing import NamedTuple


class Span(NamedTuple):
    """Where something stands in a text, in characters: `text[start:end]`."""

    start: int
    end: int


class Status(StrEnum):
    """How a piece of work ended, in the words of a result."""

    OK = "OK"
    DONE = "DONE"
    FAIL = "FAIL"
    ERROR = "ERROR"
    PARTIAL = "PARTIAL"
    BLOCKED = "BLOCKED"


@dataclass(frozen=True, slots=True)
class Reference:
    """Which loop is meant, and which slot of it when the work is shared out: `7fce46e0`, `swarm-4a2b/1`."""

    loop: str
    slot: int | None = None

    def __str__(self) -> str:
        return self.loop if self.slot is None else f"{self.loop}/{self.slot}"


@dataclass(frozen=True, slots=True)
class Said:
    """What every sentence has: its place in the text, None when it was not read from one."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class WorkOrder(Said):
    """Work for somebody; opens the loop `id`. `priority` is a word of the sender's own, in lower case.

    `claimed_sender` is what the text says of itself, never who said it: that the provider knows.
    """

    id: str
    title: str
    body: str = ""
    claimed_sender: str | None = None
    priority: str | None = None
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class Ack(Said):
    """It was seen. `claimed_sender` is what the text says of itself, never who said it."""

    reference: Reference
    claimed_sender: str | None = None


@dataclass(frozen=True, slots=True)
class Claim(Said):
    """The speaker takes the work, alone."""

    reference: Reference


@dataclass(frozen=True, slots=True)
class Result(Said):
    """The work is over; `status` is None when the words do not begin with one."""

    reference: Reference
    summary: str = ""
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class Decline(Said):
    """The speaker will not do the work."""

    reference: Reference
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NoAction(Said):
    """The speaker looked, and nothing needed doing."""

    reference: Reference
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall(Said):
    """An operation to run once. `arguments` is the text of one JSON object, keys sorted and no key twice."""

    op: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class JobMarker(Said):
    """Work that a scheduler gave out, and what it is."""

    reference: Reference
    task: str = ""


@dataclass(frozen=True, slots=True)
class Nudge(Said):
    """The `count`th of at most `most` reminders. A deadline without a date is a time of day in UTC."""

    reference: Reference
    count: int
    most: int
    deadline: time | datetime
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class FleetAlert(Said):
    """Something happened that all should hear. `severity` is one word in upper case."""

    severity: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class ContractFooter(Said):
    """The reminder below an order of how to reply to it. The replies in it are said by nobody."""

    reference: Reference


@dataclass(frozen=True, slots=True)
class Directive(Said):
    """What an agent should do with its next turn."""

    text: str


@dataclass(frozen=True, slots=True)
class RuntimeContext(Said):
    """The https address of the place where this is talked about."""

    url: str


@dataclass(frozen=True, slots=True)
class SubagentUpdate(Said):
    """A session below this one, `short_id`, has something new."""

    title: str
    short_id: str
    details: str = ""


Sentence = (
    WorkOrder
    | Ack
    | Claim
    | Result
    | Decline
    | NoAction
    | ToolCall
    | JobMarker
    | Nudge
    | FleetAlert
    | ContractFooter
    | Directive
    | RuntimeContext
    | SubagentUpdate
)
