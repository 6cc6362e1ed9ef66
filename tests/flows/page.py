"""A person's browser at the review pages of a running service: cookies, hidden fields and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

import httpx2

from tests.flows.rig import NOBODY, Rig, eventually

_HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')


@dataclass
class Visitor:
    """Signed in as one person."""

    http: httpx2.AsyncClient

    async def read(self, id: str) -> str:
        """The card's page."""
        return (await self.http.get(f"/review/{id}")).text

    async def press(self, id: str, button: str, fields: Mapping[str, Any], *, drawn: str | None = None) -> int:
        """Fill in the card's form and press a button of it. `drawn` is the page as it was opened, if not just now."""
        page = await self.read(id) if drawn is None else drawn
        form = next(form for form in page.split("<form")[1:] if f'name="do" value="{button}"' in form)
        return (await send_form(self.http, f"/review/{id}", {**fields, "do": button}, f"<form{form}")).status_code


@dataclass
class SigningIn:
    """Somebody at the page that asks for the code, of whose chat the first messages were there `before`."""

    r: Rig
    http: httpx2.AsyncClient
    user: int
    page: str
    before: int

    async def finish(self) -> Visitor:
        """Type the code from the chat with the bot."""
        answer = await send_form(self.http, "/signin/code", {"code": await eventually(self._code)}, self.page)
        assert answer.status_code == 200, answer.text
        return Visitor(self.http)

    async def _code(self) -> str | None:
        texts = [message.text or "" for message in self.r.telegram.world.history(self.user)[self.before :]]
        found = re.search(r"\b(\d{4}) (\d{4})\b", "\n".join(texts))
        return found[1] + found[2] if found else None


async def begin_signing_in(r: Rig, http: httpx2.AsyncClient, user: int) -> SigningIn:
    """Say which account it is."""
    before = len(r.telegram.world.history(user))
    page = await send_form(http, "/signin", {"name": f"telegram:{user}"}, (await http.get("/signin")).text)
    return SigningIn(r, http, user, page.text, before)


async def sign_in(r: Rig, http: httpx2.AsyncClient, user: int) -> Visitor:
    """As people do: the account, the code from their chat with the bot, the code typed."""
    return await (await begin_signing_in(r, http, user)).finish()


async def send_form(http: httpx2.AsyncClient, path: str, fields: Mapping[str, Any], page: str) -> httpx2.Response:
    """Post the last form of a page."""
    hidden = {unescape(name): unescape(value) for name, value in _HIDDEN.findall(page[page.rfind("<form") :])}
    return await http.post(path, data={**hidden, **fields}, follow_redirects=True)


def browser(r: Rig) -> httpx2.AsyncClient:
    """Empty cookies, and what a current browser says of itself."""
    said = {"sec-fetch-site": "same-origin", "origin": r.url, "user-agent": "Mozilla/5.0 Firefox/145.0"}
    return httpx2.AsyncClient(base_url=r.url, headers=said, timeout=30, verify=NOBODY)
