"""The control API's reading half: what is on somebody's screen, what was said, called, delivered and broken."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.screen import message_record, screen

KEEP_ALIVE_SECONDS: Final = 15.0


class Watching:
    """Answers the GETs under `/_control`."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    def routes(self) -> list[Route]:
        """Return every route."""
        answers: dict[str, Callable[[Request], Awaitable[Response]]] = {
            "/screen": self._screen,
            "/stream": self._stream,
            "/messages": self._messages,
            "/private": self._private,
            "/journal": self._journal,
            "/deliveries": self._deliveries,
            "/troubles": self._troubles,
        }
        return [Route(path, answer, methods=["GET"]) for path, answer in answers.items()]

    async def _screen(self, request: Request) -> Response:
        asked = request.query_params
        people = [user.id for user in self._platform.world.users.values() if not user.is_bot]
        user = asked.get("user") or (people[0] if people else "")
        if user not in self._platform.world.users:
            return JSONResponse({"error": "nobody is here yet"}, status_code=404)
        return JSONResponse(screen(self._platform, user, asked.get("channel", ""), asked.get("thread", "")))

    async def _messages(self, request: Request) -> Response:
        channel, thread = request.query_params.get("channel", ""), request.query_params.get("thread")
        if channel not in self._platform.world.channels:
            return JSONResponse({"error": f"no conversation {channel}"}, status_code=404)
        world = self._platform.world
        found = world.replies(channel, thread) if thread else world.top_level(channel)
        return JSONResponse({"messages": [message_record(self._platform, message) for message in found]})

    async def _private(self, request: Request) -> Response:
        found = self._platform.world.private_messages(request.query_params.get("user", ""))
        return JSONResponse({"messages": [message_record(self._platform, message) for message in found]})

    async def _journal(self, request: Request) -> Response:
        method, after = request.query_params.get("method"), _number(request, "after")
        found = [c for c in self._platform.journal.calls if c.number > after and method in (None, c.method)]
        return JSONResponse({"calls": [asdict(call) for call in found]})

    async def _deliveries(self, request: Request) -> Response:
        after = _number(request, "after")
        found = [d for d in self._platform.journal.deliveries if d.number > after]
        return JSONResponse({"deliveries": [delivery.json for delivery in found]})

    async def _troubles(self, _request: Request) -> Response:
        return JSONResponse({"troubles": [asdict(trouble) for trouble in self._platform.journal.troubles]})

    async def _stream(self, _request: Request) -> Response:
        async def ticks() -> AsyncIterator[str]:
            version = -1
            while not self._platform.closing:
                now = await self._platform.world.after(version, KEEP_ALIVE_SECONDS)
                yield ": still here\n\n" if now == version else f"data: {now}\n\n"
                version = now

        return StreamingResponse(ticks(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


def _number(request: Request, name: str) -> int:
    given = request.query_params.get(name, "")
    return int(given) if given.isdecimal() else 0
