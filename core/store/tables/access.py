"""Agents with their keys, and how people sign in. Keys, codes and cookies are kept as hashes."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Table, UniqueConstraint, false

from core.store.columns import Counter, maybe_document, maybe_moment, maybe_text, metadata, moment, text, whole
from core.store.tables.people import people, workspaces

agents = Table(
    "agents",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    text("name"),
    text("role"),
    moment("created_at"),
    maybe_moment("revoked_at"),
    # For good: audiences name agents, and a later agent must not inherit what an earlier one was named in.
    UniqueConstraint("workspace", "name"),
)

agent_keys = Table(
    "agent_keys",
    metadata,
    text("hash", primary_key=True),
    Column("agent", ForeignKey(agents.c.id), nullable=False, index=True),
    moment("created_at"),
    maybe_moment("ends_at"),
)

agent_secrets = Table(
    "agent_secrets",
    metadata,
    Column("seq", Counter, primary_key=True),
    Column("agent", ForeignKey(agents.c.id), nullable=False, index=True),
    text("secret"),
    moment("created_at"),
    maybe_moment("ends_at"),
)

signins = Table(
    "signins",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    Column("person", ForeignKey(people.c.id), nullable=True),
    text("browser"),
    text("code"),
    moment("created_at"),
    moment("expires_at"),
    whole("tries"),
    maybe_moment("used_at"),
    maybe_text("identity"),
    Index(None, "person", "created_at"),
)

sessions = Table(
    "sessions",
    metadata,
    text("token", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    Column("person", ForeignKey(people.c.id), nullable=False, index=True),
    text("csrf"),
    moment("created_at"),
    moment("expires_at"),
    maybe_moment("revoked_at"),
    maybe_text("identity"),
    Column("launched", Boolean(), nullable=False, server_default=false()),
)

links = Table(
    "links",
    metadata,
    text("code", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False, index=True),
    Column("person", ForeignKey(people.c.id), nullable=False, index=True),
    moment("created_at"),
    moment("expires_at"),
    maybe_moment("used_at"),
    maybe_document("claimed"),
    maybe_text("claimed_name"),
    maybe_moment("confirmed_at"),
)
