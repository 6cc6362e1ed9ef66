"""Who changed what. Lines are inserted and never changed, but for the name of somebody who is forgotten."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Table

from core.store.columns import document, maybe_document, metadata, moment, text
from core.store.tables.people import workspaces

audit = Table(
    "audit",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=True),
    moment("at"),
    document("actor"),
    text("what"),
    document("about"),
    maybe_document("before"),
    maybe_document("after"),
    Index(None, "workspace", "id"),
)
