"""What waits is found in the order of its urgency, and a person's part in work orders by their name and deeds.

Revision ID: 0012_0009
Revises: 0011_0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012_0009"
down_revision = "0011_0009"
branch_labels = None
depends_on = None

PENDING = sa.text("status = 'pending'")
OPEN = sa.text("state IN ('open', 'acknowledged', 'claimed', 'running')")
NEWEST = sa.text("id DESC")


def upgrade() -> None:
    op.create_index(
        "ix_interactions_urgent",
        "interactions",
        ["workspace", "expires_at", NEWEST],
        sqlite_where=PENDING,
        postgresql_where=PENDING,
    )
    op.create_index(
        "ix_loops_urgent", "loops", ["workspace", "due_at", NEWEST], sqlite_where=OPEN, postgresql_where=OPEN
    )
    op.create_index(op.f("ix_loops_workspace_recipient"), "loops", ["workspace", "recipient"])
    op.create_index(op.f("ix_loop_receipts_workspace_by_id"), "loop_receipts", ["workspace", "by_id"])
    op.create_index(op.f("ix_conversations_workspace_address"), "conversations", ["workspace", "address"])
    op.create_index(
        op.f("ix_conversations_workspace_provider_place"), "conversations", ["workspace", "provider", "place"]
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_conversations_workspace_provider_place"), table_name="conversations")
    op.drop_index(op.f("ix_conversations_workspace_address"), table_name="conversations")
    op.drop_index(op.f("ix_loop_receipts_workspace_by_id"), table_name="loop_receipts")
    op.drop_index(op.f("ix_loops_workspace_recipient"), table_name="loops")
    op.drop_index("ix_loops_urgent", table_name="loops")
    op.drop_index("ix_interactions_urgent", table_name="interactions")
