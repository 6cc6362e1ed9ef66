"""The Slack app: what bot/ starts, mounts and closes, and the installations that it works through."""

from __future__ import annotations

from typing import Final

import structlog
from slack_bolt.adapter.starlette.async_handler import to_starlette_response
from slack_bolt.async_app import AsyncBoltRequest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.inbound import Intake
from adapters.slack.channel import SlackChannel
from adapters.slack.client import Clients, clients_of, open_session
from adapters.slack.endpoint import Endpoint
from adapters.slack.errors import FAILURES, OVER, channel_error, code_of
from adapters.slack.homes import Home, Homes, Installed, settle
from adapters.slack.noticing import Noticing
from adapters.slack.settings import Installation, SlackSettings
from adapters.slack.sockets import Slots, Sockets
from adapters.slack.verify import JSON, LARGEST, Turned, check
from blocks.codec import Codec
from core.errors import InstallationDead, Misconfigured
from core.ports import Clock

log = structlog.get_logger("sayso.slack")

PATH: Final = "/slack/events"


class SlackAdapter:
    """Made without input or output; `open` lets it work, `start` finds out which workspace the token of the settings is
    for, `add` brings in an installation that is kept elsewhere.

    Until it is open, and where there is a token of the settings until an installation is known, requests are turned
    away with 503, so that Slack sends its events again. `installed` keeps the other installations, and is told where
    the app was removed.
    """

    def __init__(
        self,
        settings: SlackSettings,
        codec: Codec,
        intake: Intake,
        clock: Clock,
        installed: Installed | None = None,
        noticing: Noticing | None = None,
        slots: Slots | None = None,
    ) -> None:
        self._installed = installed
        self._noticing = noticing
        self._slots = slots
        self._settings = settings
        self._codec = codec
        self._intake = intake
        self._clock = clock
        self._nobody: Clients | None = None
        self._homes: Homes | None = None
        self._endpoint: Endpoint | None = None
        self._sockets: Sockets | None = None

    def open(self) -> None:
        """Open the connection to Slack. Call it inside a running loop; a second time it does nothing."""
        if self._nobody is None:
            self._nobody = clients_of(open_session(), self._settings.api_url, None)
            self._homes = Homes(self._nobody, self._codec, self._installed)
            self._endpoint = Endpoint(self._nobody, self._homes, self._intake, self._check_token)

    async def start(self) -> Installation:
        """Ask Slack whose token the settings hold. Raises a `ChannelError`: `InstallationDead` for a token that does
        not work."""
        if self._settings.bot_token is None:
            raise Misconfigured("SLACK_BOT_TOKEN is missing: there is no installation of its own.")
        clients = self._clients(self._settings.bot_token)
        installation = await identify(clients)
        self._known.own = settle(clients, installation, self._codec)
        self._known.put(self._known.own)
        return installation

    def add(self, installation: Installation, token: str) -> SlackChannel:
        """Work through an installation that is kept elsewhere; one that is there already gets the token."""
        known = self._known.get(installation.team)
        if known is not None and (known is self._known.own or known.installation == installation):
            # The token of the settings may be of an earlier installation there: the one that is kept is no older.
            known.clients.renew(token)
            return known.channel
        home = settle(self._clients(token), installation, self._codec)
        self._known.put(home)
        return home.channel

    def drop(self, account: str) -> None:
        """Work through an installation no more."""
        if self._known.own is None or self._known.own.account != account:
            self._known.drop(account)

    @property
    def _known(self) -> Homes:
        self.open()
        if self._homes is None:
            raise Misconfigured("The Slack adapter is used before it was opened.")
        return self._homes

    @property
    def anonymous(self) -> Clients:
        """Clients without a token, for what needs none."""
        self.open()
        if self._nobody is None:
            raise Misconfigured("The Slack adapter is used before it was opened.")
        return self._nobody

    def _clients(self, token: str) -> Clients:
        return clients_of(self.anonymous.session, self._settings.api_url, token)

    @property
    def channel(self) -> SlackChannel:
        """The channel of the installation in the settings, once started."""
        if self._homes is None or self._homes.own is None:
            raise Misconfigured("The Slack adapter is used before it was started.")
        return self._homes.own.channel

    def routes(self) -> list[Route]:
        """Where Slack sends events, interactions and commands over HTTP."""
        return [Route(PATH, self._receive, methods=["POST"])]

    async def connect_socket(self) -> None:
        """Open Socket Mode, after `open`. Raises the `ChannelError` of an app token that does not work."""
        if self._endpoint is None or self._nobody is None or self._settings.app_token is None:
            raise Misconfigured("Socket Mode needs SLACK_APP_TOKEN and an open adapter.")
        self._sockets = Sockets(
            self._endpoint.bolt, self._nobody, self._settings.app_token, self._noticing, self._slots
        )
        await self._sockets.connect()

    async def close(self) -> None:
        """Take nothing more, finish what was taken, and close the connections."""
        if self._sockets is not None:
            await self._sockets.close()
        if self._endpoint is not None:
            await self._endpoint.close()
        if self._nobody is not None:
            await self._nobody.session.close()

    async def check(self, account: str) -> None:
        """Ask Slack whether the token of an account still works, and whose it is. Raises a `ChannelError` when Slack
        does not say."""
        home = self._known.get(account)
        if home is not None:
            await self._check_token(home)

    async def _check_token(self, home: Home, *, removed: bool = False) -> None:
        """Ask Slack whether a token still works, and say so when it does not. One that is merely over tells nothing,
        unless Slack said that the app was `removed`."""
        token = home.clients.write.token
        if token is None:
            return
        try:
            seen = await identify(home.clients)
        except InstallationDead as error:
            if error.__cause__ is not None and code_of(error.__cause__) == OVER and not removed:
                return
            now = self._known.get(home.account)
            if now is not None and now.clients.write.token != token:
                # It has other credentials by now, and it is those that count.
                await self._check_token(now, removed=removed)
                return
            log.warning("installation lost", account=home.account, error=str(error))
            if self._installed is not None:
                await self._installed.lost(home.account, str(error))
        else:
            if self._installed is not None:
                await self._installed.seen(home.account, seen)

    @property
    def _is_ready(self) -> bool:
        return self._homes is not None and (self._settings.bot_token is None or not self._homes.is_empty)

    async def _receive(self, request: Request) -> Response:
        try:
            body = await _read(request)
        except ClientDisconnect:
            return Response(status_code=400)
        if body is None:
            return _turn_away(413, "the body is too large")
        headers = {name.lower(): value for name, value in request.headers.items()}
        secret = self._settings.signing_secret or ""
        payload = check(headers, body, secret, self._clock.now().timestamp())
        if self._noticing is not None and (not isinstance(payload, Turned) or payload.forged):
            self._noticing.signature(genuine=not isinstance(payload, Turned))
        if isinstance(payload, Turned):
            return _turn_away(payload.status, payload.why)
        if self._endpoint is None or not self._is_ready:
            return Response(status_code=503)
        try:
            read = AsyncBoltRequest(body=payload, headers={"content-type": JSON})
            answer = await self._endpoint.bolt.async_dispatch(read)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # Bolt reads payloads before its own error handling begins.
            return _turn_away(400, f"the payload was not understood ({type(error).__name__})")
        return to_starlette_response(answer)


