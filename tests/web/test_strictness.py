"""What every answer says to browsers: of the whole service, on each kind of address."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from bot.app import build
from bot.config import load
from tests.flows.rig import sqlite_at

KEY = "sk_" + "k" * 43
ADDRESSES = (
    "/healthz",
    "/readyz",
    "/metrics",
    "/v1/interactions",
    "/openapi.json",
    "/docs",
    "/signin",
    "/nowhere",
    "/inbox",
)


@pytest.fixture
async def http(tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    settings = {
        "sayso_database_url": sqlite_at(tmp_path),
        "sayso_secret_key": "s" * 64,
        "sayso_api_key": KEY,
        "sayso_public_url": "https://sayso.example.com",
        "sayso_port": 0,
    }
    async with build(load(settings)).running() as web:
        transport = httpx2.ASGITransport(web)
        async with httpx2.AsyncClient(transport=transport, base_url="https://sayso.example.com") as client:
            yield client


async def test_no_answer_may_be_framed_sniffed_or_kept(http: httpx2.AsyncClient) -> None:
    for path in ADDRESSES:
        said = (await http.get(path)).headers
        assert "frame-ancestors 'none'" in said["content-security-policy"], path
        assert said["content-security-policy"].startswith("default-src 'none'"), path
        assert (said["x-content-type-options"], said["x-frame-options"]) == ("nosniff", "DENY"), path
        assert said["strict-transport-security"] == "max-age=31536000", path
        assert said["cache-control"] == "no-store", path
        assert len(said.get_list("content-security-policy")) == 1, path


async def test_a_page_keeps_what_it_says_itself(http: httpx2.AsyncClient) -> None:
    page = await http.get("/signin")
    assert "style-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["referrer-policy"] == "same-origin"
