"""How many follow-ups were made lately is counted without reading those of all time.

Revision ID: 0011_0009
Revises: 0010_0009
"""

from __future__ import annotations

from alembic import op

revision = "0011_0009"
down_revision = "0010_0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_follow_ups_workspace_created_at"), "follow_ups", ["workspace", "created_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_follow_ups_workspace_created_at"), table_name="follow_ups")
