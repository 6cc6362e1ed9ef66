"""The API on a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI


async def until(condition: Callable[[], object], seconds: float = 30) -> None:
    """Wait for what nothing announces."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # there is no event to wait for
            await asyncio.sleep(0.005)


@asynccontextmanager
async def served(app: FastAPI) -> AsyncIterator[str]:
    """Serve on a free loopback port; yields the address. Leaving waits until every response has ended."""
    async with serving(uvicorn.Config(app, log_config=None, lifespan="off")) as port:
        yield f"http://127.0.0.1:{port}"


@asynccontextmanager
async def serving(config: uvicorn.Config) -> AsyncIterator[int]:
    """The same for any configuration; yields the port."""
    config.host, config.port = "127.0.0.1", 0
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield int(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        await running
