"""Addresses that nothing answers: whoever opens one in a browser gets a page, and a program gets the API's problem."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.web.doors import MISSING, Door
from bot.web.drawing import Drawing
from bot.web.security import Guard

PROGRAMS = "/v1/"
"""Where programs alone go: what is wrong there is told as a problem, whatever they say that they read."""


def with_a_page_for_strays(api: FastAPI, base_url: str, key: bytes) -> ASGIApp:
    """The API, and in place of its 404 for an address that is not its own a page for whoever reads HTML. `base_url` and
    `key` are those of the pages."""
    drawing = Drawing(Guard(base_url, key))

    async def lost(_: Request) -> Response:
        return drawing.trouble(404, MISSING[0], "No page has this address. It may be mistyped.")

    page = Door(drawing, get=lost)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await (page if _strayed(api, scope) else api)(scope, receive, send)

    return answer


def _strayed(api: FastAPI, scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    request = Request(scope)
    if "text/html" not in request.headers.get("accept", "") or request.url.path.startswith(PROGRAMS):
        return False
    return all(one.matches(scope)[0] is Match.NONE for one in api.routes)
