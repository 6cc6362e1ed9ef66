"""Who sends a request slowly is answered, hung up on, and holds nothing; who waits for an answer may wait."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from adapters.slack import SlackAdapter, SlackSettings
from adapters.telegram.endpoint import webhook
from adapters.telegram.verify import HEADER
from bot.app import App
from bot.config import load
from bot.protocol import Impatient
from bot.web.api import build_api
from bot.web.patience import Patience
from tests.adapters.slack.rooms import quiet
from tests.blocks.slack.cards import CODEC
from tests.web.calling import Calling, key_of
from tests.web.serving import serving

SOON = 0.1


class Now:
    """The real time."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Hasty(Impatient):
    """Waits less than a test does."""

    hold = SOON


def config(app: ASGIApp, protocol: type[Impatient] = Impatient) -> uvicorn.Config:
    return uvicorn.Config(app, log_config=None, lifespan="off", http=protocol)


async def sent(port: int, text: str) -> str:
    """Send the beginning of a request, and return all that is answered until the connection is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text.replace("\n", "\r\n").encode())
    try:
        async with asyncio.timeout(5):
            return (await reader.read()).decode()
    finally:
        writer.close()
        await writer.wait_closed()


def begun(path: str, **headers: str) -> str:
    """A request with one byte of a body of nine."""
    named = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in headers.items())
    return f"POST {path} HTTP/1.1\nHost: x\nContent-Length: 9\n{named}\n{{"


async def test_a_slow_body_is_refused_everywhere(api: Calling) -> None:
    async def receive(*_: object) -> None:
        raise AssertionError("nothing was delivered")

    settings = SlackSettings(bot_token="xoxb-1", signing_secret="s" * 32, app_token=None, api_url="http://127.0.0.1:1/")
    slack = SlackAdapter(settings, CODEC, quiet, Now())
    routes = [*slack.routes(), webhook("secret", receive), Mount("/", build_api(api.services))]
    app = Starlette(routes=routes, middleware=[Middleware(Patience, SOON)])
    async with serving(config(app)) as port:
        answers = await asyncio.gather(
            sent(port, begun("/slack/events")),
            sent(port, begun("/telegram/webhook", **{HEADER: "secret"})),
            sent(port, begun("/v1/interactions", authorization=f"Bearer {key_of('builder')}")),
        )
    for answer in answers:
        head, _, body = answer.partition("\r\n\r\n")
        assert head.startswith("HTTP/1.1 408 ")
        assert "application/problem+json" in head
        assert json.loads(body)["type"].endswith("/request-timeout")


async def test_the_service_has_no_more_patience_than_that(tmp_path: Path) -> None:
    given = {"sayso_database_url": f"sqlite+aiosqlite:///{tmp_path / 'a.sqlite3'}", "sayso_secret_key": "s" * 64}
    async with App(load(given)).running() as web:
        assert [getattr(one.cls, "__name__", "") for one in web.user_middleware] == [
            "Farewell",
            "Strictness",
            "Patience",
        ]


async def slow(request: Request) -> Response:
    """Reads everything, and then takes its time."""
    await request.body()
    await asyncio.sleep(3 * SOON)
    return PlainTextResponse("done")


async def test_a_request_that_is_whole_may_take_long_to_answer() -> None:
    app = Starlette(routes=[Route("/", slow, methods=["POST"])], middleware=[Middleware(Patience, SOON)])
    async with serving(config(app, Hasty)) as port:
        answer = await sent(port, "POST / HTTP/1.1\nHost: x\nConnection: close\nContent-Length: 2\n\nab")
    assert answer.startswith("HTTP/1.1 200 ")
    assert answer.endswith("done")


async def at_once(_: Request) -> Response:
    return PlainTextResponse("no")


BEGINNINGS = [
    ("nothing at all", "", ""),
    ("half a head", "POST / HTTP/1.1\nHost:", ""),
    ("a body that nobody reads, after its answer", begun("/"), "no"),
]


@pytest.mark.parametrize(("why", "text", "answer"), BEGINNINGS, ids=[row[0] for row in BEGINNINGS])
async def test_a_connection_without_a_whole_request_is_closed(why: str, text: str, answer: str) -> None:
    app = Starlette(routes=[Route("/", at_once, methods=["GET", "POST"])])
    async with serving(config(app, Hasty)) as port:
        assert (await sent(port, text)).endswith(answer), why


async def test_so_is_one_whose_second_request_does_not_come() -> None:
    app = Starlette(routes=[Route("/", at_once)])
    async with serving(config(app, Hasty)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await reader.readuntil(b"no")
        writer.write(b"GET / HT")
        async with asyncio.timeout(4):  # uvicorn closes idle connections after five
            assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()
