"""The chats' credentials, sealed, and how somebody on their way to install is known again.

Revision ID: 0005
Revises: 0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "installations",
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("bot_user", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=True),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("installed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_installations_workspace_workspaces")),
        sa.PrimaryKeyConstraint("provider", "account", name=op.f("pk_installations")),
    )
    op.create_index(op.f("ix_installations_workspace"), "installations", ["workspace"])

    op.create_table(
        "install_states",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("invitation", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_install_states")),
    )
    op.create_index(op.f("ix_install_states_expires_at"), "install_states", ["expires_at"])

    op.create_table(
        "invitations",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("account", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_invitations_workspace_workspaces")),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_invitations")),
    )
    op.create_index(op.f("ix_invitations_workspace"), "invitations", ["workspace"])


def downgrade() -> None:
    op.drop_table("invitations")
    op.drop_table("install_states")
    op.drop_table("installations")
