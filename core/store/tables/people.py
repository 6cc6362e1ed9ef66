"""Workspaces, the chats they are connected to, the people in them, and what is known of their accounts."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Table, UniqueConstraint

from core.store.columns import document, maybe_document, maybe_text, metadata, moment, text, whole

workspaces = Table(
    "workspaces",
    metadata,
    text("id", primary_key=True),
    text("name"),
    moment("created_at"),
    # The position of the newest event. Its row is the lock that gives the events of a workspace one order.
    whole("position"),
    # When it works; NULL: nobody said.
    maybe_document("calendar"),
)

connections = Table(
    "connections",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False, index=True),
    text("provider"),
    text("account"),
    text("name"),
    text("bot_user"),
    maybe_text("problem"),
    moment("created_at"),
    UniqueConstraint("provider", "account"),  # an arrival belongs to one workspace
)

people = Table(
    "people",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    text("handle"),
    text("name"),
    text("role"),
    Column("automatic", Boolean(), nullable=False),
    maybe_text("timezone"),
    # The time of day at which they get the list of what waits for them; NULL: they do not want it.
    maybe_text("digest"),
    UniqueConstraint("workspace", "handle"),
)

identities = Table(
    "identities",
    metadata,
    # User ids of Telegram have 52 bits, those of Slack are words: all are kept as text.
    Column("workspace", ForeignKey(workspaces.c.id), primary_key=True),
    text("provider", primary_key=True),
    text("account", primary_key=True),
    text("user", primary_key=True),
    Column("person", ForeignKey(people.c.id), nullable=False, index=True),
    # The order in which a person's accounts were proved, or that they chose; the first is preferred.
    whole("place"),
)

profiles = Table(
    "profiles",
    metadata,
    Column("workspace", ForeignKey(workspaces.c.id), primary_key=True),
    text("provider", primary_key=True),
    text("account", primary_key=True),
    text("user", primary_key=True),
    document("standing"),
    moment("fetched_at"),
)

sightings = Table(
    "sightings",
    metadata,
    Column("person", ForeignKey(people.c.id), primary_key=True),
    text("conversation", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    moment("seen_at"),
    Index(None, "workspace", "conversation"),
)
