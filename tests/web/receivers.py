"""Receivers of webhooks on loopback sockets, each misbehaving in its own way."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Receiver:
    """One listener. `url` is where it listens, `heard` the raw requests, `connections` how many came."""

    port: int
    heard: list[bytes] = field(default_factory=list)
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


Behaviour = Callable[[socket.socket], None]


def answering(response: bytes) -> Behaviour:
    """Answer with these bytes and close."""

    def behave(connection: socket.socket) -> None:
        connection.sendall(response)

    return behave


def dribbling(prefix: bytes, drop: bytes, stopped: threading.Event) -> Behaviour:
    """Send `prefix`, then `drop` again and again, never finishing."""

    def behave(connection: socket.socket) -> None:
        connection.sendall(prefix)
        while not stopped.wait(0.02):
            connection.sendall(drop)

    return behave


def _read_request(connection: socket.socket) -> bytes:
    raw = b""
    while b"\r\n\r\n" not in raw:
        chunk = connection.recv(65536)
        if not chunk:
            return raw
        raw += chunk
    head, _, body = raw.partition(b"\r\n\r\n")
    length = next(
        (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0
    )
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


@contextmanager
def receiving(
    behave: Behaviour, family: socket.AddressFamily = socket.AF_INET, *, reads: bool = True
) -> Iterator[Receiver]:
    """Listen on a free loopback port, hear each request (unless it `reads` none), then behave."""
    host = "127.0.0.1" if family is socket.AF_INET else "::1"
    listener = socket.create_server((host, 0), family=family)
    receiver = Receiver(listener.getsockname()[1])

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            receiver.connections += 1
            with connection, suppress(OSError):
                if reads:
                    receiver.heard.append(_read_request(connection))
                behave(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)
