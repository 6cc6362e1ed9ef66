"""Whatever goes with a card or work order is found by it: a purge looks for it once for each.

Revision ID: 0019_0009
Revises: 0018_0009
"""

from __future__ import annotations

from alembic import op

revision = "0019_0009"
down_revision = "0018_0009"
branch_labels = None
depends_on = None

OF = (("prompts", "interaction"), ("tool_calls", "interaction"), ("loop_prompts", "loop"))


def upgrade() -> None:
    for table, column in OF:
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])


def downgrade() -> None:
    for table, column in OF:
        op.drop_index(op.f(f"ix_{table}_{column}"), table_name=table)
