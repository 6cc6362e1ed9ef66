"""One address of a page: a handler per method, and plain words for a person whatever goes wrong."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bot.web.drawing import Drawing
from bot.web.security import HEADERS, Unreadable, Unsupported
from core.errors import Away, Forbidden, IdentityUndetermined, Invalid, NotFound, Raced, RateLimited, Refused, TooLarge

log = structlog.get_logger("sayso.pages")

Handler = Callable[[Request], Awaitable[Response]]

MISSING = ("There is nothing here", "This address belongs to no question that you may see. It may be mistyped.")
BUSY = ("Not saved yet", "Too much happened at once. Nothing has changed; please try again in a moment.")
AWAY = ("Not now", "The database does not answer. Please try again in a moment; what was saved stays saved, once.")
BROKEN = ("Something broke here", "It was noted. Nothing half done was kept; please try again.")

_TITLES: tuple[tuple[type[Refused], int, str], ...] = (
    # The nearest class comes first.
    (Unsupported, 415, "This cannot be read"),
    (Unreadable, 400, "This cannot be read"),
    (Invalid, 400, "This cannot be done"),
    (TooLarge, 413, "This is too much at once"),
    (RateLimited, 429, "Too often"),
    (Forbidden, 403, "This was not done"),
    (IdentityUndetermined, 503, "Try again in a moment"),
)


class Door:
    """Answers one address. Methods without a handler are refused; HEAD is answered like GET."""

    def __init__(self, drawing: Drawing, *, get: Handler | None = None, post: Handler | None = None) -> None:
        self._drawing = drawing
        handlers = {"GET": get, "HEAD": get, "POST": post}
        self._handlers: Mapping[str, Handler] = {method: one for method, one in handlers.items() if one is not None}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the headers that every page has."""
        response = await self._answer(Request(scope, receive))
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        handler = self._handlers.get(request.method)
        if handler is None:
            response = self._drawing.trouble(405, "This cannot be done", "This address takes no such request.")
            response.headers["Allow"] = ", ".join(self._handlers)
            return response
        try:
            return await handler(request)
        except NotFound:
            return missing(self._drawing)
        except Refused as refused:
            return self._refuse(refused)
        except Raced:
            return self._later(503, *BUSY)
        except Away:
            log.exception("a page failed", path=request.url.path)
            return self._later(503, *AWAY)
        except ClientDisconnect:
            return Response(status_code=400)
        except Exception:
            # A person gets a page, whatever it was; the log gets the rest.
            log.exception("a page failed", path=request.url.path)
            return self._drawing.trouble(500, *BROKEN)

    def _refuse(self, refused: Refused) -> Response:
        known = (row[1:] for row in _TITLES if isinstance(refused, row[0]))
        status, title = next(known, (400, "This was not done"))
        text = str(refused)
        response = self._drawing.trouble(status, title, f"{text[:1].upper()}{text[1:]}")
        if isinstance(refused, RateLimited):
            response.headers["Retry-After"] = str(math.ceil(refused.retry_after))
        elif status == 503:
            response.headers["Retry-After"] = "5"
        return response

    def _later(self, status: int, title: str, text: str) -> Response:
        response = self._drawing.trouble(status, title, text)
        response.headers["Retry-After"] = "5"
        return response


def missing(drawing: Drawing) -> Response:
    """The one page for what does not exist and for what is not this person's to know."""
    return drawing.trouble(404, *MISSING)
