"""The server underneath: uvicorn, with connections that can be dropped without an answer."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Final
from weakref import WeakValueDictionary

import uvicorn
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.sandbox.clock import Clock

STOP_SECONDS: Final = 2.0


class Connections:
    """Every open TCP connection, by the peer's address, so that a request can find its own and cut it."""

    def __init__(self) -> None:
        self._open: WeakValueDictionary[tuple[str, int], asyncio.Transport] = WeakValueDictionary()

    def protocol(self) -> type[H11Protocol]:
        """Return uvicorn's HTTP protocol, made to register its connections here."""
        registry = self._open

        class Registered(H11Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                if not isinstance(transport, asyncio.Transport):
                    raise TypeError("a server's connections can be written to")
                super().connection_made(transport)
                if self.client is not None:
                    registry[self.client] = transport

        return Registered

    def cut(self, scope: Scope) -> None:
        """Close the connection a request came over, at once and without a response."""
        transport = self._open.get(tuple(scope["client"]))
        if transport is not None:
            transport.abort()

    def cut_all(self) -> None:
        """Close every connection."""
        for transport in list(self._open.values()):
            transport.abort()


class Cut(Response):
    """A response that never comes: the connection is closed instead."""

    def __init__(self, connections: Connections) -> None:
        super().__init__()
        self._connections = connections

    async def __call__(self, scope: Scope, receive: Receive, _send: Send) -> None:
        """Close the connection and wait until the server has noticed."""
        self._connections.cut(scope)
        while (await receive())["type"] != "http.disconnect":
            pass


class Listener(uvicorn.Server):
    """A uvicorn server inside somebody else's loop: it takes no signals, and can go deaf for a while.

    Its own main loop is left out: it watches for signals and takes a tenth of a second to stop.
    """

    def __init__(self, app: ASGIApp, connections: Connections, host: str, port: int) -> None:
        config = uvicorn.Config(
            app,
            http=connections.protocol(),
            ws="websockets-sansio",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,  # the peer's own address finds its connection
        )
        super().__init__(config)
        self._connections = connections
        self._bound = socket.create_server((host, port), backlog=2048)
        self.host, self.port = self._bound.getsockname()[:2]

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Accept connections until the block ends, then close every one that is still open."""
        self.config.load()
        self.lifespan = self.config.lifespan_class(self.config)
        await self.startup(sockets=[self._bound])
        await self.on_tick(0)  # sets the headers every answer carries
        try:
            yield
        finally:
            for server in self.servers:
                server.close()
            self._connections.cut_all()
            if self.server_state.tasks:
                _, late = await asyncio.wait(self.server_state.tasks, timeout=STOP_SECONDS)
                for task in late:
                    task.cancel()

    async def refuse(self, clock: Clock, seconds: float) -> None:
        """Refuse connections (nobody listens on the port) for `seconds`, then listen again."""
        for server in self.servers:
            server.close()
        try:
            await clock.sleep(seconds)
        finally:
            self._bound = socket.create_server((self.host, self.port), backlog=2048)
            await self.startup(sockets=[self._bound])
