"""The API on a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI


async def until(condition: Callable[[], object], seconds: float = 10) -> None:
    """Wait for what nothing announces."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # there is no event to wait for
            await asyncio.sleep(0.005)


@asynccontextmanager
async def served(app: FastAPI) -> AsyncIterator[str]:
    """Serve on a free loopback port; yields the address. Leaving waits until every response has ended."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off"))
    running = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await running
