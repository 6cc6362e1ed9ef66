"""What is owed to the outside, what came in, and who is at work."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Table, false
from sqlalchemy import text as sql

from core.store.columns import (
    Counter,
    document,
    maybe_moment,
    maybe_text,
    maybe_whole,
    metadata,
    moment,
    spelled,
    text,
    whole,
)
from core.store.tables.access import agents
from core.store.tables.asked import events, interactions

WAITING, CLAIMED, ABANDONED = spelled("waiting"), spelled("claimed"), spelled("abandoned")
_WAITING = sql("state = 'waiting'")
_CLAIMED = sql("state = 'claimed'")
_ABANDONED = sql("state = 'abandoned'")

outbox = Table(
    # `state` is waiting, claimed, done or abandoned. `seq` is the order of insertion.
    "outbox",
    metadata,
    Column("seq", Counter, primary_key=True),
    text("id", unique=True),
    text("workspace"),
    text("lane"),
    text("key"),
    # What the task names, where it names it: what to draw again, the conversation to speak in.
    maybe_text("publication"),
    maybe_text("channel"),
    document("task"),
    text("state"),
    moment("due_at"),
    # Whether later deliveries of the same key wait for this one.
    Column("blocking", Boolean(), nullable=False),
    whole("generation"),
    whole("attempts"),
    maybe_text("owner"),
    maybe_moment("lease_until"),
    maybe_text("last_error"),
    maybe_moment("ended_at"),
    # Whether a call may be on the wire that must not be made twice.
    Column("calling", Boolean(), nullable=False, server_default=false()),
    Index("ix_outbox_due", "lane", "due_at", "seq", sqlite_where=_WAITING, postgresql_where=_WAITING),
    Index("ix_outbox_order", "lane", "key", "seq", sqlite_where=_WAITING, postgresql_where=_WAITING),
    Index("ix_outbox_abandoned", "lane", sqlite_where=_ABANDONED, postgresql_where=_ABANDONED),
    Index(
        # Deliveries of one key are done one at a time, whatever two workers see at the same moment.
        "uq_outbox_claimed",
        "lane",
        "key",
        unique=True,
        sqlite_where=_CLAIMED,
        postgresql_where=_CLAIMED,
    ),
    Index(None, "ended_at"),
)

inbox = Table(
    # `state` is waiting or done.
    "inbox",
    metadata,
    text("key", primary_key=True),
    text("provider"),
    text("raw"),
    text("state"),
    maybe_text("reply"),
    moment("received_at"),
    maybe_moment("done_at"),
    moment("lease_until"),
    whole("takes"),
    Index("ix_inbox_waiting", "lease_until", sqlite_where=_WAITING, postgresql_where=_WAITING),
    Index(None, "done_at"),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("agent", ForeignKey(agents.c.id), primary_key=True),
    text("key", primary_key=True),
    text("digest"),
    document("response"),
    Column("interaction", ForeignKey(interactions.c.id), nullable=False, index=True),
    moment("created_at"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("seq", Counter, primary_key=True),
    Column("event", ForeignKey(events.c.id), nullable=False, index=True),
    whole("number"),
    moment("at"),
    maybe_whole("status"),
    maybe_text("error"),
)

paces = Table(
    # Up to when the calls of a bucket are spoken for. One that is over is as good as none.
    "paces",
    metadata,
    text("bucket", primary_key=True),
    moment("free_at"),
)

leases = Table(
    "leases",
    metadata,
    text("name", primary_key=True),
    text("owner"),
    moment("until"),
    whole("generation"),
)
