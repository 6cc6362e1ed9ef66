"""Whose request it is: the peer's, unless the peer is a proxy that the settings name."""

from __future__ import annotations

import ipaddress

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from bot.serve import server_config
from bot.shapes import Network
from tests.web.serving import serving

HERE = ipaddress.ip_network("127.0.0.0/8")
ELSEWHERE = ipaddress.ip_network("10.0.0.0/8")

CASES: list[tuple[str, tuple[Network, ...], str, str]] = [
    # why, whom the settings trust, what is claimed, who it is
    ("nobody is trusted, not even this machine", (), "203.0.113.7", "127.0.0.1"),
    ("the peer is not the proxy", (ELSEWHERE,), "203.0.113.7", "127.0.0.1"),
    ("the peer is the proxy", (HERE,), "203.0.113.7", "203.0.113.7"),
    ("the visitor of a proxy claims to be another", (HERE,), "198.51.100.1, 203.0.113.7", "203.0.113.7"),
    ("one proxy behind another", (HERE, ELSEWHERE), "198.51.100.1, 203.0.113.7, 10.0.0.9", "203.0.113.7"),
    ("a proxy that a socket for IPv6 accepted", (HERE, ELSEWHERE), "203.0.113.7, ::ffff:10.0.0.9", "203.0.113.7"),
]


async def who(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers who asks."""
    client = Request(scope).client
    await PlainTextResponse(client.host if client else "")(scope, receive, send)


@pytest.mark.parametrize(("why", "trusted", "claimed", "is_"), CASES, ids=[row[0] for row in CASES])
async def test_only_a_trusted_proxy_says_whose_request_it_is(
    why: str, trusted: tuple[Network, ...], claimed: str, is_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")  # uvicorn's own setting, which would trust everybody
    async with serving(server_config(who, trusted)) as port, httpx2.AsyncClient() as client:
        answer = await client.get(f"http://127.0.0.1:{port}/", headers={"X-Forwarded-For": claimed})
    assert answer.text == is_, why
