"""The audit: who changed what about people, agents, chats, keys and settings, kept for good and never edited.

What people answer has receipts of its own. Lines here hold no secret: of a key or token only that it changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, Protocol

from pydantic import JsonValue

from core.people import Agent, Person, Value


class Changed(StrEnum):
    """What was done."""

    AGENT_ADDED = "agent.added"
    AGENT_REVOKED = "agent.revoked"
    AGENT_ROTATED = "agent.rotated"
    AGENT_LINKED = "agent.linked"
    AGENT_UNLINKED = "agent.unlinked"
    PERSON_ADDED = "person.added"
    PERSON_ROLE = "person.role"
    PERSON_SET = "person.set"
    PERSON_FORGOTTEN = "person.forgotten"
    PERSON_MERGED = "person.merged"
    ACCOUNT_PROVED = "account.proved"
    ACCOUNT_ADDED = "account.added"
    ACCOUNT_REMOVED = "account.removed"
    TOOL_POLICY = "tool.policy"
    CALENDAR = "calendar.set"
    INVITED = "chat.invited"
    CHAT_CONNECTED = "chat.connected"
    CHAT_ENDED = "chat.ended"
    WORKSPACE_ADDED = "workspace.added"
    KEY_ROTATED = "key.rotated"
    PURGED = "kept.purged"
    SETTING = "setting.changed"


class Actor(Value):
    """Who did it. `cli` is somebody at a shell of the machine, with the name of their account there as `identity`;
    `service` is the service by itself, on behalf of whom `identity` names."""

    type: Literal["person", "agent", "cli", "service"]
    id: str | None = None
    handle: str | None = None
    identity: str | None = None

    def __str__(self) -> str:
        named = self.handle or self.identity
        return f"{self.type} {named}" if named else self.type


SERVICE = Actor(type="service")


class About(Value):
    """What was changed: `person`, `agent`, `chat`, `tool`, `key`, `workspace` or `setting`, by id and by what it is
    called."""

    type: Literal["person", "agent", "chat", "tool", "key", "workspace", "setting"]
    id: str
    name: str | None = None


def about_person(person: Person) -> About:
    """A person."""
    return About(type="person", id=person.id, name=person.handle)


def about_agent(agent: Agent) -> About:
    """An agent."""
    return About(type="agent", id=agent.id, name=agent.name)


@dataclass(frozen=True)
class AuditLine:
    """One change. `before` and `after` hold what was changed and nothing else; None: there was, or is, no such thing.
    `workspace` is None for what is the whole deployment's."""

    id: str
    workspace: str | None
    at: datetime
    actor: Actor
    what: Changed
    about: About
    before: Mapping[str, JsonValue] | None = None
    after: Mapping[str, JsonValue] | None = None


class AuditWork(Protocol):
    """The part of `core.ports.Work` that writes it."""

    async def note(self, line: AuditLine) -> None:
        """Insert a line."""

    async def locked_operators(self, workspace: str) -> Sequence[str]:
        """The ids of all operators, locked, so that the last two cannot both be taken away at once."""


class AuditReads(Protocol):
    """The part of `core.reading.Records` that reads it."""

    async def audited(
        self, workspace: str | None, *, since: datetime | None = None, before: str | None = None, limit: int = 100
    ) -> Sequence[AuditLine]:
        """Lines, newest first: of one workspace, or of all and the deployment; none older than `since`; those that
        come after the line `before`."""
