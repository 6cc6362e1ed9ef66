"""The response that never comes."""

from __future__ import annotations

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bot.sandbox.serving import Connections


class Cut(Response):
    """Closes the connection instead of answering."""

    def __init__(self, connections: Connections) -> None:
        super().__init__()
        self._connections = connections

    async def __call__(self, scope: Scope, receive: Receive, _send: Send) -> None:
        """Close the connection, and return once it is closed."""
        await self._connections.hang_up(scope, receive)
