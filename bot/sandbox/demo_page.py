"""The demo's pages: both clients beside what the agent asked and heard, and the gallery of all formats."""

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
FILES = {
    "/": "index.html",
    "/gallery": "gallery.html",
    "/page.css": "page.css",
    "/gallery.css": "gallery.css",
    "/page.js": "page.js",
    "/gallery.js": "gallery.js",
    "/dom.js": "dom.js",
}

State = Callable[[], Awaitable[Mapping[str, Any]]]
AskAgain = Callable[[], Awaitable[None]]
AskFormat = Callable[[str], Awaitable[None]]


def demo_page(
    state: State, ask_again: AskAgain, gallery: State, ask_format: AskFormat, frames: tuple[str, ...]
) -> Starlette:
    """The pages; `state` and `gallery` are what they show, `frames` are the origins whose pages they may embed."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
        f"base-uri 'none'; frame-ancestors 'none'; frame-src {' '.join(frames)}"
    )
    headers = {"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}

    def file(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def give(_: Request) -> Response:
            return FileResponse(FOLDER / name, headers=headers)

        return give

    def shown(state: State) -> Callable[[Request], Awaitable[Response]]:
        async def give(_: Request) -> Response:
            return JSONResponse(dict(await state()), headers={"Cache-Control": "no-store"})

        return give

    running: set[asyncio.Task[None]] = set()

    async def ask(request: Request) -> Response:
        if _is_foreign(request):
            return Response(status_code=403)
        task = asyncio.ensure_future(ask_again())
        running.add(task)
        task.add_done_callback(running.discard)
        return Response(status_code=204)

    async def ask_one(request: Request) -> Response:
        if _is_foreign(request):
            return Response(status_code=403)
        try:
            await ask_format(request.path_params["format"])
        except LookupError:
            return Response(status_code=404)
        return Response(status_code=204)

    return Starlette(
        routes=[
            *(Route(path, file(name)) for path, name in FILES.items()),
            Route("/state", shown(state)),
            Route("/ask", ask, methods=["POST"]),
            Route("/gallery/state", shown(gallery)),
            Route("/gallery/ask/{format}", ask_one, methods=["POST"]),
        ]
    )


def _is_foreign(request: Request) -> bool:
    return request.headers.get("sec-fetch-site", "same-origin") != "same-origin"
