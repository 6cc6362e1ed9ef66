"""The page that looks like a Slack client: the files of this folder, served as they are under `/client`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

FOLDER: Final = Path(__file__).parent
MEDIA_TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
PARTS: Final = frozenset(path.name for path in FOLDER.iterdir() if path.suffix in MEDIA_TYPES)
# Nothing from elsewhere runs, whatever a card says; only the pictures of cards come from other hosts.
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' https: data:; base-uri 'none'; form-action 'none'"
    ),
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def client_page() -> Mount:
    """Return the routes of the page."""
    return Mount(
        "/client",
        routes=[Route("/", _page, methods=["GET"]), Route("/{name}", _part, methods=["GET"])],
    )


async def to_client(_request: Request) -> Response:
    """Send a browser that asks for `/` to the page."""
    return RedirectResponse("client/")


async def _page(_request: Request) -> Response:
    return _file("index.html")


async def _part(request: Request) -> Response:
    name = request.path_params["name"]
    return _file(name) if name in PARTS else Response("not found", status_code=404)


def _file(name: str) -> Response:
    path = FOLDER / name
    return FileResponse(path, media_type=MEDIA_TYPES[path.suffix], headers=HEADERS)
