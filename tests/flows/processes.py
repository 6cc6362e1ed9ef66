"""Real processes of the service, to be killed, and a balancer in front of several of them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2

from tests.flows.rig import NOBODY, eventually

ROOT = Path(__file__).parents[2]


class Process:
    """One `sayso serve` as the operating system sees it."""

    def __init__(self, settings: Mapping[str, Any], log: Path) -> None:
        self.settings = dict(settings)
        self.port: int = self.settings["sayso_port"]
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = log
        self._running: asyncio.subprocess.Process | None = None

    async def start(self, *, wait: bool = True) -> None:
        """Start it and wait until it is ready and its chats are connected."""
        inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        given = {name.upper(): str(value) for name, value in self.settings.items()}
        with self._log.open("ab") as log:
            self._running = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", "serve"),
                cwd=self._log.parent,
                env={**inherited, "PYTHONPATH": str(ROOT), "SAYSO_LOG": "json", **given},
                stdout=log,
                stderr=log,
            )
        if wait:
            await self.ready()

    async def ready(self, seconds: float = 120.0) -> None:
        """Wait until it answers that it is ready."""
        running = self._running
        assert running is not None

        async def look() -> bool:
            assert running.returncode is None, self._log.read_text()[-4000:]
            with contextlib.suppress(httpx2.HTTPError):
                async with httpx2.AsyncClient(verify=NOBODY) as client:
                    return (await client.get(f"{self.url}/readyz")).status_code == 200
            return False

        await eventually(look, seconds)

    async def kill(self) -> None:
        """`kill -9`."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """Ask it to end, as a service manager would."""
        await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> None:
        running, self._running = self._running, None
        if running is not None and running.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                running.send_signal(how)
            await asyncio.wait_for(running.wait(), 30)


@contextlib.asynccontextmanager
async def process(settings: Mapping[str, Any], log: Path) -> AsyncIterator[Process]:
    """A started process, ended however it stands when the block is left."""
    one = Process(settings, log)
    try:
        await one.start()
        yield one
    finally:
        await one.kill()


@contextlib.asynccontextmanager
async def balancer(ports: Sequence[int]) -> AsyncIterator[int]:
    """A port whose connections go to `ports` in turn."""
    turns = itertools.cycle(ports)
    open_ends: set[asyncio.StreamWriter] = set()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(65_536):
                writer.write(chunk)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_ends.add(writer)
        try:
            onward, back = await asyncio.open_connection("127.0.0.1", next(turns))
        except OSError:
            writer.close()
            return
        open_ends.add(back)
        await asyncio.gather(pump(reader, back), pump(onward, writer))
        open_ends.difference_update((writer, back))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for end in open_ends:
            end.close()
        await server.wait_closed()
