"""A client that costs next to nothing, so that what is measured is the server: HTTP/1.1 over one kept connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Answer:
    """A response with its body."""

    status: int
    body: bytes

    def json(self) -> Any:
        """The body, which is JSON."""
        return json.loads(self.body)


class Wire:
    """One connection; one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> Wire:
        """Connect to a server on this machine."""
        return cls(*await asyncio.open_connection(HOST, port, limit=4 * 1024 * 1024))

    async def send(self, request: bytes) -> Answer:
        """Send a whole request and read its answer."""
        self._writer.write(request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        return Answer(int(first.split(" ", 2)[1]), await self._reader.readexactly(int(headers["content-length"])))

    async def close(self) -> None:
        """Hang up."""
        self._writer.close()
        await self._writer.wait_closed()


def request(method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> bytes:
    """Spell a request."""
    given = {"Host": HOST, "Content-Length": str(len(body)), **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body


def with_json(method: str, path: str, body: Any, headers: Mapping[str, str] | None = None) -> bytes:
    """Spell a request whose body is JSON."""
    return request(method, path, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})
