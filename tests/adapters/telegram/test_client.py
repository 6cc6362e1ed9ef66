"""The calls against Bot API servers that answer with less than the newest one, or with more."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapters.telegram.client import TelegramClient

TOKEN = "4242:AAH-lean"
ME = {"id": 4242, "is_bot": True, "first_name": "Sayso", "username": "sayso_bot"}
CHAT = {"id": 11, "type": "private", "first_name": "Ana", "last_name": "Ruiz"}


@contextlib.asynccontextmanager
async def client_of(answers: Mapping[str, Any]) -> AsyncIterator[TelegramClient]:
    """A client of a server that gives these answers, by method in lower case."""

    async def answer(request: web.Request) -> web.Response:
        return web.json_response({"ok": True, "result": known[request.match_info["method"].lower()]})

    known = {"getme": ME, **answers}
    app = web.Application()
    app.router.add_post(f"/bot{TOKEN}/{{method}}", answer)
    async with TestServer(app) as server:
        client = TelegramClient(TOKEN, str(server.make_url("")))
        await client.open()
        try:
            yield client
        finally:
            await client.close()


async def test_a_chat_is_read_by_what_matters_of_it() -> None:
    # An older server has no accent_color_id and no accepted_gift_types, which the library insists on.
    async with client_of({"getchat": CHAT}) as client:
        await client.look_at("11")
        assert await client.display_name("11") == "Ana Ruiz"


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ({"status": "administrator"}, ("administrator", False)),  # none of the rights a newer server lists
        ({"status": "restricted", "is_member": True}, ("restricted", True)),
        ({"status": "restricted", "is_member": "yes"}, ("restricted", False)),  # not what the API promises
        ({}, ("", False)),
        ([], ("", False)),
    ],
)
async def test_a_member_is_read_by_what_matters_of_it(member: Any, expected: tuple[str, bool]) -> None:
    async with client_of({"getchatmember": member}) as client:
        assert await client.member_status("-1001", "11") == expected
