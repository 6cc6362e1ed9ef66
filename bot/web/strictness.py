"""What every answer says to browsers, whoever gave it: pages say more themselves, and what they say stands."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
NO_PAGE = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "X-Frame-Options": "DENY"}
"""For whatever has no policy of its own: JSON, plain text, refusals."""
TRANSPORT = "max-age=31536000"
"""A year. Not for other names of the domain: those are not ours to speak for."""


class Strictness:
    """Adds the headers that an answer lacks. `https`: people reach this service by https alone."""

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self._app = app
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "Content-Security-Policy" not in headers:
                    headers.update(NO_PAGE)
                for name, value in ALWAYS.items():
                    headers.setdefault(name, value)
                if self._https:
                    headers.setdefault("Strict-Transport-Security", TRANSPORT)
            await send(message)

        await self._app(scope, receive, strictly)
