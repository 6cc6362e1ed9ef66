"""What must happen at a time: one row per thing, which is the truth. Whoever wakes up only looks at what is due.

A row is claimed with a lease, and what it stands for is done in one transaction that looks at the row again, so that
nothing happens twice whoever claims it, and what a process that died had claimed is taken up by another.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

LEASE = timedelta(seconds=20)
"""How long a claimed row is left to the one that claimed it."""


class DueKind(StrEnum):
    """What a row stands for, and what its `subject` names."""

    NUDGE = "nudge"
    """The next reminder or escalation of an interaction."""
    SNOOZE = "snooze"
    """A reminder that somebody asked for: `<interaction>/<person>`."""
    HELD = "held"
    """One message in place of reminders that were too many: a person's id, or a conversation."""
    DIGEST = "digest"
    """A person's morning list: the person's id."""
    LOOP = "loop"
    """The next reminder, overdue mark or escalation of a work order."""
    FOLLOWUP = "followup"
    """A follow-up that a tool call asked for."""
    TOOL = "tool"
    """A tool call that people have looked at, to be run now if they approved it: the call's id."""


EVERY_KIND = frozenset(DueKind)


@dataclass(frozen=True)
class Due:
    """One row. `generation` grows with every claim and change, so a late worker sees that it lost the row."""

    kind: DueKind
    subject: str
    workspace: str
    due_at: datetime
    generation: int

    @property
    def id(self) -> str:
        """What tells it from others of its kind."""
        return self.subject


class DueWork(Protocol):
    """The part of `core.ports.Work` that is about what must happen at a time."""

    async def set_due(self, kind: DueKind, subject: str, workspace: str, at: datetime | None) -> None:
        """Make it due at `at` and free it of any claim; None: it need not happen any more."""

    async def due(self, kind: DueKind, subject: str) -> Due | None:
        """Load and lock one row. Lock what it is about first, as everybody else does."""


class Dues(Protocol):
    """The side of whoever wakes up. Each call is a transaction of its own."""

    async def claim(
        self, now: datetime, lease_until: datetime, limit: int, kinds: frozenset[DueKind] = EVERY_KIND
    ) -> tuple[Due, ...]:
        """Take rows of these kinds that are due and that nobody holds, longest due first."""

    async def next_due(self) -> datetime | None:
        """When the earliest row falls due (may be past, may be held); None: there is none."""
