"""Work orders, where they are talked about, and what was said there."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Table, UniqueConstraint
from sqlalchemy import text as sql

from core.store.columns import (
    chain_of,
    document,
    maybe_document,
    maybe_moment,
    maybe_text,
    maybe_whole,
    message_key,
    metadata,
    moment,
    spelled,
    text,
    whole,
)
from core.store.tables.access import agents
from core.store.tables.people import workspaces

OPEN = tuple(spelled(state) for state in ("open", "acknowledged", "claimed", "running"))
_OPEN = sql("state IN ('open', 'acknowledged', 'claimed', 'running')")
_UNHEARD = sql("event IS NULL")
_HELD = sql("state = 'held'")

conversations = Table(
    "conversations",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    # `Conversation.key`: the same place has one row.
    text("key"),
    text("provider"),
    text("account"),
    text("place"),
    maybe_text("channel"),
    maybe_text("thread"),
    maybe_text("root"),
    Column("whole", Boolean(), nullable=False),
    maybe_text("parent"),
    # `Conversation.where`, to be matched with `sightings`.
    text("address"),
    moment("created_at"),
    UniqueConstraint("workspace", "key"),
    Index(None, "provider", "account", "channel", "thread"),
    Index(None, "provider", "account", "place", "thread"),
    Index(None, "workspace", "id"),
    Index(None, "workspace", "address"),
    Index(None, "workspace", "provider", "place"),
)

conversation_agents = Table(
    "conversation_agents",
    metadata,
    Column("conversation", ForeignKey(conversations.c.id), primary_key=True),
    Column("agent", ForeignKey(agents.c.id), primary_key=True, index=True),
    moment("joined_at"),
)

loops = Table(
    "loops",
    metadata,
    text("id", primary_key=True),
    Column("workspace", ForeignKey(workspaces.c.id), nullable=False),
    text("name"),
    Column("conversation", ForeignKey(conversations.c.id), nullable=False, index=True),
    text("state"),
    whole("version"),
    text("recipient"),
    maybe_text("sender_id"),
    # Ids of those who have the work or a slot of it, each between bars.
    text("holders"),
    maybe_moment("due_at"),
    maybe_moment("overdue_at"),
    moment("created_at"),
    text("title"),
    text("body"),
    maybe_text("priority"),
    document("sender"),
    maybe_text("sender_label"),
    document("reminders"),
    document("continuation"),
    maybe_text("parent"),
    maybe_text("from_alert"),
    document("slots"),
    maybe_document("acknowledged"),
    maybe_document("claimed"),
    maybe_document("started"),
    whole("nudges"),
    maybe_moment("nudged_at"),
    maybe_moment("escalated_at"),
    maybe_document("outcome"),
    maybe_document("card"),
    # Where the card is, to be found by its message.
    maybe_text("card_provider"),
    maybe_text("card_account"),
    maybe_text("card_channel"),
    maybe_text("card_message"),
    UniqueConstraint("workspace", "name"),
    UniqueConstraint("card_provider", "card_account", "card_channel", "card_message"),
    Index(None, "workspace", "id"),
    Index("ix_loops_open", "workspace", "id", sqlite_where=_OPEN, postgresql_where=_OPEN),
    Index("ix_loops_urgent", "workspace", "due_at", sql("id DESC"), sqlite_where=_OPEN, postgresql_where=_OPEN),
    Index(None, "workspace", "recipient"),
)

loop_receipts = Table(
    # Append-only, as `receipts`.
    "loop_receipts",
    metadata,
    *chain_of("loop", loops.c.id),
    Index(None, "workspace", "by_id"),
)

loop_reminders = Table(
    # What each reminder counted for somebody, so that they do not have too many.
    "loop_reminders",
    metadata,
    text("id", primary_key=True),
    text("workspace"),
    Column("loop", ForeignKey(loops.c.id), nullable=False, index=True),
    text("recipient"),
    text("state"),
    moment("at"),
    Index(None, "recipient", "at"),
    Index("ix_loop_reminders_held", "recipient", "at", sqlite_where=_HELD, postgresql_where=_HELD),
)

sayings = Table(
    "sayings",
    metadata,
    text("id", primary_key=True),
    text("workspace"),
    Column("conversation", ForeignKey(conversations.c.id), nullable=False),
    maybe_text("provider"),
    maybe_text("account"),
    maybe_text("channel"),
    maybe_text("message"),
    maybe_document("by"),
    text("text"),
    Column("ours", Boolean(), nullable=False),
    moment("at"),
    UniqueConstraint("provider", "account", "channel", "message"),
    Index(None, "conversation", "id"),
)

handovers = Table(
    # Directives and runtime contexts; `event` is the one that carried them.
    "handovers",
    metadata,
    text("id", primary_key=True),
    text("workspace"),
    Column("conversation", ForeignKey(conversations.c.id), nullable=False),
    text("kind"),
    text("text"),
    document("by"),
    moment("at"),
    maybe_text("event"),
    Index("ix_handovers_unheard", "conversation", sqlite_where=_UNHEARD, postgresql_where=_UNHEARD),
)

follow_ups = Table(
    "follow_ups",
    metadata,
    text("id", primary_key=True),
    text("workspace"),
    Column("conversation", ForeignKey(conversations.c.id), nullable=False, index=True),
    maybe_text("loop"),
    text("prompt"),
    moment("due_at"),
    document("by"),
    moment("created_at"),
    text("state"),
    Index(None, "workspace", "created_at"),
)

alerts = Table(
    "alerts",
    metadata,
    text("id", primary_key=True),
    text("workspace"),
    Column("conversation", ForeignKey(conversations.c.id), nullable=False, index=True),
    text("severity"),
    text("message"),
    document("by"),
    moment("created_at"),
    maybe_text("order"),
    maybe_document("card"),
    maybe_document("continuation"),
    Index(None, "workspace", "id"),
)

loop_prompts = Table(
    "loop_prompts",
    metadata,
    *message_key(),
    text("workspace"),
    Column("loop", ForeignKey(loops.c.id), nullable=False, index=True),
    whole("action"),
    maybe_whole("slot"),
    text("person"),
)

agent_accounts = Table(
    # Bot accounts that an operator says are an agent's.
    "agent_accounts",
    metadata,
    Column("workspace", ForeignKey(workspaces.c.id), primary_key=True),
    text("provider", primary_key=True),
    text("account", primary_key=True),
    text("user", primary_key=True),
    Column("agent", ForeignKey(agents.c.id), nullable=False, index=True),
    moment("created_at"),
)

loop_requests = Table(
    # Idempotency keys whose answer was about loops.
    "loop_requests",
    metadata,
    Column("agent", ForeignKey(agents.c.id), primary_key=True),
    text("key", primary_key=True),
    text("digest"),
    document("response"),
    moment("created_at"),
    Index(None, "created_at"),
)
