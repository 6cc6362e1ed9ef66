"""Addresses that nothing answers: whoever opens one in a browser gets a page, and a program gets the API's problem."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.web.doors import MISSING, Door
from bot.web.drawing import Drawing
from bot.web.security import Guard

PROGRAMS = "/v1/"
"""Where programs alone go: what is wrong there is told as a problem, whatever they say that they read."""


class WithAPageForStrays:
    """The API, and in place of its 404 for an address that is not its own a page for whoever reads HTML."""

    def __init__(self, api: FastAPI, page: ASGIApp) -> None:
        self._api = api
        self._page = page

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Those of the API: the table of all that is served is checked against them."""
        return self._api.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await (self._page if _strayed(self._api, scope) else self._api)(scope, receive, send)


def with_a_page_for_strays(api: FastAPI, base_url: str, key: bytes) -> WithAPageForStrays:
    """The API with such a page. `base_url` and `key` are those of the pages."""
    drawing = Drawing(Guard(base_url, key))

    async def lost(_: Request) -> Response:
        return drawing.trouble(404, MISSING[0], "No page has this address. It may be mistyped.")

    return WithAPageForStrays(api, Door(drawing, get=lost))


def _strayed(api: FastAPI, scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    request = Request(scope)
    if "text/html" not in request.headers.get("accept", "") or request.url.path.startswith(PROGRAMS):
        return False
    return all(one.matches(scope)[0] is Match.NONE for one in api.routes)
