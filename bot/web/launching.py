"""Our pages as a Mini App of a Telegram bot: what Telegram says of whoever opened it becomes a session.

Telegram hands its proof to the page behind a `#`, which browsers do not send. Our own script reads it there and posts
it; nothing of Telegram's is loaded. A session that began so is worth what a press in the chat is worth: it opens and
answers cards, and it is no sign-in where one is demanded.
"""

from __future__ import annotations

import secrets
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import Response

from adapters.telegram.proving import MOST, Unproved, launched
from bot.web.auth import Sessions
from bot.web.bots import Bots, ProvingBot, bot_numbered
from bot.web.drawing import Drawing
from bot.web.elsewhere import NOT_IN, unknown
from bot.web.entrance import Entrance, Used
from bot.web.security import Guard, local_path, policy, read_posted
from bot.web.signing import FORM, OLD_FORM, TRIES, WINDOW, address, is_from, one
from bot.web.turnstile import Turnstile
from core.errors import NotFound
from core.ports import Context

log = structlog.get_logger("sayso.signin")

FRAMED_BY: Final = "https://web.telegram.org"
"""Telegram in a browser shows Mini Apps in a frame. There the page only leads out of it."""
STALE: Final = (
    "What Telegram said of you could not be verified, was used already, or is more than five minutes old. "
    "Open the page once more from your chat with the bot."
)


class Launching:
    """The page of each bot that opens ours inside Telegram."""

    def __init__(
        self, context: Context, bots: Bots, entrance: Entrance, sessions: Sessions, guard: Guard, drawing: Drawing
    ) -> None:
        self._context = context
        self._bots = bots
        self._entrance = entrance
        self._sessions = sessions
        self._guard = guard
        self._drawing = drawing
        self._tries = Turnstile(TRIES, WINDOW)

    async def show(self, request: Request) -> Response:
        """The page with our script, which hands on what Telegram gave it. By itself it signs nobody in."""
        bot = self._bot(request)
        browser = self._sessions.browser(request) or secrets.token_urlsafe(32)
        response = self._drawing.page(
            "launch.html",
            action=f"/telegram/app/{bot.number}",
            to=local_path(request.query_params.get("next", "")),
            token=self._guard.sign(FORM, browser),
        )
        response.headers["Content-Security-Policy"] = policy(scripts=True, framed_by=FRAMED_BY)
        self._sessions.remember_browser(response, browser)
        return response

    async def enter(self, request: Request) -> Response:
        """Sign in whoever Telegram says has opened it, as they are known in the workspace of that bot."""
        self._guard.check_origin(request)
        self._tries.check(address(request))
        bot, posted = self._bot(request), await read_posted(request)
        if not is_from(self._guard, self._sessions.browser(request), posted, FORM):
            return self._drawing.trouble(403, NOT_IN, OLD_FORM)
        to = local_path(one(posted, "next"))
        try:
            proved = launched(one(posted, "proof")[: MOST + 1], bot.token, self._context.clock.now())
        except Unproved as error:
            log.warning("mini app not opened", bot=bot.number, error=str(error))
            return self._drawing.trouble(401, NOT_IN, STALE)
        try:
            cookie = await self._entrance.enter(
                proved.identity, request, workspace=bot.workspace, mark=proved.mark, launched=True
            )
        except Used:
            return await self._again(request, str(proved.identity), bot, to)
        if cookie is None:
            return self._drawing.trouble(403, NOT_IN, unknown(proved.identity, "Telegram"))
        response = self._drawing.go(to)
        self._sessions.give(response, cookie)
        return response

    async def _again(self, request: Request, identity: str, bot: ProvingBot, to: str) -> Response:
        """A page that was loaded anew hands on the same proof: harmless where it was good for what is open."""
        visitor = await self._sessions.visitor(request)
        if visitor is not None and (visitor.session.identity, visitor.person.workspace) == (identity, bot.workspace):
            return self._drawing.go(to)
        return self._drawing.trouble(401, NOT_IN, STALE)

    def _bot(self, request: Request) -> ProvingBot:
        found = bot_numbered(self._bots, str(request.path_params["number"]))
        if found is None:
            raise NotFound("there is no such bot")
        return found
