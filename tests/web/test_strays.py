"""What is said at addresses that nothing answers, to people and to programs."""

from __future__ import annotations

import httpx2
import pytest

from bot.web.api import build_api
from bot.web.errors import MEDIA_TYPE
from bot.web.strays import with_a_page_for_strays
from tests.web.calling import Calling

PEOPLE = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.mark.parametrize(
    ("path", "accept", "status", "kind"),
    [
        ("/inboxx", PEOPLE, 404, "text/html"),  # somebody mistyped
        ("/review", PEOPLE, 404, "text/html"),  # somebody cut an address off
        ("/inboxx", "application/json", 404, MEDIA_TYPE),  # a program
        ("/inboxx", None, 404, MEDIA_TYPE),  # a program that does not say
        ("/v1/nothing", PEOPLE, 404, MEDIA_TYPE),  # programs alone go there
        ("/v1/interactions", PEOPLE, 401, MEDIA_TYPE),  # the API's own address
        ("/openapi.json", PEOPLE, 200, "application/json"),
        ("/docs", PEOPLE, 200, "text/html"),
    ],
)
async def test_a_person_gets_a_page_and_a_program_a_problem(
    api: Calling, path: str, accept: str | None, status: int, kind: str
) -> None:
    app = with_a_page_for_strays(build_api(api.services), "https://sayso.example.com", b"k" * 32)
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="https://sayso.example.com") as client:
        client.headers.pop("accept")
        found = await client.get(path, headers={"Accept": accept} if accept else {})
        assert (found.status_code, found.headers["content-type"].partition(";")[0]) == (status, kind)
        if kind == "text/html" and status == 404:
            assert "There is nothing here" in found.text
            assert found.headers["content-security-policy"]
            assert (await client.head(path, headers={"Accept": accept or ""})).content == b""
            posted = await client.post(path, headers={"Accept": accept or ""})
            assert posted.headers["content-type"] == MEDIA_TYPE
