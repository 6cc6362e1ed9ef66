"""The workspaces and organisations that the app is installed in, and which of them something arrived for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import structlog
from slack_bolt.async_app import AsyncBoltContext

from adapters.slack.channel import SlackChannel
from adapters.slack.client import Clients
from adapters.slack.settings import Installation
from adapters.slack.telling import Teller
from blocks.codec import Codec

log = structlog.get_logger("sayso.slack")


class Installed(Protocol):
    """Whoever keeps the installations. Every method may raise a `ChannelError` or an error of the database."""

    async def load(self, account: str) -> None:
        """Something arrived for an account that is not known here: add it, if it is kept."""

    async def lost(self, account: str, why: str) -> None:
        """Slack says that the app was removed there and its token does not work any more."""

    async def seen(self, account: str, installation: Installation) -> None:
        """Slack says of a token that works whose it is."""


@dataclass(frozen=True)
class Home:
    """One installation, and what works through it."""

    installation: Installation
    clients: Clients
    channel: SlackChannel
    teller: Teller

    @property
    def account(self) -> str:
        """The workspace, or the organisation where the app is installed for all of one."""
        return self.installation.team


def settle(clients: Clients, installation: Installation, codec: Codec) -> Home:
    """Put together what works through an installation."""
    channel = SlackChannel(clients, installation, codec)
    return Home(installation, clients, channel, Teller(clients, installation, codec))


class Homes:
    """Finds them. `own` is the installation of the token from the settings, once it is known."""

    def __init__(self, anonymous: Clients, codec: Codec, installed: Installed | None) -> None:
        self._anonymous = anonymous
        self._codec = codec
        self._installed = installed
        self._by_account: dict[str, Home] = {}
        self.own: Home | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is none yet."""
        return not self._by_account

    def put(self, home: Home) -> None:
        """Add one, in the place of what was there."""
        self._by_account[home.account] = home

    def get(self, account: str) -> Home | None:
        """The one of an account."""
        return self._by_account.get(account)

    def drop(self, account: str) -> None:
        """Take one away."""
        self._by_account.pop(account, None)

    async def of(self, context: AsyncBoltContext) -> Home:
        """The installation that a payload is for, as it says itself: of the organisation or of a workspace.

        What is for none gets a home without a token: whoever acted can be told so where Slack gave an address for it.
        """
        team, enterprise = context.team_id, context.enterprise_id
        of_all = bool(context.is_enterprise_install)
        names = [one for one in ((enterprise, team) if of_all else (team, enterprise)) if one]
        for name in names:
            if name in self._by_account:
                return self._by_account[name]
        for name in names:
            await self._load(name)
            if name in self._by_account:
                return self._by_account[name]
        if self.own is not None and _is_of(self.own.installation, team, enterprise):
            return self.own
        return settle(self._anonymous, Installation(names[0] if names else "", "", "", "", ""), self._codec)

    async def _load(self, account: str) -> None:
        if self._installed is None:
            return
        try:
            await self._installed.load(account)
        except Exception as error:  # noqa: BLE001  # then it is not known; whoever takes the arrival finds out as well
            log.warning("installation not looked up", account=account, error=type(error).__name__)


def _is_of(own: Installation, team: str | None, enterprise: str | None) -> bool:
    """Whether a payload that names no workspace is for this one: it names the organisation of it, or nothing at all."""
    return team in (None, own.enterprise) and enterprise in (None, own.enterprise)
