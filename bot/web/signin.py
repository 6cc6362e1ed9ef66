"""Signing in and out: the name, the code, the session. Nothing is changed by opening any of these pages."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlencode

import structlog
from starlette.requests import Request
from starlette.responses import Response

from bot.openid import Party
from bot.web.auth import Sessions
from bot.web.codes import DIGITS, Codes
from bot.web.drawing import Drawing
from bot.web.security import Guard, local_path, plain, policy, read_posted
from bot.web.signing import ASKS, FORM, OLD_FORM, TRIES, WINDOW, address, is_from, one
from bot.web.turnstile import Turnstile
from core.ports import Context
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.signin")

AGAIN = "again"
"""In the address of the page: sign in anew, although a session is open."""
LONGEST_NAME = 200
EVENLY = 0.4
"""Seconds that asking for a code takes, whoever was asked for: the time an answer takes must not tell either."""

NO_NAME = "Type your handle or a chat account."
WRONG_CODE = (
    "This code does not work. It may be mistyped, used or too old, or belong to another browser. "
    "After 5 tries a new one is needed."
)


def _nowhere() -> str | None:
    """Where Telegram's login is not offered."""
    return None


class SignInPages:
    """The pages that lead to a session, and the one that ends it."""

    def __init__(
        self,
        context: Context,
        sessions: Sessions,
        codes: Codes,
        guard: Guard,
        drawing: Drawing,
        *,
        parties: Sequence[Party] = (),
        telegram: Callable[[], str | None] = _nowhere,
        evenly: float = EVENLY,
        asks: Turnstile | None = None,
        tries: Turnstile | None = None,
    ) -> None:
        self._context = context
        self._sessions = sessions
        self._codes = codes
        self._guard = guard
        self._drawing = drawing
        self._parties = tuple(parties)
        self._telegram = telegram
        self._evenly = evenly
        self._asks = asks or Turnstile(ASKS, WINDOW)
        self._tries = tries or Turnstile(TRIES, WINDOW)

    async def show(self, request: Request) -> Response:
        """Ask for the name."""
        to = local_path(request.query_params.get("next", ""))
        if AGAIN not in request.query_params and await self._sessions.visitor(request) is not None:
            return self._drawing.go(to)
        return self._name_page(request, to)

    async def ask(self, request: Request) -> Response:
        """Send a code to whoever the name means, and say the same whether that is anybody."""
        self._guard.check_origin(request)
        self._asks.check(address(request))
        posted = await read_posted(request)
        to, name = local_path(one(posted, "next")), one(posted, "name")[:LONGEST_NAME]
        browser = self._sessions.browser(request)
        if not is_from(self._guard, browser, posted, FORM):
            return self._name_page(request, to, name, OLD_FORM, 403)
        if not name.strip():
            return self._name_page(request, to, name, NO_NAME, 422)
        async with _evenly(self._evenly):
            attempt = await self._codes.send(name, browser, request.headers.get("user-agent", ""), address(request))
        response = self._drawing.go(f"/signin/code?{urlencode({'attempt': attempt, 'next': to})}")
        self._sessions.remember_browser(response, browser)
        return response

    async def show_code(self, request: Request) -> Response:
        """Ask for the code."""
        to = local_path(request.query_params.get("next", ""))
        return self._code_page(request, request.query_params.get("attempt", ""), to)

    async def enter(self, request: Request) -> Response:
        """Take the code and sign in."""
        self._guard.check_origin(request)
        self._tries.check(address(request))
        posted = await read_posted(request)
        to, attempt = local_path(one(posted, "next")), one(posted, "attempt")
        browser = self._sessions.browser(request)
        if not is_from(self._guard, browser, posted, FORM):
            return self._code_page(request, attempt, to, OLD_FORM, 403)
        cookie = await self._codes.take(attempt, browser, digits_in(one(posted, "code")), request)
        if cookie is None:
            return self._code_page(request, attempt, to, WRONG_CODE, 422)
        log.info("signed in", attempt=attempt)
        response = self._drawing.go(to)
        self._sessions.give(response, cookie)
        return response

    async def leave(self, request: Request) -> Response:
        """Sign out."""
        self._guard.check_origin(request)
        posted = await read_posted(request)
        visitor = await self._sessions.visitor(request)
        if visitor is not None and not self._sessions.may_post(visitor, one(posted, "token")):
            return self._drawing.trouble(403, "This was not done", OLD_FORM, visitor=visitor)
        await transact(self._context, lambda work: self._sessions.close(work, request))
        response = self._drawing.go("/signin")
        self._sessions.take_back(response)
        return response

    def _name_page(self, request: Request, to: str, name: str = "", fault: str = "", status: int = 200) -> Response:
        parties, sites = offered(self._parties, self._telegram())
        response = self._bound(request, "signin.html", status, to=to, name=name, fault=fault, parties=parties)
        if parties:
            response.headers["Content-Security-Policy"] = policy(leaves=True, to=sites)
        return response

    def _code_page(self, request: Request, attempt: str, to: str, fault: str = "", status: int = 200) -> Response:
        return self._bound(request, "code.html", status, to=to, attempt=attempt, fault=fault, digits=DIGITS)

    def _bound(self, request: Request, template: str, status: int, **values: object) -> Response:
        """A page whose form only this browser can send."""
        browser = self._sessions.browser(request) or secrets.token_urlsafe(32)
        response = self._drawing.page(template, status, token=self._guard.sign(FORM, browser), **values)
        self._sessions.remember_browser(response, browser)
        return response


@asynccontextmanager
async def _evenly(seconds: float) -> AsyncIterator[None]:
    """Take at least so long."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    try:
        yield
    finally:
        await asyncio.sleep(max(0.0, end - loop.time()))


def digits_in(typed: str) -> str:
    """A code as it was typed, with whatever gaps, in the digits of any script."""
    return "".join(str(int(sign)) for sign in typed[:LONGEST_NAME] if sign.isdecimal())


def offered(parties: Sequence[Party], telegram: str | None) -> tuple[list[tuple[str, str]], list[str]]:
    """Whom people may sign in with, by name and label, and which of the sites they are sent to are no https."""
    found = [(party.name, party.label) for party in parties]
    sites = [party.endpoints.authorize if party.endpoints else party.issuer for party in parties]
    if telegram is not None:
        found.append(("telegram", "Telegram"))
        sites.append(telegram)
    return found, sorted({one for site in sites if (one := plain(site))})
