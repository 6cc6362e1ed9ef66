"""What an act leads to, as a value, and the steps that every rule of settling shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from core.acts import Stamp
from core.errors import Fault, StaleRevision
from core.events import EventType, settled_as
from core.receipts import ReceiptDraft, ReceiptType
from core.records import Interaction, Outcome, Status, Vote
from core.tasks import Task
from core.traces import draft


@dataclass(frozen=True)
class Decision:
    """What an act led to. `said` is what no outcome will hold, such as words and whose they are: the events carry it.
    `tasks` are to be created with it. `late` says of parts of the act that they came too late.
    `repeated`: the same actor's same act once more, so nothing is new."""

    after: Interaction
    receipts: tuple[ReceiptDraft, ...] = ()
    events: tuple[EventType, ...] = ()
    said: Mapping[str, JsonValue] = field(default_factory=dict)
    tasks: tuple[Task, ...] = ()
    late: tuple[Fault, ...] = ()
    repeated: bool = False


def check_revision(before: Interaction, revision: int) -> None:
    """Raise `StaleRevision` unless this is what the actor saw."""
    if revision != before.revision:
        raise StaleRevision("This card was changed after you saw it. Look at it again, then answer.", None)


def changed(before: Interaction, **changes: object) -> Interaction:
    """The next version."""
    return before.model_copy(update={"version": before.version + 1, **changes})


def settled(
    before: Interaction,
    status: Status,
    stamp: Stamp,
    *,
    answer: dict[str, JsonValue] | None = None,
    reason: str | None = None,
    default: dict[str, dict[str, JsonValue]] | None = None,
    votes: tuple[Vote, ...] = (),
    successor: str | None = None,
    said: Mapping[str, JsonValue] | None = None,
) -> Decision:
    """The decision that ends it, with its one receipt and one event."""
    outcome = Outcome(
        status=status,
        by=stamp.by,
        via=stamp.via,
        at=stamp.now,
        answer=answer,
        reason=reason,
        receipt=stamp.receipt,
        default=dict(default) if default is not None else None,
        votes=votes,
        successor=successor,
    )
    after = changed(before, status=status, outcome=outcome, votes=votes or before.votes)
    data: dict[str, JsonValue] = {"answer": answer, "reason": reason}
    if default is not None:
        data["default"] = dict(default)
    if successor is not None:
        data["successor"] = successor
    line = draft(after, ReceiptType(status.value), stamp, data)
    return Decision(after, (line,), (settled_as(status),), said=dict(said or {}))
