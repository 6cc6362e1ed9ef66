"""Each time the database began, or went back to an earlier copy of itself.

Revision ID: 0013_0009
Revises: 0012_0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013_0009"
down_revision = "0012_0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "timelines",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("home", sa.Text(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("known_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("positions", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_timelines")),
    )


def downgrade() -> None:
    op.drop_table("timelines")
