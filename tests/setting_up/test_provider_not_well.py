"""A token is not blamed for what a provider, or something on the way to it, does: it is good until somebody says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.credentials import Fault, slack, telegram
from bot.sandbox.serving import serving
from tests.flows.rig import free_port

WAITS, TROUBLE, NOBODY = "asked to wait", "has trouble of its own", "something else than"
JSON, HTML = "application/json", "text/html"
Answer = tuple[int, str, bytes]
ANSWERS: Mapping[str, tuple[Answer, str]] = {
    "too often, as Slack says it": ((429, JSON, b'{"ok": false, "error": "ratelimited"}'), WAITS),
    "too often, as Telegram says it": (
        (429, JSON, b'{"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 5"}'),
        WAITS,
    ),
    "too often, without a word": ((429, HTML, b""), WAITS),
    "trouble, as Telegram says it": ((502, JSON, b'{"ok": false, "error_code": 502, "description": "Bad"}'), TROUBLE),
    "trouble, as Slack says it": ((500, JSON, b'{"ok": false, "error": "internal_error"}'), TROUBLE),
    "trouble of a gateway": ((503, HTML, b"<html>busy</html>"), TROUBLE),
    "the network's own sign-in page": ((200, HTML, b"<html>Welcome to the hotel</html>"), NOBODY),
    "a proxy that wants a password": ((407, HTML, b"<html>proxy</html>"), NOBODY),
    "another program": ((200, JSON, b"[]"), NOBODY),
    "another address": ((404, HTML, b"<html>none</html>"), NOBODY),
}
SLACK_ONLY = {"trouble with a good status": ((200, JSON, b'{"ok": false, "error": "fatal_error"}'), TROUBLE)}
REFUSALS: Mapping[str, tuple[Answer, str]] = {
    "Slack": ((200, JSON, b'{"ok": false, "error": "invalid_auth"}'), "Slack does not know this token"),
    "Telegram": (
        (401, JSON, b'{"ok": false, "error_code": 401, "description": "Unauthorized"}'),
        "Telegram does not know this token",
    ),
}


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[str]:
    """Something that answers every call like this."""

    async def give(_: Request) -> Response:
        status, kind, body = answer
        return Response(body, status, media_type=kind, headers={"Retry-After": "30"})

    port = free_port()
    async with serving(Starlette(routes=[Route("/{path:path}", give, methods=["GET", "POST"])]), port=port):
        yield f"http://127.0.0.1:{port}"


async def judged(answer: Answer) -> dict[str, object]:
    async with answering(answer) as url:
        return {
            "Slack": await asyncio.to_thread(slack.bot_token, "xoxb-1-2-secret", f"{url}/"),
            "Slack's app": await asyncio.to_thread(slack.app_token, "xapp-1-A01-2-secret", f"{url}/"),
            "Telegram": await asyncio.to_thread(telegram.bot_token, f"123456789:{'A' * 35}", url),
        }


@pytest.mark.parametrize("name", [*ANSWERS, *SLACK_ONLY])
async def test_what_is_no_word_about_a_token_leaves_it_as_it_is(name: str) -> None:
    answer, words = {**ANSWERS, **SLACK_ONLY}[name]
    for whose, found in (await judged(answer)).items():
        if name in SLACK_ONLY and whose == "Telegram":
            continue
        assert isinstance(found, Fault), whose
        assert words in found.found, (whose, found)
        assert found.unreachable, whose  # so `init` offers the same token again, and does not ask for another
        assert found.passing is (words is not NOBODY), whose  # so the doctor says to look again, not that it is broken
        assert "<html>" not in found.found


@pytest.mark.parametrize("whose", REFUSALS)
async def test_a_refusal_of_the_token_itself_is_one(whose: str) -> None:
    answer, words = REFUSALS[whose]
    found = (await judged(answer))[whose]
    assert isinstance(found, Fault)
    assert words in found.found
    assert not found.unreachable
