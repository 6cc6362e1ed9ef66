"""Serving an ASGI app from inside a running loop, with a hand on each connection.

Several stand-ins and the product share one process in the demo and in tests, so a server here takes no
signals, writes no log and ends when its block is left. `Connections` lets a stand-in hang up on a client,
which ASGI has no word for.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakValueDictionary

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.listening import listener

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Longer than any client keeps an idle connection, so that none is closed under a request being sent.
KEEP_ALIVE: Final = 600
GRACE: Final = 2


class Connections:
    """The open connections of one server, by the client's address."""

    def __init__(self) -> None:
        # Weak, because a connection that became a WebSocket is not reported lost to its first protocol.
        self._open: WeakValueDictionary[tuple[str, int], asyncio.Transport] = WeakValueDictionary()

    def protocol(self) -> type[H11Protocol]:
        """Return uvicorn's HTTP/1.1 protocol that enters and leaves each connection here."""
        connections = self._open

        class Registered(H11Protocol):
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as its base
                super().connection_made(transport)
                if self.client is not None:
                    connections[self.client] = transport

        return Registered

    def hang_up_all(self) -> None:
        """Close every connection as it is."""
        for transport in list(self._open.values()):
            transport.abort()

    async def hang_up(self, scope: Scope, receive: Receive) -> None:
        """Close the connection of a request without a response, and return once it is closed."""
        transport = self._open.get(scope["client"])
        if transport is not None:
            transport.abort()
        while (await receive())["type"] != "http.disconnect":
            continue


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers and without its ticking."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ending = asyncio.Event()
        self.serving = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        self.serving.set()
        await self.ending.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop at once where nothing is under way; uvicorn's own way sleeps first."""
        for listening in self.servers:
            listening.close()
        for bound in sockets or ():
            bound.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while self.server_state.connections or self.server_state.tasks:  # noqa: ASYNC110  # uvicorn has no event for it
                    await asyncio.sleep(0.005)
        for task in self.server_state.tasks:
            task.cancel()


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The address as a base URL without a slash at its end."""
        return f"http://{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Listening(Address):
    """A running server. Its port can be closed for a while; connections that are open stay."""

    server: _Server

    def stop_accepting(self) -> None:
        """Close the port: whoever connects is refused."""
        for listening in self.server.servers:
            listening.close()

    async def accept_again(self) -> None:
        """Listen on the same port again."""
        await self.server.startup(sockets=[listener(self.host, self.port)])


@contextlib.asynccontextmanager
async def serving(
    app: App,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    connections: Connections | None = None,
    websockets: bool = False,
) -> AsyncIterator[Listening]:
    """Serve `app` until the block is left. Port 0 takes a free one; the address says which."""
    bound = listener(host, port)
    config = uvicorn.Config(
        app,
        http=connections.protocol() if connections else "h11",
        ws="websockets-sansio" if websockets else "none",
        lifespan="off",
        log_config=None,
        access_log=False,
        date_header=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=False,  # the peer's own address finds its connection
    )
    server = _Server(config)
    running = asyncio.create_task(server.serve(sockets=[bound]))
    ready = asyncio.create_task(server.serving.wait())
    try:
        await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await running
        yield Listening(host, bound.getsockname()[1], server)
    finally:
        ready.cancel()
        server.ending.set()
        await running
