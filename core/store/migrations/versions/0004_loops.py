"""Work orders, the conversations they are talked about in, and events that are about them.

Revision ID: 0004
Revises: 0003
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

OPEN = sa.text("state IN ('open', 'acknowledged', 'claimed', 'running')")
UNHEARD = sa.text("event IS NULL")
REFUSAL = "receipts are append-only"
TABLES = (
    "conversations",
    "conversation_agents",
    "loops",
    "loop_receipts",
    "sayings",
    "handovers",
    "follow_ups",
    "alerts",
    "loop_prompts",
    "agent_accounts",
    "loop_requests",
)


def _on_postgres() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def upgrade() -> None:
    _make_places()
    _make_loops()
    _make_said()
    _make_agents()
    _guard_receipts()
    if _on_postgres():
        op.alter_column("events", "interaction", existing_type=sa.Text(), nullable=True)
        op.add_column("events", sa.Column("loop", sa.Text(), nullable=True))
        op.create_foreign_key(op.f("fk_events_loop_loops"), "events", "loops", ["loop"], ["id"])
        op.create_index(op.f("ix_events_loop"), "events", ["loop"])
    else:
        _rebuild_events(with_loops=True)


def _make_places() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("root", sa.Text(), nullable=True),
        sa.Column("whole", sa.Boolean(), nullable=False),
        sa.Column("parent", sa.Text(), nullable=True),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_conversations_workspace_workspaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversations")),
        sa.UniqueConstraint("workspace", "key", name=op.f("uq_conversations_workspace_key")),
    )
    for columns in (
        ("provider", "account", "channel", "thread"),
        ("provider", "account", "place", "thread"),
        ("workspace", "id"),
    ):
        op.create_index(op.f(f"ix_conversations_{'_'.join(columns)}"), "conversations", list(columns))


def _make_loops() -> None:
    op.create_table(
        "loops",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("sender_id", sa.Text(), nullable=True),
        sa.Column("holders", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("overdue_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("priority", sa.Text(), nullable=True),
        sa.Column("sender", sa.JSON(), nullable=False),
        sa.Column("sender_label", sa.Text(), nullable=True),
        sa.Column("reminders", sa.JSON(), nullable=False),
        sa.Column("continuation", sa.JSON(), nullable=False),
        sa.Column("parent", sa.Text(), nullable=True),
        sa.Column("from_alert", sa.Text(), nullable=True),
        sa.Column("slots", sa.JSON(), nullable=False),
        sa.Column("acknowledged", sa.JSON(), nullable=True),
        sa.Column("claimed", sa.JSON(), nullable=True),
        sa.Column("started", sa.JSON(), nullable=True),
        sa.Column("nudges", sa.BigInteger(), nullable=False),
        sa.Column("nudged_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("escalated_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.JSON(), nullable=True),
        sa.Column("card", sa.JSON(), nullable=True),
        sa.Column("card_provider", sa.Text(), nullable=True),
        sa.Column("card_account", sa.Text(), nullable=True),
        sa.Column("card_channel", sa.Text(), nullable=True),
        sa.Column("card_message", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_loops_workspace_workspaces")),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name=op.f("fk_loops_conversation_conversations")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_loops")),
        sa.UniqueConstraint("workspace", "name", name=op.f("uq_loops_workspace_name")),
        sa.UniqueConstraint(
            "card_provider",
            "card_account",
            "card_channel",
            "card_message",
            name=op.f("uq_loops_card_provider_card_account_card_channel_card_message"),
        ),
    )
    op.create_index(op.f("ix_loops_conversation"), "loops", ["conversation"])
    op.create_index(op.f("ix_loops_workspace_id"), "loops", ["workspace", "id"])
    op.create_index("ix_loops_open", "loops", ["workspace", "id"], sqlite_where=OPEN, postgresql_where=OPEN)

    op.create_table(
        "loop_receipts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("loop", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("by_id", sa.Text(), nullable=True),
        sa.Column("by_identity", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("line", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["loop"], ["loops.id"], name=op.f("fk_loop_receipts_loop_loops")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_loop_receipts")),
        sa.UniqueConstraint("loop", "seq", name=op.f("uq_loop_receipts_loop_seq")),
    )

    op.create_table(
        "loop_prompts",
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("loop", sa.Text(), nullable=False),
        sa.Column("action", sa.BigInteger(), nullable=False),
        sa.Column("slot", sa.BigInteger(), nullable=True),
        sa.Column("person", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["loop"], ["loops.id"], name=op.f("fk_loop_prompts_loop_loops")),
        sa.PrimaryKeyConstraint("provider", "account", "channel", "message", name=op.f("pk_loop_prompts")),
    )


def _make_said() -> None:
    op.create_table(
        "sayings",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=True),
        sa.Column("account", sa.Text(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("by", sa.JSON(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("ours", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name=op.f("fk_sayings_conversation_conversations")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sayings")),
        sa.UniqueConstraint(
            "provider", "account", "channel", "message", name=op.f("uq_sayings_provider_account_channel_message")
        ),
    )
    op.create_index(op.f("ix_sayings_conversation_id"), "sayings", ["conversation", "id"])

    op.create_table(
        "handovers",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("by", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("event", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name=op.f("fk_handovers_conversation_conversations")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_handovers")),
    )
    op.create_index(
        "ix_handovers_unheard", "handovers", ["conversation"], sqlite_where=UNHEARD, postgresql_where=UNHEARD
    )

    op.create_table(
        "follow_ups",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("loop", sa.Text(), nullable=True),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name=op.f("fk_follow_ups_conversation_conversations")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_follow_ups")),
    )
    op.create_index(op.f("ix_follow_ups_conversation"), "follow_ups", ["conversation"])

    op.create_table(
        "alerts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("by", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("order", sa.Text(), nullable=True),
        sa.Column("card", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name=op.f("fk_alerts_conversation_conversations")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alerts")),
    )
    op.create_index(op.f("ix_alerts_conversation"), "alerts", ["conversation"])
    op.create_index(op.f("ix_alerts_workspace_id"), "alerts", ["workspace", "id"])


def _make_agents() -> None:
    op.create_table(
        "conversation_agents",
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name=op.f("fk_conversation_agents_conversation_conversations")
        ),
        sa.ForeignKeyConstraint(["agent"], ["agents.id"], name=op.f("fk_conversation_agents_agent_agents")),
        sa.PrimaryKeyConstraint("conversation", "agent", name=op.f("pk_conversation_agents")),
    )
    op.create_index(op.f("ix_conversation_agents_agent"), "conversation_agents", ["agent"])

    op.create_table(
        "agent_accounts",
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_agent_accounts_workspace_workspaces")),
        sa.ForeignKeyConstraint(["agent"], ["agents.id"], name=op.f("fk_agent_accounts_agent_agents")),
        sa.PrimaryKeyConstraint("workspace", "provider", "account", "user", name=op.f("pk_agent_accounts")),
    )
    op.create_index(op.f("ix_agent_accounts_agent"), "agent_accounts", ["agent"])

    op.create_table(
        "loop_requests",
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("response", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["agent"], ["agents.id"], name=op.f("fk_loop_requests_agent_agents")),
        sa.PrimaryKeyConstraint("agent", "key", name=op.f("pk_loop_requests")),
    )
    op.create_index(op.f("ix_loop_requests_created_at"), "loop_requests", ["created_at"])


def _guard_receipts() -> None:
    if _on_postgres():
        op.execute(
            """
            CREATE TRIGGER loop_receipts_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON loop_receipts
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_receipts()
            """
        )
        return
    for name, event in (("loop_receipts_stay_as_they_are", "UPDATE"), ("loop_receipts_stay", "DELETE")):
        op.execute(f"CREATE TRIGGER {name} BEFORE {event} ON loop_receipts BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END")


def _rebuild_events(*, with_loops: bool) -> None:
    """SQLite cannot let a column be empty that was not: another table takes the place of this one.

    Whoever migrates has turned foreign keys off, so that dropping the old table empties none that refers to it.
    """
    columns: list[sa.schema.SchemaItem] = [
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("interaction", sa.Text(), nullable=with_loops),
        *([sa.Column("loop", sa.Text(), nullable=True)] if with_loops else []),
        sa.Column("data", sa.JSON(), nullable=False),
    ]
    keys: list[sa.schema.SchemaItem] = [
        sa.ForeignKeyConstraint(["interaction"], ["interactions.id"], name=op.f("fk_events_interaction_interactions")),
        *([sa.ForeignKeyConstraint(["loop"], ["loops.id"], name=op.f("fk_events_loop_loops"))] if with_loops else []),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("workspace", "position", name=op.f("uq_events_workspace_position")),
    ]
    op.create_table("events_anew", *columns, *keys)
    op.execute(
        "INSERT INTO events_anew (id, workspace, position, type, at, interaction, data) "
        "SELECT id, workspace, position, type, at, interaction, data FROM events"
    )
    op.drop_table("events")
    op.rename_table("events_anew", "events")
    op.create_index(op.f("ix_events_interaction"), "events", ["interaction"])
    if with_loops:
        op.create_index(op.f("ix_events_loop"), "events", ["loop"])


def downgrade() -> None:
    op.execute("DELETE FROM attempts WHERE event IN (SELECT id FROM events WHERE interaction IS NULL)")
    op.execute("DELETE FROM events WHERE interaction IS NULL")
    if _on_postgres():
        op.drop_index("ix_events_loop", "events")
        op.drop_constraint("fk_events_loop_loops", "events", type_="foreignkey")
        op.drop_column("events", "loop")
        op.alter_column("events", "interaction", existing_type=sa.Text(), nullable=False)
    else:
        _rebuild_events(with_loops=False)
    for table in reversed(TABLES):
        op.drop_table(table)
