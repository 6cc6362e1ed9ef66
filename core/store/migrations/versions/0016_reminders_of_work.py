"""Reminders of work orders, as they count for whoever gets them.

Revision ID: 0016_0009
Revises: 0015_0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016_0009"
down_revision = "0015_0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "loop_reminders",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("loop", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["loop"], ["loops.id"], name=op.f("fk_loop_reminders_loop_loops")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_loop_reminders")),
    )
    op.create_index(op.f("ix_loop_reminders_loop"), "loop_reminders", ["loop"])
    op.create_index(op.f("ix_loop_reminders_recipient_at"), "loop_reminders", ["recipient", "at"])


def downgrade() -> None:
    op.drop_table("loop_reminders")
