"""Up to when the calls to the chats are spoken for, so that all processes keep one pace.

Revision ID: 0015_0009
Revises: 0014_0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015_0009"
down_revision = "0014_0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "paces",
        sa.Column("bucket", sa.Text(), nullable=False),
        sa.Column("free_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name="pk_paces"),
    )


def downgrade() -> None:
    op.drop_table("paces")
