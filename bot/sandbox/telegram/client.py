"""The client page: what people see, in a browser. It shows one person's chats and acts through `/_control`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.sandbox.telegram.view import client_view, people
from bot.sandbox.telegram.world import World

FILES: Final = Path(__file__).parent / "static"
TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# Nothing from elsewhere runs, whatever a card says. Anybody may frame the page, as the demo does.
HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    ),
}
# Changes within this many seconds are told together.
BREATH: Final = 0.05
HEARTBEAT: Final = 15.0


def client_routes(world: World) -> list[Route]:
    """Return the routes under `/client`."""
    client = _Client(world)
    return [
        Route("/client", client.page),
        Route("/client/state", client.state),
        Route("/client/events", client.events),
        Route("/client/{name}", client.asset),
    ]


async def to_client(_request: Request) -> Response:
    """Send a browser that asks for `/` to the page."""
    return RedirectResponse("/client")


class _Client:
    def __init__(self, world: World) -> None:
        self._world = world

    async def page(self, _request: Request) -> Response:
        return _file("client.html")

    async def asset(self, request: Request) -> Response:
        return _file(request.path_params["name"])

    async def state(self, request: Request) -> Response:
        """Return what `?as=<user>&chat=<id>&topic=<id>` shows; without anybody yet, only who there is."""
        me = self._world.users.get(_number(request, "as") or 0)
        everybody = people(self._world)
        if me is None or me.is_bot:
            if not everybody:
                return _json({"version": self._world.version, "me": None, "people": [], "chats": [], "open": None})
            me = self._world.users[everybody[0]["id"]]
        return _json(client_view(self._world, me, _number(request, "chat"), _number(request, "topic")))

    async def events(self, _request: Request) -> Response:
        """Stream the version of the world at each change."""
        return StreamingResponse(self._versions(), media_type="text/event-stream", headers=HEADERS)

    async def _versions(self) -> AsyncIterator[str]:
        told = -1
        while not self._world.closed:
            try:
                told = await asyncio.wait_for(self._world.changed(told), HEARTBEAT)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            yield f"data: {told}\n\n"
            await asyncio.sleep(BREATH)


def _number(request: Request, name: str) -> int | None:
    value = request.query_params.get(name, "")
    return int(value) if value.removeprefix("-").isdecimal() else None


def _json(value: object) -> Response:
    return JSONResponse(value, headers=HEADERS)


def _file(name: str) -> Response:
    path = FILES / name
    if path.parent != FILES or path.suffix not in TYPES or not path.is_file():
        return Response("not found", 404)
    return FileResponse(path, media_type=TYPES[path.suffix], headers=HEADERS)
