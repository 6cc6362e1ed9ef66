"""Tasks that people accepted: rows with stable ids, made in the transaction that accepts them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import JsonValue

from core.canonical import rfc3339
from core.people import By, Value


class Task(Value):
    """One task. `key` is the asker's name for it, `parent` the id of the task above it, `by` who accepted it."""

    id: str
    workspace: str
    interaction: str
    key: str
    title: str
    description: str | None
    parent: str | None
    assignee: str | None
    priority: str | None
    by: By
    at: datetime

    def wire(self) -> dict[str, Any]:
        """As the API, events and webhooks show it."""
        return {**self.model_dump(exclude={"workspace", "by", "at"}), "by": self.by.wire(), "at": rfc3339(self.at)}

    def said(self) -> dict[str, JsonValue]:
        """The same, for an event."""
        return dict(self.wire())
