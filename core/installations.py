"""Credentials that this service keeps for chats, and how a chat comes to be connected: installing and inviting.

What opens a chat (a token) is only ever held sealed here; whoever has the service's key opens it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from core.addresses import Provider
from core.people import Identity

if TYPE_CHECKING:
    from core.ports import Connection

STATE_GOOD_FOR = timedelta(minutes=10)
"""How long somebody has to allow the app on Slack's page."""
INVITATION_GOOD_FOR = timedelta(hours=24)
"""How long an operator's link to install waits to be used."""
TOKEN_LASTS = timedelta(hours=12)
"""How long Slack's tokens that end are good."""
RENEW_BEFORE = timedelta(hours=2)
"""How long before its end a token is replaced."""
ENDED_KEPT = timedelta(days=7)
"""How long used and lapsed invitations are remembered."""


Mark = tuple[datetime, int]
"""When an account was installed and its generation: another one says that something changed."""


@dataclass(frozen=True)
class Installation:
    """The app in one Slack workspace or organisation, or one Telegram bot, with its credentials.

    `account` is what addresses call it: a Slack team or organisation id, a bot's username. `sealed` holds the
    credentials, None once they are of no use to anybody. `facts` are what the provider told when it was installed.
    `expires_at` is when the token ends, None: it does not. `generation` grows with every change, so that other
    processes notice. `ended_at` and `problem` say since when and why it is of no use, in words for the operator.
    """

    provider: Provider
    account: str
    workspace: str
    name: str
    bot_user: str
    sealed: str | None = field(repr=False)
    installed_at: datetime
    facts: Mapping[str, str] = field(default_factory=dict)
    expires_at: datetime | None = None
    generation: int = 1
    ended_at: datetime | None = None
    problem: str | None = None

    @property
    def mark(self) -> Mark:
        """What changes whenever it does."""
        return self.installed_at, self.generation

    @property
    def is_live(self) -> bool:
        """Whether there are credentials to use."""
        return self.sealed is not None and self.ended_at is None


def is_organisation(account: str) -> bool:
    """Whether an account of Slack is a whole organisation, whose people are known by their workspaces."""
    return account.startswith("E")


def may_be_in(identity: Identity, provider: Provider, account: str) -> bool:
    """Whether an account of a person is one that a connection's conversations may hold: of its own team in Slack, of
    any team where the connection is a whole organisation; Telegram knows people alike through all bots."""
    if identity.provider != provider.value:
        return False
    return provider is Provider.TELEGRAM or identity.account == account or is_organisation(account)


@dataclass(frozen=True)
class InstallState:
    """Somebody who was sent to Slack to allow the app. `hash` is of the state that comes back with them; `invitation`
    is the hash of the link they used, None where anybody may install."""

    hash: str
    expires_at: datetime
    invitation: str | None = None


@dataclass(frozen=True)
class Invitation:
    """An operator's one-time link to connect a chat to a workspace. `code` is a hash; `account` is what used it."""

    code: str
    workspace: str
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
    account: str | None = None

    def is_good(self, now: datetime) -> bool:
        """Whether it may be used."""
        return self.used_at is None and now < self.expires_at


class InstallationWork(Protocol):
    """The part of `core.ports.Work` that keeps installations."""

    async def installation(self, provider: Provider, account: str) -> Installation | None:
        """Load and lock one, whichever workspace it belongs to."""

    async def put_installation(self, installation: Installation) -> None:
        """Insert or replace; its generation is made one more than the row had."""

    async def renew_installation(self, before: Installation, after: Installation) -> bool:
        """Write `after` where the row is still at `before.generation`; False when somebody else changed it."""

    async def keep_facts(self, installation: Installation) -> bool:
        """Write its facts where the row is still at its generation, which stays; False when somebody changed it."""

    async def drop_installation(self, provider: Provider, account: str) -> bool:
        """Forget one and its connection; False when there was none."""

    async def connection_at(self, provider: Provider, account: str) -> Connection | None:
        """The connection of an account, whichever workspace it belongs to."""

    async def hurry(self, provider: Provider, account: str, now: datetime) -> int:
        """What waits to be sent to an account again is due now: it went away, or came back. Returns how much that
        is."""

    async def add_install_state(self, state: InstallState) -> None:
        """Insert one."""

    async def take_install_state(self, hash: str, now: datetime) -> InstallState | None:
        """Take one away, so that nobody can take it again; None when it is not there or over."""

    async def add_invitation(self, invitation: Invitation) -> None:
        """Insert one."""

    async def invitation(self, code: str) -> Invitation | None:
        """Load and lock one by the hash of its code."""

    async def save_invitation(self, invitation: Invitation) -> None:
        """Write one."""


class InstallationReads(Protocol):
    """The part of `core.reading.Records` that looks at installations."""

    async def installations(self) -> tuple[Installation, ...]:
        """All of all workspaces, ended ones too, by provider and account."""

    async def installation_at(self, provider: Provider, account: str) -> Installation | None:
        """One."""

    async def installation_marks(self) -> Mapping[tuple[Provider, str], Mark]:
        """The mark of each, to see what changed."""

    async def workspace_names(self) -> tuple[tuple[str, str], ...]:
        """Id and name of every workspace, oldest first."""
