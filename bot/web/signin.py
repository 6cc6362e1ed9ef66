"""Signing in and out: the name, the code, the session. Nothing is changed by opening any of these pages."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlencode

import structlog
from starlette.requests import Request
from starlette.responses import Response

from bot.web.auth import Sessions
from bot.web.codes import DIGITS, Codes
from bot.web.drawing import Drawing
from bot.web.security import Guard, Posted, local_path, read_posted
from bot.web.turnstile import Turnstile
from core.ports import Context
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.signin")

FORM = "sign in"
"""What form tokens of a browser without a session are signed for."""
AGAIN = "again"
"""In the address of the page: sign in anew, although a session is open."""
LONGEST_NAME = 200
EVENLY = 0.4
"""Seconds that asking for a code takes, whoever was asked for: the time an answer takes must not tell either."""
ASKS, TRIES = 30, 100
WINDOW = 600.0
"""From one network address: so many requests for codes, and so many tried codes, in so many seconds."""

OLD_FORM = "This page was open for too long, or cookies are off. Please try again."
NO_NAME = "Type your handle or a chat account."
WRONG_CODE = (
    "This code does not work. It may be mistyped, used or too old, or belong to another browser. "
    "After 5 tries a new one is needed."
)


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
        evenly: float = EVENLY,
        asks: Turnstile | None = None,
        tries: Turnstile | None = None,
    ) -> None:
        self._context = context
        self._sessions = sessions
        self._codes = codes
        self._guard = guard
        self._drawing = drawing
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
        self._asks.check(_address(request))
        posted = await read_posted(request)
        to, name = local_path(_one(posted, "next")), _one(posted, "name")[:LONGEST_NAME]
        browser = self._sessions.browser(request)
        if not self._is_from(browser, posted):
            return self._name_page(request, to, name, OLD_FORM, 403)
        if not name.strip():
            return self._name_page(request, to, name, NO_NAME, 422)
        async with _evenly(self._evenly):
            attempt = await self._codes.send(name, browser, request.headers.get("user-agent", ""))
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
        self._tries.check(_address(request))
        posted = await read_posted(request)
        to, attempt = local_path(_one(posted, "next")), _one(posted, "attempt")
        browser = self._sessions.browser(request)
        if not self._is_from(browser, posted):
            return self._code_page(request, attempt, to, OLD_FORM, 403)
        code = "".join(str(int(sign)) for sign in _one(posted, "code")[:LONGEST_NAME] if sign.isdecimal())
        cookie = await self._codes.take(attempt, browser, code, request)
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
        if visitor is not None and not self._sessions.may_post(visitor, _one(posted, "token")):
            return self._drawing.trouble(403, "This was not done", OLD_FORM, visitor=visitor)
        await transact(self._context, lambda work: self._sessions.close(work, request))
        response = self._drawing.go("/signin")
        self._sessions.take_back(response)
        return response

    def _is_from(self, browser: str, posted: Posted) -> bool:
        return bool(browser) and self._guard.is_signed(_one(posted, "token"), FORM, browser)

    def _name_page(self, request: Request, to: str, name: str = "", fault: str = "", status: int = 200) -> Response:
        return self._bound(request, "signin.html", status, to=to, name=name, fault=fault)

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


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _one(posted: Posted, name: str) -> str:
    return posted.get(name, ("",))[-1]
