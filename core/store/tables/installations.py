"""The chats' credentials that are kept, sealed, and how somebody on their way to install is known again."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Table

from core.store.columns import document, maybe_moment, maybe_text, metadata, moment, text, whole
from core.store.tables.people import workspaces

installations = Table(
    "installations",
    metadata,
    text("provider", primary_key=True),
    text("account", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False, index=True),
    text("name"),
    text("bot_user"),
    # Made with the service's key; NULL once the credentials are of no use.
    maybe_text("sealed"),
    document("facts"),
    moment("installed_at"),
    maybe_moment("expires_at"),
    whole("generation"),
    maybe_moment("ended_at"),
    maybe_text("problem"),
)

install_states = Table(
    # Hashes of what was sent along with people to Slack.
    "install_states",
    metadata,
    text("hash", primary_key=True),
    moment("expires_at"),
    maybe_text("invitation"),
    Index(None, "expires_at"),
)

invitations = Table(
    "invitations",
    metadata,
    text("code", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False, index=True),
    moment("created_at"),
    moment("expires_at"),
    maybe_moment("used_at"),
    maybe_text("account"),
)
