"""How long a request may take to arrive. Nobody who works here sends a megabyte that slowly; who does holds a
connection, and many of them all there are.
"""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.web.errors import TOO_SLOW, answer_with

READING = 20.0
"""Seconds from the first look at a body until all of it is here."""


class Patience:
    """Ends the reading of a slow body: to the application its sender has hung up, and is answered 408 instead of
    whatever that says to it. An answer that has begun, and a request that is whole, are left alone."""

    def __init__(self, app: ASGIApp, seconds: float = READING) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        one = _Request(receive, send, self._seconds)
        await self._app(scope, one.receive, one.send)
        if one.late and not one.begun:
            refusal = answer_with(TOO_SLOW, f"A request must arrive whole within {self._seconds:g} seconds.")
            refusal.headers["Connection"] = "close"
            await refusal(scope, receive, send)


class _Request:
    """One request, and how far it has come."""

    def __init__(self, receive: Receive, send: Send, seconds: float) -> None:
        self._receive = receive
        self._send = send
        self._seconds = seconds
        self._until: float | None = None
        self._whole = False
        self.late = False
        self.begun = False

    async def receive(self) -> Message:
        if self._whole:
            return await self._receive()
        if self.late:
            return {"type": "http.disconnect"}
        if self._until is None:
            self._until = asyncio.get_running_loop().time() + self._seconds
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            self.late = True
            return {"type": "http.disconnect"}
        self._whole = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        if self.late and not self.begun:
            return
        self.begun = True
        await self._send(message)
