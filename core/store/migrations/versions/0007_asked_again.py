"""What was rejected is found when the same is asked again; a reply to a reminder finds its card.

Revision ID: 0007
Revises: 0006
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("interactions", sa.Column("rejected_key", sa.Text(), nullable=True))
    rejected = sa.text("rejected_key IS NOT NULL")
    op.create_index(
        "ix_interactions_rejected",
        "interactions",
        ["workspace", "creator_id", "rejected_key"],
        sqlite_where=rejected,
        postgresql_where=rejected,
    )
    op.create_index(op.f("ix_reminders_channel_message"), "reminders", ["channel", "message"])


def downgrade() -> None:
    op.drop_index(op.f("ix_reminders_channel_message"), table_name="reminders")
    op.drop_index("ix_interactions_rejected", table_name="interactions")
    op.drop_column("interactions", "rejected_key")
