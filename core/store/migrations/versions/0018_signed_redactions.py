"""What is left of a receipt that somebody was forgotten in has a signature of its own.

Revision ID: 0018_0009
Revises: 0017_0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018_0009"
down_revision = "0017_0009"
branch_labels = None
depends_on = None

CHAINS = ("receipts", "loop_receipts")
# The guards of the chains let them change with a redaction alone, as they do not name them.
ADDED = ("redaction_digest", "redaction_key", "redaction_signature")


def upgrade() -> None:
    for table in CHAINS:
        for name in ADDED:
            op.add_column(table, sa.Column(name, sa.Text(), nullable=True))


def downgrade() -> None:
    for table in CHAINS:
        for name in reversed(ADDED):
            op.drop_column(table, name)
