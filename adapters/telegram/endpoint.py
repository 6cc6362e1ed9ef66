"""Where Telegram delivers updates: verified, stored, and only then acknowledged."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.telegram.parse import update_id
from adapters.telegram.settings import PATH
from adapters.telegram.verify import is_genuine
from core.errors import ChannelError

log = structlog.get_logger("sayso.telegram")

LARGEST: Final = 1_000_000
"""Bytes of a delivery; Telegram's own are a few thousand."""

Receive = Callable[[int, Mapping[str, Any]], Awaitable[None]]
"""Takes one update by its number. When it returns, the update is stored for good; when it raises, it is not, and the
update will be delivered again."""


Deliver = Callable[[Request], Awaitable[Response]]
"""Answers one delivery of Telegram's."""


def deliverer(secret: str, receive: Receive) -> Deliver:
    """What takes the deliveries of one bot."""

    async def deliver(request: Request) -> Response:
        if not is_genuine(request.headers, secret):
            return Response("The secret token is wrong.", 401)
        try:
            body = await _body(request)
        except ClientDisconnect:
            return Response(status_code=400)
        if body is None:
            return Response(f"An update has at most {LARGEST} bytes.", 413)
        update = _read(body)
        number = update_id(update) if update is not None else None
        if update is None or number is None:
            return Response("This is no update.", 400)
        try:
            await receive(number, update)
        except ChannelError as error:
            log.warning("update not stored", update=number, error=str(error))
        except Exception:
            log.exception("update not stored", update=number)
        else:
            return Response(status_code=200)
        # Telegram delivers it again, at once and then after growing gaps.
        return Response("The update was not stored.", 503)

    return deliver


def webhook(secret: str, receive: Receive, path: str = PATH) -> Route:
    """The route that Telegram posts to."""
    return Route(path, deliverer(secret, receive), methods=["POST"])


async def _body(request: Request) -> bytes | None:
    """The body; None when it is larger than allowed, however long it says it is."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST:
            return None
        parts.append(part)
    return b"".join(parts)


def _read(body: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
