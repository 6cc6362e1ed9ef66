"""Policies of operations, calls that people look at before they run, and alerts whose raiser hears of them.

Revision ID: 0006
Revises: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tool_policies",
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("op", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("reviewers", sa.JSON(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_tool_policies_workspace_workspaces")),
        sa.PrimaryKeyConstraint("workspace", "op", name=op.f("pk_tool_policies")),
    )
    op.create_table(
        "tool_calls",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("op", sa.Text(), nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("by", sa.JSON(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("identity", sa.JSON(), nullable=True),
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decision", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("words", sa.Text(), nullable=True),
        sa.Column("over_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name=op.f("fk_tool_calls_conversation_conversations")
        ),
        sa.ForeignKeyConstraint(
            ["interaction"], ["interactions.id"], name=op.f("fk_tool_calls_interaction_interactions")
        ),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_tool_calls_workspace_workspaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tool_calls")),
    )
    op.create_index(op.f("ix_tool_calls_workspace"), "tool_calls", ["workspace"])
    op.add_column("events", sa.Column("alert", sa.Text(), nullable=True))
    op.add_column("alerts", sa.Column("continuation", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("alerts", "continuation")
    op.drop_column("events", "alert")
    op.drop_table("tool_calls")
    op.drop_table("tool_policies")
