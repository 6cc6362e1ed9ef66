"""What waits on a person, cards and work orders in one list: what is overdue first, then what is due soonest."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from core.cards import Card
from core.loops.cards import LoopCard

Entry = Card | LoopCard
_NEVER = datetime.max.replace(tzinfo=UTC)


def due_of(entry: Entry) -> datetime | None:
    """When it is to be done: a card before it expires, a work order by its deadline. None: whenever."""
    return entry.loop.due_at if isinstance(entry, LoopCard) else entry.interaction.expires_at


def is_overdue(entry: Entry) -> bool:
    """Whether its time is over and it waits all the same. A card whose time is over waits on nobody."""
    return isinstance(entry, LoopCard) and entry.loop.is_open and entry.loop.overdue_at is not None


def by_urgency(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """What is overdue, then what is due, both the earliest first; then what has no time, the newest first."""
    newest = sorted(entries, key=_made, reverse=True)
    return tuple(sorted(newest, key=lambda one: (not is_overdue(one), due_of(one) or _NEVER)))


def _made(entry: Entry) -> datetime:
    return entry.loop.created_at if isinstance(entry, LoopCard) else entry.interaction.created_at


def rest(left: int, *, cut: bool) -> str:
    """How many more wait than are listed, `cut`: or more than that. `12 more wait`; nothing where none does."""
    if not left:
        return "Still more wait" if cut else ""
    return f"{'At least ' if cut else ''}{left} more {'waits' if left == 1 and not cut else 'wait'}"
