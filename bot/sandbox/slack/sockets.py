"""Socket Mode: the WebSocket connections of the app, and what is sent over any one of them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from blocks.slack import limits
from bot.sandbox.slack.mint import Mint
from bot.sandbox.slack.world import Json


class NoAck(Exception):
    """Nobody acknowledged. `problem` is Slack's retry reason for it."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(eq=False, slots=True)
class _Connection:
    socket: WebSocket
    number: int
    awaited: dict[str, asyncio.Future[Any]] = field(default_factory=dict)


class Sockets:
    """At most ten open connections; every payload goes to one of them, in turn. While not `enabled` nobody gets in."""

    def __init__(self, mint: Mint, app_id: str) -> None:
        self._mint = mint
        self._app_id = app_id
        self._tickets: set[str] = set()
        self._open: list[_Connection] = []
        self._turn = 0
        self._made = 0
        self._changed = asyncio.Event()
        self.enabled = True

    @property
    def count(self) -> int:
        """How many connections are open."""
        return len(self._open)

    async def change(self) -> None:
        """Return when a connection was opened or closed."""
        await self._changed.wait()

    async def wait_for(self, count: int) -> None:
        """Return once at least `count` connections are open."""
        while self.count < count:
            await self.change()

    def ticket(self) -> str:
        """Return what lets one connection in, once."""
        ticket = self._mint.secret()
        self._tickets.add(ticket)
        return ticket

    async def serve(self, socket: WebSocket) -> None:
        """Run one connection until it closes."""
        ticket = socket.query_params.get("ticket", "")
        if ticket not in self._tickets:
            await socket.close(code=4401)
            return
        self._tickets.discard(ticket)
        await socket.accept()
        if not self.enabled:
            await self._disconnect(socket, "link_disabled")
            return
        if self.count >= limits.SOCKETS.number:
            await self._disconnect(socket, "too_many_websockets")
            return
        self._made += 1
        connection = _Connection(socket, self._made)
        await socket.send_text(json.dumps(self._hello()))
        self._open.append(connection)
        self._tell()
        try:
            while True:
                self._take_ack(connection, await socket.receive_text())
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone, or closed from this side while reading
        finally:
            self._forget(connection)

    async def send(
        self, sort: str, payload: Json, *, takes_answer: bool, seconds: float, retry: int, reason: str
    ) -> Any:
        """Send an envelope over one connection and return the ack's payload, or raise `NoAck`."""
        if not self._open:
            raise NoAck("connection_failed")
        self._turn += 1
        connection = self._open[self._turn % len(self._open)]
        envelope_id = self._mint.envelope()
        envelope: Json = {
            "envelope_id": envelope_id,
            "type": sort,
            "payload": payload,
            "accepts_response_payload": takes_answer,
        }
        if sort == "events_api":
            envelope |= {"retry_attempt": retry, "retry_reason": reason}
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        connection.awaited[envelope_id] = future
        try:
            await connection.socket.send_text(json.dumps(envelope))
            return await asyncio.wait_for(future, seconds)
        except TimeoutError as error:
            raise NoAck("timeout") from error
        except (WebSocketDisconnect, RuntimeError, ConnectionError) as error:
            raise NoAck("connection_failed") from error
        finally:
            connection.awaited.pop(envelope_id, None)

    async def refresh(self, reason: str = "refresh_requested", *, close: bool = False) -> None:
        """Ask every connection to reconnect: `warning`, `refresh_requested`, `link_disabled`.

        A client closes the old connection itself; `close` does not wait for it.
        """
        for connection in list(self._open):
            await self._disconnect(connection.socket, reason, close=close)

    async def enable(self, *, enabled: bool) -> None:
        """Turn Socket Mode on or off, as on the app's page; off, whoever is connected is told and let go."""
        self.enabled = enabled
        if not enabled:
            await self.refresh("link_disabled", close=True)

    async def hang_up(self) -> None:
        """Close every connection without a word."""
        for connection in list(self._open):
            with contextlib.suppress(RuntimeError):
                await connection.socket.close(code=1011)

    def _take_ack(self, connection: _Connection, text: str) -> None:
        try:
            ack = json.loads(text)
        except ValueError:
            return
        future = connection.awaited.get(str(ack.get("envelope_id"))) if isinstance(ack, dict) else None
        if future is not None and not future.done():
            future.set_result(ack.get("payload"))

    def _forget(self, connection: _Connection) -> None:
        with contextlib.suppress(ValueError):
            self._open.remove(connection)
        for future in connection.awaited.values():
            if not future.done():
                future.set_exception(ConnectionError("the socket closed"))
        self._tell()

    def _tell(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _disconnect(self, socket: WebSocket, reason: str, *, close: bool = True) -> None:
        debug = {"host": "applink-stand-in"}
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_text(json.dumps({"type": "disconnect", "reason": reason, "debug_info": debug}))
            if close:
                await socket.close()

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": self.count + 1,
            "debug_info": {"host": "applink-stand-in", "approximate_connection_time": 18_060},
            "connection_info": {"app_id": self._app_id},
        }
