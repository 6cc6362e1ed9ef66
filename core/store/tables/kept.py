"""What is kept for good: the keys that receipts were signed with, and the proof left of what was purged."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table, UniqueConstraint

from core.store.columns import document, maybe_moment, maybe_text, metadata, moment, text, whole
from core.store.tables.people import workspaces

signing_keys = Table(
    # The highest number is in use. `sealed` is made with the service's key; NULL once another key took its place.
    "signing_keys",
    metadata,
    text("id", primary_key=True),
    whole("number", unique=True),
    text("public"),
    maybe_text("sealed"),
    moment("made_at"),
)

purged = Table(
    # What was purged: that it was there, how it ended, and how long its chain was. Append-only.
    "purged",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    # `interaction` or `loop`.
    text("what"),
    text("kind"),
    text("status"),
    whole("revision"),
    text("digest"),
    moment("created_at"),
    moment("settled_at"),
    moment("purged_at"),
    whole("receipts"),
    text("head"),
    maybe_text("key"),
    maybe_text("signature"),
    Index(None, "workspace", "id"),
)

proofs = Table(
    # What is left of a purged receipt: what its signature is made of. Append-only, and a receipt goes only where its
    # proof is.
    "proofs",
    metadata,
    text("id", primary_key=True),
    Column("subject", ForeignKey(purged.c.id), nullable=False),
    whole("seq"),
    text("type"),
    whole("revision"),
    text("digest"),
    moment("at"),
    maybe_text("prev"),
    text("hash"),
    maybe_text("key"),
    maybe_text("signature"),
    UniqueConstraint("subject", "seq"),
)

past_events = Table(
    # Where purged events were, so that whoever read up to one of them goes on from there.
    "past_events",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    Column("position", BigInteger(), nullable=False),
)

timelines = Table(
    # Each time the database began or went back. The newest one is what it is on; see `core.restoring`.
    "timelines",
    metadata,
    text("id", primary_key=True),
    text("home"),
    moment("began_at"),
    maybe_moment("known_until"),
    document("positions"),
)
