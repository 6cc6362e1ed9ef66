"""Installing the app: Bolt's own flow to Slack and back, with our states and our store behind it.

Somebody is sent to Slack with a state that is theirs alone: its twin is a cookie of their browser, and it is good once
and for a short time. Back with it, what Slack grants is kept by whoever opened the door.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Protocol
from urllib.parse import urlencode

import structlog
from slack_bolt.oauth.async_callback_options import AsyncCallbackOptions, AsyncFailureArgs, AsyncSuccessArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.oauth import OAuthStateUtils
from slack_sdk.oauth.installation_store import Installation as Installed
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from adapters.slack.adapter import identify
from adapters.slack.client import QUIET, Clients, clients_of
from adapters.slack.errors import FAILURES, channel_error
from adapters.slack.settings import Installation
from core.errors import ChannelError
from core.installations import STATE_GOOD_FOR

log = structlog.get_logger("sayso.slack")

INSTALL: Final = "/slack/install"
REDIRECT: Final = "/slack/oauth_redirect"
INVITE: Final = "invite"
"""The parameter of a link to install that holds the operator's code."""
TEAM: Final = "team"
"""The one that holds the id of the Slack workspace that Slack's page is to offer first."""


LONGEST_REASON: Final = 100
"""Characters of why nothing was installed that are kept for the log."""


@dataclass(frozen=True)
class Granted:
    """What Slack granted. `account` is the workspace, or the organisation where it is for all of one; `expires_at` is
    when the token ends, None: it does not; `installer` is a user of the workspace, empty for an organisation."""

    account: str
    name: str
    bot_user: str
    bot_id: str
    bot_name: str
    app: str
    enterprise: str
    scopes: str
    token: str = field(repr=False)
    refresh: str | None = field(default=None, repr=False)
    expires_at: datetime | None = None
    installer: str = ""
    url: str = ""


@dataclass(frozen=True)
class Tenant:
    """Whose a Slack workspace is, or will be. `connected` are the Slack workspaces that it has already, by name and
    id."""

    id: str
    name: str
    connected: Sequence[tuple[str, str]] = ()


class Doorkeeper(Protocol):
    """Who is let through. Every method may raise a `core.errors.Refused`."""

    async def look(self, invitation: str) -> Tenant | None:
        """Where this code (may be empty) leads; None: to a tenant of its own. Nothing is changed by this."""

    async def open(self, invitation: str) -> str:
        """Remember somebody who is sent to Slack with this code (may be empty), and return their state."""

    async def admit(self, state: str) -> str | None:
        """Take their state back, once; what they are known by. None: it is not good."""

    async def keep(self, granted: Granted, admitted: str) -> Tenant:
        """Keep what Slack granted to somebody who was admitted; whose it is now."""


@dataclass(frozen=True)
class Sent:
    """Where a browser is sent, and the cookie that it is given."""

    location: str
    cookie: str


@dataclass(frozen=True)
class Returned:
    """How somebody came back. `refused` is why nothing was installed, in a word of Bolt's or Slack's; None: `granted`
    is kept, for `tenant`. The cookie takes the state from the browser."""

    cookie: str
    refused: str | None = None
    granted: Granted | None = None
    tenant: Tenant | None = None


class _Cookies(OAuthStateUtils):
    """As Slack's, only sent with what leads here from elsewhere by a link, and where `secure` taken by browsers from
    this very host alone: a neighbour under the same domain cannot give a browser the state of somebody else."""

    def __init__(self, *, secure: bool) -> None:
        name = f"{'__Host-' if secure else ''}{OAuthStateUtils.default_cookie_name}"
        super().__init__(cookie_name=name, expiration_seconds=int(STATE_GOOD_FOR.total_seconds()))

    def build_set_cookie_for_new_state(self, state: str) -> str:
        return f"{super().build_set_cookie_for_new_state(state)}; SameSite=Lax"


class _States(AsyncOAuthStateStore):
    """The states of one visit. `admitted` is what somebody who brought a good one is known by."""

    def __init__(self, keeper: Doorkeeper) -> None:
        self._keeper = keeper
        self.admitted: str | None = None

    async def async_issue(self, *args: Any, **kwargs: Any) -> str:
        return await self._keeper.open(str(args[0]) if args else str(kwargs.get("invitation", "")))

    async def async_consume(self, state: str) -> bool:
        self.admitted = await self._keeper.admit(state)
        return self.admitted is not None


class _Store(AsyncInstallationStore):
    """Where Bolt puts the installation of one visit."""

    def __init__(
        self, keeper: Doorkeeper, states: _States, look_at: Callable[[str], Awaitable[Installation | None]]
    ) -> None:
        self._keeper = keeper
        self._states = states
        self._look_at = look_at
        self.granted: Granted | None = None
        self.tenant: Tenant | None = None

    async def async_save(self, installation: Installed) -> None:
        granted = _granted(installation, await self._look_at(str(installation.bot_token or "")))
        self.tenant = await self._keeper.keep(granted, self._states.admitted or "")
        self.granted = granted


