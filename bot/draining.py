"""From the moment a stop is asked for until the port closes: everything is served, and load balancers are sent away.

`/readyz` says no, and each answer asks its sender to close the connection, so that nothing new comes over one that is
kept open.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass
class Draining:
    """Whether this process was asked to stop."""

    begun: bool = False

    def begin(self) -> None:
        """A stop was asked for."""
        self.begun = True


class Farewell:
    """Adds `Connection: close` to each answer that begins while the process drains."""

    def __init__(self, app: ASGIApp, draining: Draining) -> None:
        self._app = app
        self._draining = draining

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def parting(message: Message) -> None:
            if message["type"] == "http.response.start" and self._draining.begun:
                kept = [one for one in message.get("headers", ()) if one[0].lower() != b"connection"]
                message = {**message, "headers": [*kept, (b"connection", b"close")]}
            await send(message)

        await self._app(scope, receive, parting)
