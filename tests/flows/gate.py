"""A gate on the wire: it can stop a request before it arrives, or an answer before it is heard."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

import aiohttp
from aiohttp import web

HOP_BY_HOP: Final = frozenset(
    {"connection", "content-length", "date", "host", "keep-alive", "server", "transfer-encoding"}
)


class Stage(Enum):
    """Where on its way a call is stopped."""

    REQUEST = auto()  # the other side has not heard of it
    ANSWER = auto()  # the other side has done it; the caller does not know


@dataclass
class Stopped:
    """A call that is to be stopped: the next one whose path and body contain these words. `reached` once it is."""

    words: tuple[str, ...]
    stage: Stage
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    _released: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self, seconds: float = 20.0) -> None:
        """Return once a call stands at the gate."""
        async with asyncio.timeout(seconds):
            await self.reached.wait()

    def release(self) -> None:
        """Let it go on."""
        self._released.set()

    async def stand(self) -> None:
        """Stand at the gate until released or until the caller is gone."""
        self.reached.set()
        await self._released.wait()


class Gate:
    """Forwards to `upstream` (set it before the first call). `url` is where it listens."""

    def __init__(self) -> None:
        self.upstream = ""
        self.url = ""
        self._planned: list[Stopped] = []
        self._session: aiohttp.ClientSession | None = None

    def stop(self, *words: str, stage: Stage) -> Stopped:
        """Stop the next call that contains all these words at this stage."""
        stopped = Stopped(words, stage)
        self._planned.append(stopped)
        return stopped

    @contextlib.asynccontextmanager
    async def serve(self) -> AsyncIterator[Gate]:
        """Listen until the block is left."""
        app = web.Application(client_max_size=2**24)
        app.router.add_route("*", "/{path:.*}", self._pass)
        # A caller that is killed is not waited for, and nothing goes on in its name.
        runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            async with aiohttp.ClientSession(auto_decompress=False, timeout=aiohttp.ClientTimeout(None)) as session:
                self._session = session
                yield self
        finally:
            for stopped in self._planned:
                stopped.release()
            await runner.cleanup()

    def _take(self, text: str, stage: Stage) -> Stopped | None:
        for stopped in self._planned:
            if stopped.stage is stage and all(word in text for word in stopped.words):
                self._planned.remove(stopped)
                return stopped
        return None

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        text = f"{request.path_qs}\n{body.decode('utf-8', 'replace')}"
        if stopped := self._take(text, Stage.REQUEST):
            await stopped.stand()
        headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP_BY_HOP}
        assert self._session is not None
        try:
            async with self._session.request(
                request.method, self.upstream + request.path_qs, data=body, headers=headers, allow_redirects=False
            ) as answer:
                content = await answer.read()
        except aiohttp.ClientError:
            _cut(request)
            return web.Response(status=502)
        if stopped := self._take(text, Stage.ANSWER):
            await stopped.stand()
        kept = {name: value for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP}
        return web.Response(status=answer.status, headers=kept, body=content)


def _cut(request: web.Request) -> None:
    """Close the connection unanswered, as it was closed to us."""
    if request.transport is not None:
        request.transport.abort()
