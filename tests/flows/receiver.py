"""An asker's webhook endpoint on loopback: keeps what it hears, and answers as it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import standardwebhooks
from aiohttp import web

from tests.flows.rig import SIGNING_KEY, eventually


@dataclass(frozen=True)
class Heard:
    """One request. `at` is monotonic."""

    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> dict[str, Any]:
        """The event it carries, once its signature is verified as a receiver would."""
        verified = standardwebhooks.Webhook(SIGNING_KEY).verify(self.body, dict(self.headers))
        assert verified == json.loads(self.body)
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass
class Answer:
    """What the receiver says to one request; `after` seconds, or not before `let_go` is set."""

    status: int = 204
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0
    let_go: asyncio.Event | None = None


class Receiver:
    """Answers 204 once what it was told to answer is used up."""

    def __init__(self) -> None:
        self.url = ""
        self.heard: list[Heard] = []
        self.answers: list[Answer] = []

    def of(self, interaction: str) -> list[Heard]:
        """What it heard about one interaction, in the order it came."""
        return [one for one in self.heard if json.loads(one.body)["data"]["interaction"]["id"] == interaction]

    async def until(self, times: int, seconds: float = 10.0) -> list[Heard]:
        """Wait until it heard so many requests."""

        async def enough() -> bool:
            return len(self.heard) >= times

        await eventually(enough, seconds)
        return self.heard

    async def _answer(self, request: web.Request) -> web.Response:
        # The library that verifies asks for the names as the specification writes them.
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.heard.append(Heard(headers, await request.read(), time.monotonic()))
        answer = self.answers.pop(0) if self.answers else Answer()
        if answer.after:
            await asyncio.sleep(answer.after)
        if answer.let_go is not None:
            await answer.let_go.wait()
        return web.Response(status=answer.status, headers=answer.headers)


@contextlib.asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver that listens until the block is left."""
    own = Receiver()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", own._answer)
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    own.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        yield own
    finally:
        await runner.cleanup()
