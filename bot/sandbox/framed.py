"""The review pages inside the demo's own page. The product itself is shown in nobody's frame."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.app import App
from bot.web.auth import Sessions
from bot.web.security import Guard, local_path
from core.people import Identity, Person
from core.use_cases.transact import transact

ENTER = "/demo/enter"
"""Signs this browser in as the person of the demo, who has no chat but the stand-ins to be sent a code in."""


def framed(app: App, web: ASGIApp, page: str, person: Person, account: Identity) -> Starlette:
    """The service's web application, whose pages may stand in a frame of `page` (an origin), with `ENTER` beside it."""
    guard = Guard(app.settings.base_url, app.settings.key("sessions"))
    sessions = Sessions(app.context, app.store.records, app.authority, guard)

    async def enter(request: Request) -> Response:
        now = app.context.clock.now()
        cookie = await transact(app.context, lambda work: sessions.open(work, person, str(account), now))
        response = RedirectResponse(local_path(request.query_params.get("to", "")), 303)
        sessions.give(response, cookie)
        return response

    return Starlette(routes=[Route(ENTER, enter), Mount("/", _Framed(web, page))])


class _Framed:
    """Changes who may frame what the application answers, and nothing else."""

    def __init__(self, web: ASGIApp, page: str) -> None:
        self._web = web
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def allow(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                policy = headers.get("content-security-policy")
                if policy is not None:
                    allowed = policy.replace("frame-ancestors 'none'", f"frame-ancestors {self._page}")
                    headers["content-security-policy"] = allowed
                    del headers["x-frame-options"]
            await send(message)

        await self._web(scope, receive, allow)
