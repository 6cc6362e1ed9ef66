"""The contents page of the tables, by subject. Importing it makes `metadata` whole."""

from __future__ import annotations

from core.store.columns import metadata
from core.store.tables.access import agent_keys, agent_secrets, agents, links, sessions, signins
from core.store.tables.asked import (
    PENDING,
    UNKNOWN,
    answerers,
    drafts,
    events,
    interactions,
    prompts,
    publications,
    receipts,
    tasks,
)
from core.store.tables.audit import audit
from core.store.tables.dues import HELD, dues, reminders
from core.store.tables.installations import install_states, installations, invitations
from core.store.tables.kept import past_events, proofs, purged, signing_keys, timelines
from core.store.tables.loops import (
    OPEN,
    agent_accounts,
    alerts,
    conversation_agents,
    conversations,
    follow_ups,
    handovers,
    loop_prompts,
    loop_receipts,
    loop_reminders,
    loop_requests,
    loops,
    sayings,
)
from core.store.tables.owed import ABANDONED, CLAIMED, WAITING, attempts, idempotency, inbox, leases, outbox, paces
from core.store.tables.people import connections, identities, people, profiles, sightings, workspaces
from core.store.tables.tools import tool_calls, tool_policies

__all__ = [
    "ABANDONED", "CLAIMED", "HELD", "OPEN", "PENDING", "UNKNOWN", "WAITING",
    "agent_accounts", "agent_keys", "agent_secrets", "agents", "alerts", "answerers", "attempts", "audit",
    "connections",
    "conversation_agents", "conversations", "drafts", "dues", "events", "follow_ups", "handovers", "idempotency",
    "identities", "inbox", "install_states", "installations", "interactions", "invitations", "leases", "links",
    "loop_prompts", "loop_receipts", "loop_reminders", "loop_requests", "loops",
    "metadata", "outbox", "paces", "past_events", "people", "profiles", "prompts", "proofs", "publications", "purged",
    "receipts", "reminders", "sayings",
    "sessions", "sightings", "signing_keys", "signins", "tasks", "timelines", "tool_calls",
    "tool_policies", "workspaces",
]  # fmt: skip
