"""What must happen at a time, and the reminders that were sent."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Table
from sqlalchemy import text as sql

from core.store.columns import maybe_moment, maybe_text, metadata, moment, spelled, text, whole
from core.store.tables.asked import interactions
from core.store.tables.people import workspaces

HELD = spelled("held")
_HELD_ROWS = sql("state = 'held'")

dues = Table(
    "dues",
    metadata,
    text("kind", primary_key=True),
    text("subject", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    moment("due_at"),
    maybe_moment("lease_until"),
    whole("generation"),
    Index(None, "due_at"),
)

reminders = Table(
    "reminders",
    metadata,
    text("id", primary_key=True),
    text("workspace"),
    Column("interaction", ForeignKey(interactions.c.id), nullable=False, index=True),
    text("publication"),
    # Whom it is for, as it is counted: a person's id, or a conversation.
    text("recipient"),
    whole("number"),
    whole("of"),
    maybe_text("person"),
    text("state"),
    maybe_text("reason"),
    moment("at"),
    maybe_text("channel"),
    maybe_text("message"),
    Index(None, "recipient", "at"),
    # A list in place of those that were too many looks at few of all that somebody ever got.
    Index("ix_reminders_held", "recipient", "at", sqlite_where=_HELD_ROWS, postgresql_where=_HELD_ROWS),
    # A reply to one is a reply to its card.
    Index(None, "channel", "message"),
)
