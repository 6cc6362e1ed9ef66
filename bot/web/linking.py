"""Proving another account by signing in with it: off to its provider from `/accounts`, and back to be confirmed."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bot.openid import NotProved, RelyingParty
from bot.web.accounts import NOT_FRESH
from bot.web.auth import Sessions
from bot.web.claims import HERE, Claims
from bot.web.drawing import Drawing
from bot.web.security import Guard, read_posted
from bot.web.signing import ASKS, OLD_FORM, WINDOW, address, one
from bot.web.telegram_login import PROVIDER, TelegramLogin
from bot.web.trips import Trips
from bot.web.turnstile import Turnstile
from core.errors import Forbidden, NotFound


class Linking:
    """Sends somebody who is signed in to sign in with another account."""

    def __init__(
        self,
        parties: Mapping[str, RelyingParty],
        telegram: TelegramLogin,
        claims: Claims,
        trips: Trips,
        sessions: Sessions,
        guard: Guard,
        drawing: Drawing,
    ) -> None:
        self._parties = parties
        self._telegram = telegram
        self._claims = claims
        self._trips = trips
        self._sessions = sessions
        self._guard = guard
        self._drawing = drawing
        self._asks = Turnstile(ASKS, WINDOW)

    async def leave(self, request: Request) -> Response:
        """Send the browser there. Whoever comes back is back in this session, or nowhere."""
        self._guard.check_origin(request)
        self._asks.check(address(request))
        posted, visitor = await read_posted(request), await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go(f"/signin?next={HERE}")
        if not self._sessions.may_post(visitor, one(posted, "token")):
            raise Forbidden(OLD_FORM)
        if not self._claims.is_fresh(visitor):
            return self._drawing.trouble(403, "Sign in again", NOT_FRESH, visitor=visitor)
        provider, key = request.path_params["provider"], self._claims.key(visitor)
        if provider == PROVIDER:
            return RedirectResponse(await self._telegram.leave_from(visitor.person.workspace, HERE, key), 303)
        party = self._parties.get(provider)
        if party is None:
            raise NotFound("there is no such provider")
        trip = await self._trips.begin(provider, HERE, key)
        try:
            return RedirectResponse(await party.leave(trip), 303)
        except NotProved as error:
            return self._drawing.trouble(503, "Nothing was linked", str(error), visitor=visitor)
