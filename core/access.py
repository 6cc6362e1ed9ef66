"""Keys, sign-ins, sessions and links: who may come in. Of every code, key and token only a hash is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from core.people import Agent, Identity

ROTATION = timedelta(hours=24)
"""How long the key and secret before a rotation stay good."""


class Asked(StrEnum):
    """How a message with a code was asked for; each kind is counted for itself, so that none uses up another."""

    BY_NAME = ""
    """By the name of its person, which anybody may type."""
    FROM_CHAT = "chat."
    """By a pass that only the chat of its person was told; nobody counts these."""
    BY_CLAIM = "claim."
    """By somebody signed in who says that the account is theirs too."""


@dataclass(frozen=True)
class SignIn:
    """An attempt to sign in, waiting for its code. `browser` and `code` are hashes, the first behind an `Asked`.
    `person` is None when the name that was typed is nobody's: it looks the same from outside and can never succeed.
    `identity` (`slack:T1.U1`) is the account the code was sent to; of an account that somebody signed in says is theirs
    too, it is that in JSON."""

    id: str
    workspace: str
    person: str | None
    browser: str
    code: str
    created_at: datetime
    expires_at: datetime
    tries: int = 0
    used_at: datetime | None = None
    identity: str | None = None


@dataclass(frozen=True)
class Session:
    """A signed-in browser. `token` is the hash of its cookie, `csrf` the secret its forms are signed with, `identity`
    (`slack:T1.U1`) the account that proved who it is. `launched`: a tap in a chat opened it, which is no sign-in where
    one is demanded."""

    token: str
    workspace: str
    person: str
    csrf: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    identity: str | None = None
    launched: bool = False


@dataclass(frozen=True)
class Link:
    """A one-time `/start` code for a person. `claimed` is the account that used it; it becomes an identity only when
    an operator confirms it."""

    code: str
    workspace: str
    person: str
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
    claimed: Identity | None = None
    claimed_name: str | None = None
    confirmed_at: datetime | None = None


class Access(Protocol):
    """The part of `core.ports.Work` that writes keys, sign-ins, sessions and links. Reading is in `Records`."""

    async def add_agent(self, agent: Agent, key_hash: str, webhook_secret: str, now: datetime) -> None:
        """Insert an agent with its key's hash and its webhook secret. `Raced` when the name or key is taken."""

    async def rotate_agent(
        self, agent: str, key_hash: str, webhook_secret: str, now: datetime, previous_until: datetime
    ) -> None:
        """Give an agent another key and secret; those in use end at `previous_until` at the latest."""

    async def reseal_webhook_secrets(self, limit: int, after: int = 0) -> int | None:
        """Seal those that are not sealed with the key in use, this many at most, beginning behind `after`; return what
        to go on behind, None when there are no more. What no key of ours opens is left as it is."""

    async def revoke_agent(self, workspace: str, agent: str, now: datetime) -> None:
        """End an agent and all its keys at once. Its pending interactions are the caller's to withdraw."""

    async def pending_by(self, workspace: str, creator: str) -> Sequence[str]:
        """Ids of the pending interactions that an agent or person created, oldest first."""

    async def pending_naming(self, workspace: str, answerer: str) -> Sequence[str]:
        """Ids of the pending interactions whose audience holds exactly this answerer, oldest first."""

    async def add_signin(self, signin: SignIn) -> None:
        """Insert one."""

    async def signin(self, id: str) -> SignIn | None:
        """Load and lock one."""

    async def save_signin(self, signin: SignIn) -> None:
        """Write one."""

    async def signins_since(self, workspace: str, person: str, since: datetime, asked: Asked = Asked.BY_NAME) -> int:
        """How many sign-ins this person was sent since then that were asked for so. Locks the person, so that counting
        and adding is one."""

    async def add_session(self, session: Session) -> None:
        """Insert one."""

    async def revoke_session(self, token: str, now: datetime) -> None:
        """End one session."""

    async def add_link(self, link: Link) -> None:
        """Insert one."""

    async def link(self, code: str) -> Link | None:
        """Load and lock one by the hash of its code."""

    async def save_link(self, link: Link) -> None:
        """Write one."""

    async def claimed_links(self, workspace: str) -> Sequence[Link]:
        """Links that were used and wait for an operator to confirm them, oldest first."""
