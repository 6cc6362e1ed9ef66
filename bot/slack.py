"""Slack, put together: the installation of the settings' token, those people made, and what keeps both at work."""

from __future__ import annotations

import asyncio

import structlog
from starlette.routing import Route

from adapters.slack.adapter import SlackAdapter
from adapters.slack.installing import REDIRECT, Installer, Returned, Sent, Tenant
from adapters.slack.manifest import SCOPES
from adapters.slack.renewing import Renewed, renew
from adapters.slack.settings import Installation, SlackSettings
from blocks.codec import Codec
from bot.background import begin
from bot.chats import Chats, Identified
from bot.config import Settings
from bot.installing import CREDENTIAL, SlackDoor
from bot.intake import Intake
from bot.kept import Kept, Opened
from bot.noticing import Noticing
from bot.socket_slots import SocketSlots
from bot.web.installing import InstallPages
from core.addresses import Provider
from core.errors import ChannelError, Misconfigured
from core.ports import Clock

log = structlog.get_logger("sayso.slack")


class SlackSide:
    """The app. `kept` holds what people installed, `door` says who may."""

    def __init__(
        self,
        settings: Settings,
        codec: Codec,
        intake: Intake,
        clock: Clock,
        chats: Chats,
        kept: Kept,
        door: SlackDoor,
        noticing: Noticing,
        slots: SocketSlots,
    ) -> None:
        self._settings = settings
        self._chats = chats
        self._kept = kept
        self._door = door
        self._own: str | None = None
        given = SlackSettings(
            bot_token=settings.slack_bot_token.get_secret_value() if settings.slack_bot_token else None,
            signing_secret=settings.slack_signing_secret.get_secret_value() if settings.slack_signing_secret else None,
            app_token=settings.slack_app_token.get_secret_value() if settings.slack_app_token else None,
            api_url=settings.slack_api_url,
        )
        self._adapter = SlackAdapter(given, codec, intake, clock, self, noticing, slots)
        if settings.slack_bot_token is not None:
            chats.expect(Provider.SLACK)
        self._checks: set[asyncio.Task[None]] = set()
        kept.sides[Provider.SLACK] = self
        chats.doubt = self._doubt

    def routes(self) -> list[Route]:
        """Where Slack sends events, interactions and commands, and where people install the app."""
        routes = self._adapter.routes()
        if self._settings.slack_installs:
            routes += InstallPages(self, self._settings.base_url, self._settings.key("sessions")).routes()
        return routes

    async def run(self, *, receives: bool) -> None:
        """Connect. Returns when that is done; what is installed later joins by itself."""
        self._adapter.open()
        steps = []
        if self._settings.slack_bot_token is not None:
            steps.append(self._chats.connect(Provider.SLACK, self._identify))
        if receives and self._settings.slack_socket_mode:
            steps.append(self._receive())
        await asyncio.gather(*steps)

    async def _receive(self) -> None:
        if self._settings.slack_bot_token is not None:
            # What arrives before its account is known would be lost on people.
            await self._chats.all_connected_of(Provider.SLACK)
        await self._chats.keep_trying("slack socket", self._adapter.connect_socket)

    async def _identify(self) -> Identified:
        found = await self._adapter.start()
        self._own = found.team
        return Identified(found.team, found.team_name, found.bot_user, self._adapter.channel)

    async def close(self) -> None:
        """Finish what was taken in, and close the connections."""
        await asyncio.gather(*self._checks, return_exceptions=True)
        await self._adapter.close()

    # The way to install.

    def site(self) -> str:
        """Slack's page where the app is allowed."""
        return self._installer().site

    async def look(self, invitation: str) -> Tenant | None:
        """Where a link leads. Raises a `Refused`."""
        return await self._installer().look(invitation)

    async def send(self, invitation: str, team: str) -> Sent:
        """Send somebody to Slack. Raises a `Refused`."""
        return await self._installer().send(invitation, team)

    async def receive(self, query: str, cookies: str) -> Returned:
        """Take somebody back. Raises a `Refused` or a `ChannelError`."""
        return await self._installer().receive(query, cookies)

    async def renew(self, refresh: str) -> Renewed:
        """Exchange a refresh token. Raises a `ChannelError`."""
        client_id, secret = self._client()
        return await renew(self._adapter.anonymous, client_id, secret, refresh)

    def _installer(self) -> Installer:
        client_id, secret = self._client()
        return Installer(
            self._adapter.anonymous,
            self._door,
            [scope.name for scope in SCOPES],
            client_id=client_id,
            client_secret=secret,
            redirect=f"{self._settings.base_url}{REDIRECT}",
            api_url=self._settings.slack_api_url,
        )

    def _client(self) -> tuple[str, str]:
        client_id, secret = self._settings.slack_client_id, self._settings.slack_client_secret
        if client_id is None or secret is None:
            raise Misconfigured("SLACK_CLIENT_ID and SLACK_CLIENT_SECRET are missing: nobody can install the app here.")
        return client_id, secret.get_secret_value()

    # What `Kept` tells.

    async def use(self, opened: Opened) -> None:
        """Work through an installation."""
        known, facts = opened.installation, opened.installation.facts
        installation = Installation(
            team=known.account,
            team_name=known.name,
            bot_user=known.bot_user,
            bot_id=facts.get("bot_id", ""),
            bot_name=facts.get("bot_name", ""),
            app=facts.get("app", ""),
            url=facts.get("url", ""),
            enterprise=facts.get("enterprise") or None,
            scopes=frozenset(one for one in facts.get("scopes", "").split(",") if one),
        )
        self._chats.adopt(opened.connection, self._adapter.add(installation, opened.secrets[CREDENTIAL]))
        if not installation.url:
            # Installed when that was not kept, or when Slack did not say it.
            self._begin_check(known.account)

    async def drop(self, account: str) -> None:
        """Work through it no more."""
        self._adapter.drop(account)

    def _doubt(self, provider: Provider, account: str) -> None:
        """What was sent says that an account is dead: perhaps the app was removed while nobody here heard of it."""
        if provider is Provider.SLACK and self._kept.is_kept(provider, account):
            self._begin_check(account)

    def _begin_check(self, account: str) -> None:
        task = begin(self._check(account), f"check {account}")
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    async def _check(self, account: str) -> None:
        try:
            await self._adapter.check(account)
        except ChannelError as error:
            log.info("account not checked", account=account, error=str(error))

    # What the adapter tells.

    async def load(self, account: str) -> None:
        """Something arrived for an account that is not known in this process."""
        await self._kept.find(Provider.SLACK, account)

    async def seen(self, account: str, installation: Installation) -> None:
        """What is kept of an account lacks the address at which people open it."""
        if installation.url:
            await self._kept.learn(Provider.SLACK, account, {"url": installation.url})

    async def lost(self, account: str, why: str) -> None:
        """The app was removed there, which the account's own token says."""
        known = self._kept.mark_of(Provider.SLACK, account)
        if known is not None and not await self._kept.end(Provider.SLACK, account, why):
            await self._kept.find(Provider.SLACK, account)
            if self._kept.mark_of(Provider.SLACK, account) != known:
                # Another process installed it anew or renewed its token, so Slack is asked about that one.
                await self._check(account)
        if account == self._own:
            self._chats.note_dead(Provider.SLACK, account, why)
