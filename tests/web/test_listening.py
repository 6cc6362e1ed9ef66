"""The port that the service and the stand-ins listen on."""

from __future__ import annotations

import asyncio
import socket

import pytest

from bot.listening import listener


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_answers_of_several_writes_are_not_held_back(host: str) -> None:
    """With Nagle's algorithm on, every second write would wait for the client's acknowledgement."""
    at_once: asyncio.Queue[int] = asyncio.Queue()

    async def note(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted = writer.get_extra_info("socket")
        at_once.put_nowait(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    bound = listener(host, 0)
    server = await asyncio.start_server(note, sock=bound)
    _, writer = await asyncio.open_connection(*bound.getsockname()[:2])
    assert await asyncio.wait_for(at_once.get(), 5) == 1
    writer.close()
    await writer.wait_closed()
    server.close()
    await server.wait_closed()


def test_a_port_that_is_taken_is_refused() -> None:
    with listener("127.0.0.1", 0) as taken, pytest.raises(OSError, match="in use"):
        listener("127.0.0.1", taken.getsockname()[1])
