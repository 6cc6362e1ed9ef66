"""Signing in with Telegram: off to its own site, and back with what it says of whoever logged in there.

It is the way that Telegram's login button goes, without its script: the result comes back behind a `#`, our own script
posts it, and it counts once, in the browser that set out.
"""

from __future__ import annotations

import secrets
from typing import Final
from urllib.parse import urlencode, urlsplit

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from adapters.telegram.proving import MOST, Proved, Unproved, logged_in
from bot.web.auth import Sessions
from bot.web.bots import Bots, ProvingBot, own_bot
from bot.web.coming_back import ComingBack
from bot.web.drawing import Drawing
from bot.web.elsewhere import LOST, NOT_IN, unknown
from bot.web.entrance import Entrance, Used
from bot.web.security import Guard, local_path, policy, read_posted
from bot.web.signing import ASKS, FORM, OLD_FORM, TRIES, WINDOW, address, is_from, one
from bot.web.trips import Trips
from bot.web.turnstile import Turnstile
from core.errors import NotFound
from core.ports import Context

log = structlog.get_logger("sayso.signin")

PROVIDER: Final = "telegram"
LABEL: Final = "Telegram"
NOT_PROVED: Final = "What Telegram sent could not be verified, so nobody was signed in. Sign in again here."
MOST_STATE: Final = 2_000


class TelegramLogin:
    """The two addresses. `site` is where people log in at Telegram; None where its login cannot be used: it takes a
    public https address."""

    def __init__(
        self,
        context: Context,
        bots: Bots,
        site: str | None,
        trips: Trips,
        coming: ComingBack,
        entrance: Entrance,
        sessions: Sessions,
        guard: Guard,
        drawing: Drawing,
    ) -> None:
        self._context = context
        self._bots = bots
        self._site = site
        self._trips = trips
        self._coming = coming
        self._entrance = entrance
        self._sessions = sessions
        self._guard = guard
        self._drawing = drawing
        self._asks = Turnstile(ASKS, WINDOW)
        self._tries = Turnstile(TRIES, WINDOW)

    @property
    def site(self) -> str | None:
        """Where people are sent, where the login is offered now: there is such a site, and a bot of the settings."""
        return self._site if own_bot(self._bots) is not None else None

    async def leave(self, request: Request) -> Response:
        """Send the browser to Telegram to log in."""
        self._guard.check_origin(request)
        self._asks.check(address(request))
        bot, posted = self._bot(), await read_posted(request)
        browser = self._sessions.browser(request)
        if not is_from(self._guard, browser, posted, FORM):
            return self._drawing.trouble(403, NOT_IN, OLD_FORM)
        location = await self._way_out(bot, local_path(one(posted, "next")), browser)
        response = RedirectResponse(location, 303)
        self._sessions.remember_browser(response, browser)
        return response

    def site_for(self, workspace: str) -> str | None:
        """The same for linking an account in a workspace: the bot's word is good in its own alone."""
        bot = own_bot(self._bots)
        return self._site if bot is not None and bot.workspace == workspace else None

    async def leave_from(self, workspace: str, to: str, key: str) -> str:
        """Where a session is sent to that links an account; `key` is what brings it back there. Raises `NotFound`."""
        if self.site_for(workspace) is None:
            raise NotFound("there is no such provider")
        return await self._way_out(self._bot(), to, key)

    async def _way_out(self, bot: ProvingBot, to: str, browser: str) -> str:
        trip = await self._trips.begin(PROVIDER, to, browser)
        asked = {
            "bot_id": bot.number,
            "origin": f"{urlsplit(trip.redirect).scheme}://{urlsplit(trip.redirect).netloc}",
            "return_to": f"{trip.redirect}?{urlencode({'state': trip.state})}",
        }
        return f"{self._site}/auth?{urlencode(asked)}"

    async def show_return(self, request: Request) -> Response:
        """The page that people come back to, whose script hands on what Telegram gave it."""
        self._bot()
        browser = self._sessions.browser(request) or secrets.token_urlsafe(32)
        state = request.query_params.get("state", "")[:MOST_STATE]
        response = self._drawing.page("returned.html", state=state, token=self._guard.sign(FORM, browser))
        response.headers["Content-Security-Policy"] = policy(scripts=True)
        self._sessions.remember_browser(response, browser)
        return response

    async def come_back(self, request: Request) -> Response:
        """Sign in whoever comes back with a proof."""
        self._guard.check_origin(request)
        self._tries.check(address(request))
        bot, posted = self._bot(), await read_posted(request)
        browser = self._sessions.browser(request)
        if not is_from(self._guard, browser, posted, FORM):
            return self._drawing.trouble(403, NOT_IN, OLD_FORM)
        back = await self._coming.back(PROVIDER, one(posted, "state")[:MOST_STATE], request)
        if back is None:
            return self._drawing.trouble(400, NOT_IN, LOST)
        proved = self._proved(bot, one(posted, "proof"))
        if proved is None:
            return self._drawing.trouble(401, NOT_IN, NOT_PROVED)
        try:
            if back.visitor is not None:
                return await self._coming.confirm(back.visitor, proved.identity, proved.name, proved.mark)
            cookie = await self._entrance.enter(proved.identity, request, workspace=bot.workspace, mark=proved.mark)
        except Used:
            return self._drawing.trouble(400, NOT_IN, LOST)
        if cookie is None:
            return self._drawing.trouble(403, NOT_IN, unknown(proved.identity, LABEL))
        response = self._drawing.go(back.ended.to)
        self._sessions.give(response, cookie)
        return response

    def _proved(self, bot: ProvingBot, data: str) -> Proved | None:
        """Who logged in, as far as it is proved."""
        try:
            return logged_in(data[: MOST + 1], bot.token, self._context.clock.now())
        except Unproved as error:
            log.warning("login refused", provider=PROVIDER, error=str(error))
            return None

    def _bot(self) -> ProvingBot:
        found = own_bot(self._bots)
        if found is None or self._site is None:
            raise NotFound("there is no such provider")
        return found
