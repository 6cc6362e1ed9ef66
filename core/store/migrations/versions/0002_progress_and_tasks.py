"""Progress of checklists, verdicts and connections; forms filled in one by one; accepted tasks.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SOLE_KEY = sa.text("status = 'pending' AND sole_key IS NOT NULL")
LIVE = sa.text("live")


def upgrade() -> None:
    for name in ("ticks", "verdicts"):
        op.add_column("interactions", sa.Column(name, sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
    op.add_column("interactions", sa.Column("connecting", sa.JSON(), nullable=True))
    op.add_column("interactions", sa.Column("sole_key", sa.Text(), nullable=True))
    op.create_index(
        "uq_interactions_sole_key",
        "interactions",
        ["workspace", "creator_id", "sole_key"],
        unique=True,
        sqlite_where=SOLE_KEY,
        postgresql_where=SOLE_KEY,
    )

    op.add_column("drafts", sa.Column("step", sa.BigInteger(), nullable=True))
    op.add_column("drafts", sa.Column("search", sa.Text(), nullable=False, server_default=""))
    op.add_column("drafts", sa.Column("live", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.drop_index("ix_drafts_updated_at", "drafts")
    op.create_index("ix_drafts_live", "drafts", ["updated_at"], sqlite_where=LIVE, postgresql_where=LIVE)

    op.add_column("prompts", sa.Column("option", sa.BigInteger(), nullable=False, server_default="0"))

    op.create_table(
        "tasks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("interaction", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("parent", sa.Text(), nullable=True),
        sa.Column("assignee", sa.Text(), nullable=True),
        sa.Column("priority", sa.Text(), nullable=True),
        sa.Column("by", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["interaction"], ["interactions.id"], name=op.f("fk_tasks_interaction_interactions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
        sa.UniqueConstraint("interaction", "key", name=op.f("uq_tasks_interaction_key")),
    )
    op.create_index(op.f("ix_tasks_workspace_id"), "tasks", ["workspace", "id"])


def downgrade() -> None:
    op.drop_table("tasks")
    op.drop_column("prompts", "option")
    op.drop_index("ix_drafts_live", "drafts")
    op.create_index("ix_drafts_updated_at", "drafts", ["updated_at"])
    for name in ("live", "search", "step"):
        op.drop_column("drafts", name)
    op.drop_index("uq_interactions_sole_key", "interactions")
    for name in ("sole_key", "connecting", "verdicts", "ticks"):
        op.drop_column("interactions", name)
