"""What waits on a person, cards and work orders in one list: what is overdue first, then what is due soonest."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from core.cards import Card
from core.loops.cards import LoopCard
from core.loops.values import Loop
from core.records import Interaction
from core.urgency import Urgency, in_order

Entry = Card | LoopCard
_NEVER = datetime.max.replace(tzinfo=UTC)


def urgency_of(thing: Interaction | Loop) -> Urgency:
    """Where it stands among what waits: a card by when it expires, a work order by its deadline. What is overdue was
    due before all that is still to come."""
    return Urgency.of(due_of(thing), thing.id)


def due_of(thing: Interaction | Loop) -> datetime | None:
    """When it is to be done: a card before it expires, a work order by its deadline. None: whenever."""
    return thing.due_at if isinstance(thing, Loop) else thing.expires_at


def is_overdue(entry: Entry) -> bool:
    """Whether its time is over and it waits all the same. A card whose time is over waits on nobody."""
    return isinstance(entry, LoopCard) and entry.loop.is_open and entry.loop.overdue_at is not None


def by_urgency(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """What is overdue, then what is due, both the earliest first; then what has no time. What is equal in that has the
    newest first."""
    return tuple(in_order(entries, lambda one: urgency_of(_thing(one))))


def by_patience(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """What has a time, the earliest first; then what has none, and of that what waits longest."""
    things = ((_thing(one), one) for one in entries)
    dated = ((due_of(thing) or _NEVER, thing.created_at, thing.id, one) for thing, one in things)
    return tuple(one for *_, one in sorted(dated, key=lambda row: row[:3]))


def _thing(entry: Entry) -> Interaction | Loop:
    return entry.loop if isinstance(entry, LoopCard) else entry.interaction


def rest(left: int, *, cut: bool) -> str:
    """How many more wait than are listed, `cut`: or more than that. `12 more wait`; nothing where none does."""
    if not left:
        return "Still more wait" if cut else ""
    return f"{'At least ' if cut else ''}{left} more {'waits' if left == 1 and not cut else 'wait'}"