async def identify(clients: Clients) -> Installation:
    """What auth.test and bots.info tell of the token's installation."""
    try:
        answer = await clients.read.auth_test()
    except FAILURES as error:
        raise channel_error(error, harmless=True) from error
    granted = answer.headers.get("x-oauth-scopes") or ""
    bot_id, enterprise = str(answer.get("bot_id") or ""), answer.get("enterprise_id") or None
    of_all = enterprise if answer.get("is_enterprise_install") else None
    try:
        # A token for a whole organisation must say where.
        asked = {"bot": bot_id, **({"team_id": of_all} if of_all else {})}
        bot = (await clients.read.bots_info(**asked)).get("bot") or {} if bot_id else {}
    except FAILURES as error:
        log.info("bots.info failed", error=type(error).__name__)
        bot = {}
    return Installation(
        team=str(of_all or answer["team_id"]),
        team_name=str(answer.get("team") or ""),
        bot_user=str(answer.get("user_id") or ""),
        bot_id=bot_id,
        bot_name=str(bot.get("name") or answer.get("user") or ""),
        app=str(bot.get("app_id") or ""),
        url=str(answer.get("url") or ""),
        enterprise=enterprise,
        scopes=frozenset(scope.strip() for scope in granted.split(",") if scope.strip()),
    )


async def _read(request: Request) -> bytes | None:
    """The body; None when it is larger than any of Slack's."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > LARGEST:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            return None
    return bytes(body)


def _turn_away(status: int, why: str) -> Response:
    log.warning("request turned away", status=status, why=why)
    return Response(status_code=status)
