"""Where loops are talked about, and what is kept of what was said there."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from core.addresses import ChatAddress, Provider
from core.canonical import rfc3339
from core.loops.values import LoopCopy
from core.people import By, Value
from core.records import Continuation


class Conversation(Value):
    """One place where loops are talked about: a thread, a topic, a one-to-one chat, or (`api`) one that programs alone
    have.

    `place` is where it was addressed (a user on Slack; among programs the recipient, and `thread` the sender),
    `channel` where it is. `whole`: every message there belongs to
    it. Otherwise it begins with a message that is not there yet, or, where a chat has no threads, is everything that
    replies to `root` or to another message of it. `parent` is the conversation whose order this is a part of.
    """

    id: str
    workspace: str
    provider: Literal["slack", "telegram", "api"]
    account: str
    place: str
    channel: str | None = None
    thread: str | None = None
    root: str | None = None
    whole: bool = True
    parent: str | None = None
    created_at: datetime

    @property
    def is_chat(self) -> bool:
        """Whether people are there."""
        return self.provider != "api"

    @property
    def where(self) -> str:
        """Its address without the thread, by which calls are paced."""
        return self._spelled(None)

    @property
    def address(self) -> str:
        """Its address: `slack:T1.C1/1712.0001`, `api:worker/builder`."""
        return self._spelled(self.thread)

    def _spelled(self, thread: str | None) -> str:
        if self.provider == "api":
            return f"api:{self.place}" + (f"/{thread}" if thread else "")
        return str(ChatAddress(Provider(self.provider), self.account, self.channel or self.place, thread))

    @property
    def key(self) -> str:
        """What is the same for the same place. One that begins with a message to come is a place of its own."""
        if not self.whole:
            return self.id
        return f"{self.provider}:{self.account}.{self.place}/{self.thread or ''}"

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {
            "id": self.id,
            "provider": self.provider,
            "account": self.account,
            "channel": self.channel or self.place,
            "thread": self.thread,
            "address": self.address,
            "parent": self.parent,
            "created_at": rfc3339(self.created_at),
        }


class Saying(Value):
    """One message in a conversation. `message` is its id there (None: it was not said in a chat); `text` what was said,
    whole. `ours`: we wrote it."""

    id: str
    workspace: str
    conversation: str
    message: str | None = None
    by: By | None = None
    text: str = ""
    ours: bool = False
    at: datetime

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {
            "id": self.id,
            "conversation": self.conversation,
            "message": self.message,
            "by": self.by.wire() if self.by else None,
            "text": self.text,
            "at": rfc3339(self.at),
        }


class HandoverKind(StrEnum):
    """What is kept for the agents of a conversation."""

    DIRECTIVE = "directive"
    RUNTIME = "runtime"


class Handover(Value):
    """A directive or a runtime context, kept until the next event of the conversation carries it."""

    id: str
    workspace: str
    conversation: str
    kind: HandoverKind
    text: str
    by: By
    at: datetime


class FollowUpState(StrEnum):
    """`waiting`, then one of the others."""

    WAITING = "waiting"
    DONE = "done"
    CANCELLED = "cancelled"


class FollowUp(Value):
    """Words to be said again in a conversation at a time. `loop` is the name of the loop it is about, if any."""

    id: str
    workspace: str
    conversation: str
    loop: str | None = None
    prompt: str
    due_at: datetime
    by: By
    created_at: datetime
    state: FollowUpState = FollowUpState.WAITING

    def wire(self) -> dict[str, Any]:
        """As a tool call's result and events show it."""
        return {
            "id": self.id,
            "state": self.state.value,
            "conversation": self.conversation,
            "loop": self.loop,
            "prompt": self.prompt,
            "due_at": rfc3339(self.due_at),
            "by": self.by.wire(),
        }


class Alert(Value):
    """Something happened that all in a conversation should hear. `order` is the name of the work order opened from it,
    which makes it an incident; `continuation` is where its raiser hears of it, and what it wants to hear again."""

    id: str
    workspace: str
    conversation: str
    severity: str
    message: str
    by: By
    created_at: datetime
    order: str | None = None
    card: LoopCopy | None = None
    continuation: Continuation = Continuation()

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {
            "id": self.id,
            "severity": self.severity,
            "message": self.message,
            "by": self.by.wire(),
            "conversation": self.conversation,
            "created_at": rfc3339(self.created_at),
            "incident": self.order is not None,
            "order": self.order,
        }


class LoopPrompt(Value):
    """A message of ours whose reply is taken as the words of a result, or as a reason, from `person` alone."""

    provider: str
    account: str
    channel: str
    message: str
    workspace: str
    loop: str
    action: int
    slot: int | None = None
    person: str
