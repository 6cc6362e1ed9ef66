"""The tables.

Revision ID: 0001
Revises: nothing
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = (
    "workspaces",
    "connections",
    "people",
    "identities",
    "profiles",
    "sightings",
    "agents",
    "agent_keys",
    "agent_secrets",
    "signins",
    "sessions",
    "links",
    "interactions",
    "answerers",
    "publications",
    "receipts",
    "events",
    "drafts",
    "prompts",
    "outbox",
    "inbox",
    "idempotency",
    "attempts",
    "leases",
)
REFUSAL = "receipts are append-only"


def upgrade() -> None:
    _make_people()
    _make_access()
    _make_asked()
    _make_owed()
    if op.get_bind().dialect.name == "postgresql":
        _guard_receipts_on_postgres()
    else:
        _guard_receipts_on_sqlite()


def _make_people() -> None:
    op.create_table(
        "workspaces",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspaces")),
    )

    op.create_table(
        "connections",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("bot_user", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_connections_workspace_workspaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_connections")),
        sa.UniqueConstraint("provider", "account", name=op.f("uq_connections_provider_account")),
    )
    op.create_index(op.f("ix_connections_workspace"), "connections", ["workspace"])

    op.create_table(
        "people",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_people_workspace_workspaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("workspace", "handle", name=op.f("uq_people_workspace_handle")),
    )

    op.create_table(
        "identities",
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_identities_person_people")),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_identities_workspace_workspaces")),
        sa.PrimaryKeyConstraint("workspace", "provider", "account", "user", name=op.f("pk_identities")),
    )
    op.create_index(op.f("ix_identities_person"), "identities", ["person"])

    op.create_table(
        "profiles",
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("standing", sa.JSON(), nullable=False),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_profiles_workspace_workspaces")),
        sa.PrimaryKeyConstraint("workspace", "provider", "account", "user", name=op.f("pk_profiles")),
    )

    op.create_table(
        "sightings",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_sightings_person_people")),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_sightings_workspace_workspaces")),
        sa.PrimaryKeyConstraint("person", "conversation", name=op.f("pk_sightings")),
    )
    op.create_index(op.f("ix_sightings_workspace_conversation"), "sightings", ["workspace", "conversation"])


def _make_access() -> None:
    op.create_table(
        "agents",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_agents_workspace_workspaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agents")),
        sa.UniqueConstraint("workspace", "name", name=op.f("uq_agents_workspace_name")),
    )

    op.create_table(
        "agent_keys",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["agent"], ["agents.id"], name=op.f("fk_agent_keys_agent_agents")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_agent_keys")),
    )
    op.create_index(op.f("ix_agent_keys_agent"), "agent_keys", ["agent"])

    op.create_table(
        "agent_secrets",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["agent"], ["agents.id"], name=op.f("fk_agent_secrets_agent_agents")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_agent_secrets")),
    )
    op.create_index(op.f("ix_agent_secrets_agent"), "agent_secrets", ["agent"])

    op.create_table(
        "signins",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("browser", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("identity", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_signins_person_people")),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_signins_workspace_workspaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signins")),
    )
    op.create_index(op.f("ix_signins_person_created_at"), "signins", ["person", "created_at"])

    op.create_table(
        "sessions",
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("csrf", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("identity", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_sessions_person_people")),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_sessions_workspace_workspaces")),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_person"), "sessions", ["person"])

    op.create_table(
        "links",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("claimed", sa.JSON(), nullable=True),
        sa.Column("claimed_name", sa.Text(), nullable=True),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_links_person_people")),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_links_workspace_workspaces")),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_links")),
    )
    op.create_index(op.f("ix_links_person"), "links", ["person"])
    op.create_index(op.f("ix_links_workspace"), "links", ["workspace"])


def _make_asked() -> None:
    op.create_table(
        "interactions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("creator_type", sa.Text(), nullable=False),
        sa.Column("creator_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("undelivered_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("dismissed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("supersedes", sa.Text(), nullable=True),
        sa.Column("supersede_key", sa.Text(), nullable=True),
        sa.Column("fallbacks_used", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("audience", sa.JSON(), nullable=False),
        sa.Column("policy", sa.JSON(), nullable=False),
        sa.Column("continuation", sa.JSON(), nullable=False),
        sa.Column("addresses", sa.JSON(), nullable=False),
        sa.Column("creator", sa.JSON(), nullable=False),
        sa.Column("votes", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_interactions_workspace_workspaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interactions")),
    )
    op.create_index(
        "ix_interactions_due",
        "interactions",
        ["due_at"],
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index(
        "ix_interactions_pending",
        "interactions",
        ["workspace", "id"],
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index(op.f("ix_interactions_workspace_id"), "interactions", ["workspace", "id"])
    op.create_index(
        "uq_interactions_pending_key",
        "interactions",
        ["workspace", "creator_id", "supersede_key"],
        unique=True,
        sqlite_where=sa.text("status = 'pending' AND supersede_key IS NOT NULL"),
        postgresql_where=sa.text("status = 'pending' AND supersede_key IS NOT NULL"),
    )

    op.create_table(
        "answerers",
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("answerer", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["interaction"], ["interactions.id"], name=op.f("fk_answerers_interaction_interactions")
        ),
        sa.PrimaryKeyConstraint("interaction", "answerer", name=op.f("pk_answerers")),
    )
    op.create_index(op.f("ix_answerers_workspace_answerer"), "answerers", ["workspace", "answerer"])

    op.create_table(
        "publications",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("surface", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("page", sa.BigInteger(), nullable=False),
        sa.Column("attempt_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("posts", sa.BigInteger(), nullable=False),
        sa.Column("shown_version", sa.BigInteger(), nullable=True),
        sa.Column("shown_revision", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["interaction"], ["interactions.id"], name=op.f("fk_publications_interaction_interactions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publications")),
        sa.UniqueConstraint("interaction", "number", name=op.f("uq_publications_interaction_number")),
        sa.UniqueConstraint(
            "provider", "account", "channel", "message", name=op.f("uq_publications_provider_account_channel_message")
        ),
    )
    op.create_index(op.f("ix_publications_workspace_conversation"), "publications", ["workspace", "conversation"])
    op.create_index(op.f("ix_publications_workspace_place"), "publications", ["workspace", "place"])
    op.create_index(
        "ix_publications_unknown",
        "publications",
        ["workspace"],
        sqlite_where=sa.text("state = 'unknown'"),
        postgresql_where=sa.text("state = 'unknown'"),
    )

    op.create_table(
        "receipts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("by_id", sa.Text(), nullable=True),
        sa.Column("by_identity", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("line", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["interaction"], ["interactions.id"], name=op.f("fk_receipts_interaction_interactions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipts")),
        sa.UniqueConstraint("interaction", "seq", name=op.f("uq_receipts_interaction_seq")),
    )
    op.create_index(op.f("ix_receipts_workspace_by_id"), "receipts", ["workspace", "by_id"])
    op.create_index(op.f("ix_receipts_workspace_by_identity"), "receipts", ["workspace", "by_identity"])

    op.create_table(
        "events",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["interaction"], ["interactions.id"], name=op.f("fk_events_interaction_interactions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("workspace", "position", name=op.f("uq_events_workspace_position")),
    )
    op.create_index(op.f("ix_events_interaction"), "events", ["interaction"])

    op.create_table(
        "drafts",
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["interaction"], ["interactions.id"], name=op.f("fk_drafts_interaction_interactions")),
        sa.PrimaryKeyConstraint("interaction", "scope", name=op.f("pk_drafts")),
    )
    op.create_index(op.f("ix_drafts_updated_at"), "drafts", ["updated_at"])

    op.create_table(
        "prompts",
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("publication", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.BigInteger(), nullable=False),
        sa.Column("question", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["interaction"], ["interactions.id"], name=op.f("fk_prompts_interaction_interactions")),
        sa.PrimaryKeyConstraint("provider", "account", "channel", "message", name=op.f("pk_prompts")),
    )


def _make_owed() -> None:
    op.create_table(
        "outbox",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("publication", sa.Text(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("task", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("blocking", sa.Boolean(), nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_outbox")),
        sa.UniqueConstraint("id", name=op.f("uq_outbox_id")),
    )
    op.create_index(
        "ix_outbox_due",
        "outbox",
        ["lane", "due_at", "seq"],
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index(op.f("ix_outbox_ended_at"), "outbox", ["ended_at"])
    op.create_index(
        "ix_outbox_order",
        "outbox",
        ["lane", "key", "seq"],
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index(
        "ix_outbox_abandoned",
        "outbox",
        ["lane"],
        sqlite_where=sa.text("state = 'abandoned'"),
        postgresql_where=sa.text("state = 'abandoned'"),
    )
    op.create_index(
        "uq_outbox_claimed",
        "outbox",
        ["lane", "key"],
        unique=True,
        sqlite_where=sa.text("state = 'claimed'"),
        postgresql_where=sa.text("state = 'claimed'"),
    )

    op.create_table(
        "inbox",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("takes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_inbox")),
    )
    op.create_index(op.f("ix_inbox_done_at"), "inbox", ["done_at"])
    op.create_index(
        "ix_inbox_waiting",
        "inbox",
        ["lease_until"],
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )

    op.create_table(
        "idempotency",
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("response", sa.JSON(), nullable=False),
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["agent"], ["agents.id"], name=op.f("fk_idempotency_agent_agents")),
        sa.ForeignKeyConstraint(
            ["interaction"], ["interactions.id"], name=op.f("fk_idempotency_interaction_interactions")
        ),
        sa.PrimaryKeyConstraint("agent", "key", name=op.f("pk_idempotency")),
    )
    op.create_index(op.f("ix_idempotency_interaction"), "idempotency", ["interaction"])

    op.create_table(
        "attempts",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_attempts_event_events")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_attempts")),
    )
    op.create_index(op.f("ix_attempts_event"), "attempts", ["event"])

    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )


def _guard_receipts_on_postgres() -> None:
    op.execute(
        f"""
        CREATE FUNCTION refuse_to_change_receipts() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$
        """
    )
    op.execute(
        """
        CREATE TRIGGER receipts_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON receipts
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_receipts()
        """
    )


def _guard_receipts_on_sqlite() -> None:
    for name, event in (("receipts_stay_as_they_are", "UPDATE"), ("receipts_stay", "DELETE")):
        op.execute(f"CREATE TRIGGER {name} BEFORE {event} ON receipts BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END")


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION refuse_to_change_receipts")
