"""Templates to pages. Everything is escaped unless a renderer of ours made it HTML."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from blocks.web.later import local
from blocks.words import neutralise, one_line
from bot.web.security import Guard
from core.canonical import rfc3339

HERE = Path(__file__).parent
TYPES = {".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".js": "text/javascript; charset=utf-8"}


@cache
def _files() -> Mapping[str, bytes]:
    """The style sheet, the icon and the script, which stay what they are while the process runs."""
    files = sorted(path for path in (HERE / "static").iterdir() if path.suffix in TYPES)
    return {path.name: path.read_bytes() for path in files}


@cache
def _templates(prefix: str) -> Environment:
    """The templates with addresses under `prefix`, each compiled once."""
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update(moment=local, rfc3339=rfc3339, plain=neutralise, oneline=one_line)
    # New whenever a file is, so that browsers may keep them for good.
    mark = hashlib.sha256(b"".join(_files().values())).hexdigest()[:12]
    templates.globals.update(link=prefix.__add__, mark=mark, visitor=None)
    return templates


class Drawing:
    """Draws pages and goes from one to another. Addresses get the prefix that the service is reached under."""

    def __init__(self, guard: Guard) -> None:
        self._prefix = guard.prefix
        self._files = _files()
        self._templates = _templates(guard.prefix)

    def link(self, path: str) -> str:
        """The address of a page of ours."""
        return self._prefix + path

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page."""
        return HTMLResponse(self._templates.get_template(template).render(values), status)

    def trouble(self, status: int, title: str, text: str, **values: Any) -> Response:
        """A page that says in plain words what went wrong and what to do."""
        return self.page("trouble.html", status, heading=title, text=text, **values)

    def go(self, path: str) -> RedirectResponse:
        """Send the browser to another page, by GET."""
        return RedirectResponse(self.link(path), 303)

    async def static(self, request: Request) -> Response:
        """The style sheet, the icon and the script."""
        name = request.path_params["name"]
        if name not in self._files:
            return Response("There is no such file.", 404, {"X-Content-Type-Options": "nosniff"}, "text/plain")
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        return Response(self._files[name], 200, headers, TYPES[Path(name).suffix])
