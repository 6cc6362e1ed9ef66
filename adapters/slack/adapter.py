"""One Slack installation: what bot/ starts, mounts and closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog
from slack_bolt.adapter.starlette.async_handler import to_starlette_response
from slack_bolt.async_app import AsyncBoltRequest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.inbound import Intake
from adapters.slack.channel import SlackChannel
from adapters.slack.client import Clients, open_clients
from adapters.slack.endpoint import Endpoint
from adapters.slack.errors import FAILURES, channel_error
from adapters.slack.settings import Installation, SlackSettings
from adapters.slack.sockets import Sockets
from adapters.slack.telling import Teller
from adapters.slack.verify import JSON, LARGEST, Turned, check
from blocks.codec import Codec
from core.errors import ChannelError, InstallationDead, Misconfigured
from core.ports import Clock

log = structlog.get_logger("sayso.slack")

PATH: Final = "/slack/events"


class SlackAdapter:
    """Made without input or output; `start` finds out which workspace the token is for.

    Until then requests are turned away with 503, so that Slack sends its events again. `lost` is told why when Slack
    says that the app was removed and the token no longer works.
    """

    def __init__(
        self,
        settings: SlackSettings,
        codec: Codec,
        intake: Intake,
        clock: Clock,
        lost: Callable[[str], None] | None = None,
    ) -> None:
        self._lost = lost
        self._settings = settings
        self._codec = codec
        self._intake = intake
        self._clock = clock
        self._clients: Clients | None = None
        self._endpoint: Endpoint | None = None
        self._channel: SlackChannel | None = None
        self._sockets: Sockets | None = None

    async def start(self) -> Installation:
        """Ask Slack who we are. Raises a `ChannelError`: `InstallationDead` for a token that does not work."""
        if self._clients is None:
            self._clients = open_clients(self._settings)
        installation = await identify(self._clients)
        self._channel = SlackChannel(self._clients, installation, self._codec)
        teller = Teller(self._clients, installation, self._codec)
        self._endpoint = Endpoint(self._clients, installation, self._intake, teller, self._check_token)
        return installation

    @property
    def channel(self) -> SlackChannel:
        """The channel to post to, once started."""
        if self._channel is None:
            raise Misconfigured("The Slack adapter is used before it was started.")
        return self._channel

    @property
    def sockets_connected(self) -> int:
        """How many Socket Mode connections are open."""
        return self._sockets.connected if self._sockets else 0

    def routes(self) -> list[Route]:
        """Where Slack sends events, interactions and commands over HTTP."""
        return [Route(PATH, self._receive, methods=["POST"])]

    async def connect_socket(self) -> None:
        """Open Socket Mode, after `start`. Raises the `ChannelError` of an app token that does not work."""
        if self._endpoint is None or self._clients is None or self._settings.app_token is None:
            raise Misconfigured("Socket Mode needs SLACK_APP_TOKEN and a started adapter.")
        self._sockets = Sockets(self._endpoint.bolt, self._clients, self._settings.app_token)
        await self._sockets.connect()

    async def close(self) -> None:
        """Take nothing more, finish what was taken, and close the connections."""
        if self._sockets is not None:
            await self._sockets.close()
        if self._endpoint is not None:
            await self._endpoint.close()
        if self._clients is not None:
            await self._clients.session.close()

    async def _check_token(self) -> None:
        if self._clients is None:
            return
        try:
            await identify(self._clients)
        except InstallationDead as error:
            log.warning("installation lost", error=str(error))
            if self._lost is not None:
                self._lost(str(error))
        except ChannelError as error:
            log.info("installation not checked", error=str(error))

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
        if isinstance(payload, Turned):
            return _turn_away(payload.status, payload.why)
        if self._endpoint is None:
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
    bot_id = str(answer.get("bot_id") or "")
    try:
        bot = (await clients.read.bots_info(bot=bot_id)).get("bot") or {} if bot_id else {}
    except FAILURES as error:
        log.info("bots.info failed", error=type(error).__name__)
        bot = {}
    return Installation(
        team=str(answer["team_id"]),
        team_name=str(answer.get("team") or ""),
        bot_user=str(answer.get("user_id") or ""),
        bot_id=bot_id,
        bot_name=str(bot.get("name") or answer.get("user") or ""),
        app=str(bot.get("app_id") or ""),
        enterprise=answer.get("enterprise_id") or None,
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
