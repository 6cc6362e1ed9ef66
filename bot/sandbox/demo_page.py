"""The demo's page: both clients side by side, and beside them what the agent asked and heard."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

FOLDER = Path(__file__).parent / "page"
FILES = {"/": "index.html", "/page.css": "page.css", "/page.js": "page.js"}

State = Callable[[], Mapping[str, Any]]
AskAgain = Callable[[], Awaitable[None]]


def demo_page(state: State, ask_again: AskAgain, frames: tuple[str, ...]) -> Starlette:
    """The page; `state` is what it shows, `frames` are the addresses whose pages it may embed."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
        f"base-uri 'none'; frame-ancestors 'none'; frame-src {' '.join(frames)}"
    )
    headers = {"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}

    def file(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def give(_: Request) -> Response:
            return FileResponse(FOLDER / name, headers=headers)

        return give

    async def show(_: Request) -> Response:
        return JSONResponse(dict(state()), headers={"Cache-Control": "no-store"})

    running: set[asyncio.Task[None]] = set()

    async def ask(request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return Response(status_code=403)
        task = asyncio.ensure_future(ask_again())
        running.add(task)
        task.add_done_callback(running.discard)
        return Response(status_code=204)

    routes = [Route(path, file(name)) for path, name in FILES.items()]
    return Starlette(routes=[*routes, Route("/state", show), Route("/ask", ask, methods=["POST"])])
