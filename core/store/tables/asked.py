"""What was asked, where it is shown, what happened to it, and what is filled in but not sent."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Table, UniqueConstraint, false, true
from sqlalchemy import text as sql

from core.publications import PublicationState
from core.records import Status
from core.store.columns import (
    chain_of,
    document,
    maybe_document,
    maybe_moment,
    maybe_text,
    maybe_whole,
    message_key,
    metadata,
    moment,
    spelled,
    text,
    whole,
)
from core.store.tables.loops import loops
from core.store.tables.people import workspaces

PENDING = spelled(Status.PENDING.value)
UNKNOWN = spelled(PublicationState.UNKNOWN.value)
_PENDING = sql("status = 'pending'")
_UNKNOWN = sql("state = 'unknown'")
_PENDING_KEY = sql("status = 'pending' AND supersede_key IS NOT NULL")
_SOLE_KEY = sql("status = 'pending' AND sole_key IS NOT NULL")
_REJECTED_KEY = sql("rejected_key IS NOT NULL")
_LIVE = sql("live")
EMPTY_LIST = sql("'[]'")

interactions = Table(
    "interactions",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    text("kind"),
    text("status"),
    whole("revision"),
    whole("version"),
    text("creator_type"),
    maybe_text("creator_id"),
    moment("created_at"),
    maybe_moment("expires_at"),
    maybe_moment("undelivered_until"),
    # `Interaction.due_at`: what the timer and the guard of a settling write look at.
    maybe_moment("due_at"),
    maybe_moment("dismissed_at"),
    # When the clock of reminders and expiry started.
    maybe_moment("started_at"),
    maybe_text("supersedes"),
    maybe_text("supersede_key"),
    maybe_text("sole_key"),
    # What people rejected, spelled by `core.asked_again.sameness`; NULL: they did not.
    maybe_text("rejected_key"),
    whole("fallbacks_used"),
    document("content"),
    document("audience"),
    document("policy"),
    document("continuation"),
    document("addresses"),
    document("creator"),
    document("votes"),
    document("ticks", server_default=EMPTY_LIST),
    document("verdicts", server_default=EMPTY_LIST),
    maybe_document("connecting"),
    maybe_document("reminding"),
    document("delegations", server_default=EMPTY_LIST),
    maybe_document("outcome"),
    Index(None, "workspace", "id"),
    Index("ix_interactions_due", "due_at", sqlite_where=_PENDING, postgresql_where=_PENDING),
    Index("ix_interactions_pending", "workspace", "id", sqlite_where=_PENDING, postgresql_where=_PENDING),
    Index(
        "ix_interactions_urgent",
        "workspace",
        "expires_at",
        sql("id DESC"),
        sqlite_where=_PENDING,
        postgresql_where=_PENDING,
    ),
    Index(
        # One creator has one pending card per key, also when two are asked at the same moment.
        "uq_interactions_pending_key",
        "workspace",
        "creator_id",
        "supersede_key",
        unique=True,
        sqlite_where=_PENDING_KEY,
        postgresql_where=_PENDING_KEY,
    ),
    Index(
        # What one creator asks for once at a time is pending once, also when it is asked twice at the same moment.
        "uq_interactions_sole_key",
        "workspace",
        "creator_id",
        "sole_key",
        unique=True,
        sqlite_where=_SOLE_KEY,
        postgresql_where=_SOLE_KEY,
    ),
    Index(
        "ix_interactions_rejected",
        "workspace",
        "creator_id",
        "rejected_key",
        sqlite_where=_REJECTED_KEY,
        postgresql_where=_REJECTED_KEY,
    ),
)

answerers = Table(
    # The audience of each interaction, spelled by `rows.answerer_key`, so that it can be looked up.
    "answerers",
    metadata,
    Column("interaction", ForeignKey(interactions.c.id), primary_key=True),
    text("answerer", primary_key=True),
    text("workspace"),
    Index(None, "workspace", "answerer"),
)

publications = Table(
    "publications",
    metadata,
    text("id", primary_key=True),
    text("workspace"),
    Column("interaction", ForeignKey(interactions.c.id), nullable=False),
    whole("number"),
    text("provider"),
    text("account"),
    text("place"),
    maybe_text("thread"),
    maybe_text("channel"),
    maybe_text("message"),
    # `Publication.conversation`, to be matched with `sightings`.
    text("conversation"),
    text("state"),
    maybe_text("surface"),
    maybe_text("reason"),
    whole("page"),
    Column("menu", Boolean(), nullable=False, server_default=false()),
    maybe_moment("attempt_at"),
    whole("posts"),
    maybe_whole("shown_version"),
    maybe_whole("shown_revision"),
    UniqueConstraint("interaction", "number"),
    UniqueConstraint("provider", "account", "channel", "message"),
    Index(None, "workspace", "conversation"),
    Index(None, "workspace", "place"),
    Index("ix_publications_unknown", "workspace", sqlite_where=_UNKNOWN, postgresql_where=_UNKNOWN),
)

receipts = Table(
    # Append-only: triggers let a line change only where personal data is taken out, and go only where its proof stays.
    "receipts",
    metadata,
    *chain_of("interaction", interactions.c.id),
    Index(None, "workspace", "by_id"),
    Index(None, "workspace", "by_identity"),
)

events = Table(
    "events",
    metadata,
    text("id", primary_key=True),
    text("workspace"),
    Column("position", BigInteger(), nullable=False),
    text("type"),
    moment("at"),
    # What it is about: one of them.
    Column("interaction", ForeignKey(interactions.c.id), nullable=True, index=True),
    Column("loop", ForeignKey(loops.c.id), nullable=True, index=True),
    maybe_text("alert"),
    document("data"),
    UniqueConstraint("workspace", "position"),
)

drafts = Table(
    "drafts",
    metadata,
    Column("interaction", ForeignKey(interactions.c.id), primary_key=True),
    text("scope", primary_key=True),
    text("person"),
    text("name"),
    whole("revision"),
    document("fields"),
    moment("updated_at"),
    maybe_whole("step"),
    text("search", server_default=""),
    Column("live", Boolean(), nullable=False, server_default=true()),
    Index("ix_drafts_live", "updated_at", sqlite_where=_LIVE, postgresql_where=_LIVE),
)

prompts = Table(
    "prompts",
    metadata,
    *message_key(),
    text("workspace"),
    Column("interaction", ForeignKey(interactions.c.id), nullable=False, index=True),
    whole("publication"),
    whole("revision"),
    whole("action"),
    whole("question"),
    whole("option", server_default="0"),
    maybe_text("person"),
)

tasks = Table(
    # What people accepted of suggested tasks.
    "tasks",
    metadata,
    text("id", primary_key=True),
    text("workspace"),
    Column("interaction", ForeignKey(interactions.c.id), nullable=False),
    text("key"),
    text("title"),
    maybe_text("description"),
    maybe_text("parent"),
    maybe_text("assignee"),
    maybe_text("priority"),
    document("by"),
    moment("at"),
    UniqueConstraint("interaction", "key"),
    Index(None, "workspace", "id"),
)
