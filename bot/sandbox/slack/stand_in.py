"""The Slack stand-in: a server that slack_sdk, Bolt and a browser talk to as if it were Slack."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Self
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from bot.sandbox.serving import Connections, Listening, serving
from bot.sandbox.slack.api import Api
from bot.sandbox.slack.client import client_page, to_client
from bot.sandbox.slack.control import Control
from bot.sandbox.slack.courier import Sort
from bot.sandbox.slack.faults import Failure, FaultKind
from bot.sandbox.slack.hooks import Hooks
from bot.sandbox.slack.journal import Attempt
from bot.sandbox.slack.openid import SlackOpenId
from bot.sandbox.slack.person import Person
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.settings import StandInSettings
from bot.sandbox.slack.signing import Signature
from bot.sandbox.slack.workspace import Workspace
from bot.sandbox.slack.world import Json, User


class SlackStandIn:
    """One Slack with one workspace and one app in it, served over real sockets.

    Give the service `api_url`, `bot_token` and either `signing_secret` (with `request_url` set to where the
    service listens) or `app_token`. People act through `person`, the world is arranged through `workspace`,
    calls are counted in `platform.journal`.
    """

    def __init__(self, settings: StandInSettings | None = None) -> None:
        self.settings = settings or StandInSettings()
        self.platform = Platform(self.settings)
        self.workspace = Workspace(self.platform)
        self.openid = SlackOpenId(self.platform)
        self._connections = Connections()
        self._listening: Listening | None = None
        self.app = Starlette(routes=self._routes())

    # What the service is given.

    @property
    def url(self) -> str:
        """Where it is served, such as `http://127.0.0.1:40123`."""
        return self.platform.base_url

    @property
    def api_url(self) -> str:
        """The base of the Web API, with a slash at the end."""
        return f"{self.url}/api/"

    @property
    def team_id(self) -> str:
        """The workspace's id."""
        return self.settings.team_id

    @property
    def bot_token(self) -> str:
        """The app's token in that workspace."""
        return self.settings.bot_token

    @property
    def app_token(self) -> str:
        """The token that opens Socket Mode."""
        return self.settings.app_token

    @property
    def signing_secret(self) -> str:
        """What requests to `request_url` are signed with."""
        return self.settings.signing_secret

    @property
    def request_url(self) -> str | None:
        """Where events, interactions and commands are sent; None sends them over Socket Mode."""
        return self.platform.courier.request_url

    @request_url.setter
    def request_url(self, url: str | None) -> None:
        self.platform.courier.request_url = url

    @contextlib.asynccontextmanager
    async def serve(self, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[Self]:
        """Serve until the block ends; port 0 takes a free one."""
        await self.platform.courier.start()
        served = serving(self.app, host, port, connections=self._connections, websockets=True)
        async with served as self._listening:
            self.platform.base_url = self._listening.url
            try:
                yield self
            finally:
                self.platform.closing = True
                self.platform.world.changed()
                await self.platform.courier.stop()
                await self.platform.sockets.hang_up()
                self._connections.hang_up_all()
        self._listening = None

    # What happens.

    def person(self, user: User | str) -> Person:
        """Return somebody to act as."""
        return Person(self.platform, user if isinstance(user, str) else user.id)

    def fail(
        self,
        kind: FaultKind,
        method: str = "*",
        *,
        count: int = 1,
        seconds: float = 1.0,
        status: int = 500,
        error: str = "internal_error",
    ) -> None:
        """Let the next `count` calls of `method` go wrong."""
        self.platform.faults.plan(
            Failure(kind=kind, method=method, count=count, seconds=seconds, status=status, error=error)
        )

    async def away(self, seconds: float, *, refuse: bool = False) -> None:
        """Be unreachable for a while: platform connections close unanswered, or with `refuse` no port listens.

        Returns at once; `clock.advance` shortens it. With `refuse` connections that are open stay so until their
        next request, and new ones to the control API are refused too.
        """
        self.platform.faults.leave(seconds)
        await self.platform.sockets.hang_up()
        if refuse and self._listening is not None:
            self._listening.stop_accepting()
            self.platform.courier.later(self._return(self._listening, seconds))

    async def _return(self, listening: Listening, seconds: float) -> None:
        await self.platform.clock.sleep(seconds)
        await listening.accept_again()

    async def deliver(
        self, payload: Json, sort: Sort = Sort.INTERACTION, *, signature: Signature = Signature.GOOD
    ) -> Attempt:
        """Send any payload, forged or not, once."""
        return await self.platform.courier.deliver(sort, payload, signature=signature)

    async def replay(self, times: int = 1, *, number: int | None = None, retry: bool = False) -> list[Attempt]:
        """Send the last delivery (or the one with `number`) again, unchanged, one after the other.

        With `retry` each is marked as Slack marks its retries.
        """
        kept = [d for d in self.platform.journal.deliveries if number in (None, d.number)]
        if not kept:
            raise LookupError("nothing was delivered yet")
        reason = "http_timeout" if retry else ""
        return [
            await self.platform.courier.replay(kept[-1], retry=attempt if retry else 0, reason=reason)
            for attempt in range(1, times + 1)
        ]

    # What is served.

    def _routes(self) -> list[BaseRoute]:
        api, hooks = Api(self.platform, self._connections), Hooks(self.platform, self._connections)
        return [
            *self.openid.routes(),
            Route("/api/{method}", api.answer, methods=["GET", "POST"]),
            Route("/actions/{key}", hooks.answer, methods=["POST"]),
            Route("/oauth/v2/authorize", self._allow, methods=["GET"]),
            WebSocketRoute("/link/", self._link),
            Control(self).routes(),
            client_page(),
            Route("/", to_client, methods=["GET"]),
            Route("/client", to_client, methods=["GET"]),
        ]

    async def _link(self, socket: WebSocket) -> None:
        if self.platform.faults.is_away:
            await socket.close()  # before it was accepted: the handshake fails
            return
        await self.platform.sockets.serve(socket)

    async def _allow(self, request: Request) -> Response:
        """Allow the app without asking: the redirect that follows somebody's click on Allow."""
        asked = request.query_params
        if asked.get("client_id") != self.settings.client_id or not asked.get("redirect_uri"):
            return PlainTextResponse("bad_client_id or no redirect_uri", status_code=400)
        if not asked.get("scope"):
            return PlainTextResponse("invalid_scope_requested", status_code=400)
        code = self.workspace.authorize(asked.get("team") or self.settings.team_id, asked["redirect_uri"])
        answer = urlencode({"code": code, "state": asked.get("state", "")})
        return RedirectResponse(f"{asked['redirect_uri']}?{answer}", status_code=302)
