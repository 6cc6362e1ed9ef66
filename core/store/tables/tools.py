"""Operations: what operators set about them, and calls that people look at before they run."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Table

from core.store.columns import document, maybe_document, maybe_moment, maybe_text, metadata, moment, text
from core.store.tables.asked import interactions
from core.store.tables.loops import conversations
from core.store.tables.people import workspaces

tool_policies = Table(
    "tool_policies",
    metadata,
    Column("workspace", ForeignKey(workspaces.c.id), primary_key=True),
    text("op", primary_key=True),
    text("policy"),
    document("reviewers"),
    moment("set_at"),
)

tool_calls = Table(
    "tool_calls",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False, index=True),
    Column("conversation", ForeignKey(conversations.c.id), nullable=False),
    text("op"),
    # JSON as it runs, to the letter.
    text("arguments"),
    text("definition"),
    document("by"),
    text("via"),
    maybe_document("identity"),
    Column("interaction", ForeignKey(interactions.c.id), nullable=False, index=True),
    moment("created_at"),
    maybe_text("decision"),
    maybe_text("outcome"),
    maybe_text("words"),
    maybe_moment("over_at"),
)
