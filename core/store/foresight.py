"""What a transaction will ask for soon, fetched together with what it asks for now: one way to the server instead of
several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Executable, Table

from core.store.prepared import Found

Sees = Sequence[Table] | None
"""The tables that a statement looks at, where that is known to be few."""


@dataclass(frozen=True)
class Question:
    """A statement that is run often, with its parameters."""

    statement: Executable
    row: Mapping[str, Any]
    sees: Sees

    def may_see(self, table: Table | None) -> bool:
        """Whether it may look at a table; None is any."""
        return table is None or self.sees is None or table in self.sees


@dataclass
class Foresight:
    """`wanted` goes with the next statement that is waited for. What was found so is in `known`, and given once."""

    wanted: list[Question] = field(default_factory=list)
    known: list[tuple[Question, Found]] = field(default_factory=list)

    def take(self, statement: Executable, row: Mapping[str, Any]) -> Found | None:
        """What was found for a statement, if that was fetched and nothing of it was changed since."""
        for place, (question, found) in enumerate(self.known):
            if question.statement is statement and question.row == row:
                del self.known[place]
                return found
        return None

    def changed(self, table: Table | None) -> None:
        """A table was written (None: any may have been), so what was seen of it does not count any more."""
        if self.known:
            self.known = [one for one in self.known if not one[0].may_see(table)]