class _Flow(AsyncOAuthFlow):
    async def issue_new_state(self, request: AsyncBoltRequest) -> str:
        return await self.settings.state_store.async_issue(_first(request.query, INVITE))

    async def build_authorize_url(self, state: str, request: AsyncBoltRequest) -> str:
        """Bolt's own builder would put the redirect into the address as it is."""
        team = _first(request.query, TEAM)
        asked = {
            "client_id": self.settings.client_id,
            "scope": ",".join(self.settings.scopes or ()),
            "user_scope": "",
            "redirect_uri": self.redirect_uri or "",
            "state": state,
            **({TEAM: team} if team else {}),
        }
        return f"{self.settings.authorization_url}?{urlencode(asked)}"


class Installer:
    """Takes people through Slack's flow. `api_url` ends with a slash; the page where the app is allowed is beside
    it."""

    def __init__(
        self,
        clients: Clients,
        keeper: Doorkeeper,
        scopes: Sequence[str],
        *,
        client_id: str,
        client_secret: str,
        redirect: str,
        api_url: str,
    ) -> None:
        self._clients = clients
        self._keeper = keeper
        self._scopes = scopes
        self._client_id = client_id
        self._client_secret = client_secret
        self._redirect = redirect
        self._api_url = api_url
        self._authorize = f"{api_url.removesuffix('api/')}oauth/v2/authorize"

    @property
    def site(self) -> str:
        """Slack's page where the app is allowed."""
        return self._authorize

    async def look(self, invitation: str) -> Tenant | None:
        """Where a code leads, as in `Doorkeeper.look`."""
        return await self._keeper.look(invitation)

    async def send(self, invitation: str, team: str) -> Sent:
        """Send somebody to Slack with this code and to this Slack workspace, where they say so; both may be empty.
        Raises a `Refused`."""
        flow, _, _ = self._flow([])
        query = urlencode({INVITE: invitation, TEAM: team})
        response = await flow.handle_installation(AsyncBoltRequest(body="", query=query))
        return Sent(response.headers["location"][0], response.headers["set-cookie"][0])

    async def receive(self, query: str, cookies: str) -> Returned:
        """Take somebody back. Raises a `Refused`, or a `ChannelError` when Slack could not be asked."""
        refused: list[str] = []
        flow, _, store = self._flow(refused)
        request = AsyncBoltRequest(body="", query=query, headers={"cookie": cookies})
        try:
            await flow.handle_callback(request)
        except FAILURES as error:
            raise channel_error(error, harmless=True) from error
        over = flow.settings.state_utils.build_set_cookie_for_deletion()
        if store.granted is None:
            log.warning("not installed", why=refused[0] if refused else "")
            return Returned(over, refused=refused[0] if refused else "unknown")
        log.info("installed", account=store.granted.account)
        return Returned(over, granted=store.granted, tenant=store.tenant)

    async def _look_at(self, token: str) -> Installation | None:
        """What the app and the workspace are called there; the flow itself does not say. None: nobody knows."""
        try:
            return await identify(clients_of(self._clients.session, self._api_url, token))
        except ChannelError as error:
            log.info("the app's name is not known", error=str(error))
            return None

    def _flow(self, refused: list[str]) -> tuple[AsyncOAuthFlow, _States, _Store]:
        states = _States(self._keeper)
        store = _Store(self._keeper, states, self._look_at)

        async def success(_: AsyncSuccessArgs) -> BoltResponse:
            return BoltResponse(status=200, body="")

        async def failure(args: AsyncFailureArgs) -> BoltResponse:
            refused.append(args.reason[:LONGEST_REASON])  # may be anything that an address says
            return BoltResponse(status=args.suggested_status_code, body="")

        settings = AsyncOAuthSettings(
            client_id=self._client_id,
            client_secret=self._client_secret,
            scopes=self._scopes,
            user_scopes=[],
            redirect_uri=self._redirect,
            install_path=INSTALL,
            redirect_uri_path=REDIRECT,
            install_page_rendering_enabled=False,
            callback_options=AsyncCallbackOptions(success=success, failure=failure),
            authorization_url=self._authorize,
            installation_store=store,
            installation_store_bot_only=True,
            state_store=states,
            state_expiration_seconds=int(STATE_GOOD_FOR.total_seconds()),
            logger=QUIET,
        )
        settings.state_utils = _Cookies(secure=self._redirect.startswith("https://"))
        # Written with a client that makes each call once: a code is good for one.
        return _Flow(client=self._clients.anonymous, logger=QUIET, settings=settings), states, store


def _granted(found: Installed, seen: Installation | None) -> Granted:
    of_all = bool(found.is_enterprise_install)
    scopes, ends = found.bot_scopes or "", found.bot_token_expires_at
    return Granted(
        account=str((found.enterprise_id if of_all else found.team_id) or ""),
        name=str((found.enterprise_name if of_all else found.team_name) or ""),
        bot_user=str(found.bot_user_id or ""),
        bot_id=str(found.bot_id or ""),
        bot_name=seen.bot_name if seen else "",
        app=str(found.app_id or ""),
        enterprise=str(found.enterprise_id or ""),
        url=seen.url if seen else "",
        scopes=scopes if isinstance(scopes, str) else ",".join(scopes),
        token=str(found.bot_token or ""),
        refresh=found.bot_refresh_token,
        expires_at=None if ends is None else datetime.fromtimestamp(float(ends), UTC),
        installer="" if of_all else str(found.user_id or ""),
    )


def _first(query: Mapping[str, Sequence[str]], name: str) -> str:
    return next(iter(query.get(name) or ()), "")
