"""What must happen at a time, the reminders sent, and what people and workspaces say about their time.

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("workspaces", sa.Column("calendar", sa.JSON(), nullable=True))
    op.add_column("people", sa.Column("timezone", sa.Text(), nullable=True))
    op.add_column("people", sa.Column("digest", sa.Text(), nullable=True))
    op.add_column("interactions", sa.Column("started_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("interactions", sa.Column("reminding", sa.JSON(), nullable=True))
    op.add_column("interactions", sa.Column("delegations", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
    op.add_column("publications", sa.Column("menu", sa.Boolean(), nullable=False, server_default=sa.false()))

    op.create_table(
        "dues",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_dues_workspace_workspaces")),
        sa.PrimaryKeyConstraint("kind", "subject", name=op.f("pk_dues")),
    )
    op.create_index(op.f("ix_dues_due_at"), "dues", ["due_at"])

    op.create_table(
        "reminders",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("publication", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("of", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["interaction"], ["interactions.id"], name=op.f("fk_reminders_interaction_interactions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reminders")),
    )
    op.create_index(op.f("ix_reminders_interaction"), "reminders", ["interaction"])
    op.create_index(op.f("ix_reminders_recipient_at"), "reminders", ["recipient", "at"])


def downgrade() -> None:
    op.drop_table("reminders")
    op.drop_table("dues")
    op.drop_column("publications", "menu")
    for name in ("delegations", "reminding", "started_at"):
        op.drop_column("interactions", name)
    for name in ("digest", "timezone"):
        op.drop_column("people", name)
    op.drop_column("workspaces", "calendar")
