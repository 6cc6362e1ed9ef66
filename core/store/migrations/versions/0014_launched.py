"""Whether a tap in a chat opened a session, which is no sign-in where one is demanded.

Revision ID: 0014_0009
Revises: 0013_0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014_0009"
down_revision = "0013_0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("launched", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("sessions", "launched")
