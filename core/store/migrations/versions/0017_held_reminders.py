"""Reminders that are held are found without all that somebody ever got.

Revision ID: 0017_0009
Revises: 0016_0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017_0009"
down_revision = "0016_0009"
branch_labels = None
depends_on = None

HELD = sa.text("state = 'held'")
OF = (("ix_reminders_held", "reminders"), ("ix_loop_reminders_held", "loop_reminders"))


def upgrade() -> None:
    for name, table in OF:
        op.create_index(name, table, ["recipient", "at"], sqlite_where=HELD, postgresql_where=HELD)


def downgrade() -> None:
    for name, table in OF:
        op.drop_index(name, table_name=table)
