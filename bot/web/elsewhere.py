"""Signing in with Slack, or with an identity provider of the operator's: off to it, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bot.openid import NotProved, RelyingParty
from bot.web.auth import Sessions
from bot.web.coming_back import ComingBack
from bot.web.drawing import Drawing
from bot.web.entrance import Entrance
from bot.web.security import Guard, local_path, read_posted
from bot.web.signing import ASKS, FORM, OLD_FORM, TRIES, WINDOW, address, is_from, one
from bot.web.trips import Trips
from bot.web.turnstile import Turnstile
from core.errors import NotFound
from core.people import Identity

log = structlog.get_logger("sayso.signin")

NOT_IN: Final = "You are not signed in"
LOST: Final = (
    "This way back was used already, took more than ten minutes, or began in another browser. Sign in again here."
)
DENIED: Final = "It was not allowed there, so nobody was signed in here."
MOST: Final = 2_000
"""Characters of a code or state that are looked at."""


class Elsewhere:
    """The two addresses of each provider."""

    def __init__(
        self,
        parties: Sequence[RelyingParty],
        trips: Trips,
        coming: ComingBack,
        entrance: Entrance,
        sessions: Sessions,
        guard: Guard,
        drawing: Drawing,
    ) -> None:
        self.parties: Mapping[str, RelyingParty] = {one.party.name: one for one in parties}
        self._trips = trips
        self._coming = coming
        self._entrance = entrance
        self._sessions = sessions
        self._guard = guard
        self._drawing = drawing
        self._asks = Turnstile(ASKS, WINDOW)
        self._tries = Turnstile(TRIES, WINDOW)

    async def leave(self, request: Request) -> Response:
        """Send the browser to the provider to sign in."""
        self._guard.check_origin(request)
        self._asks.check(address(request))
        party, posted = self._party(request), await read_posted(request)
        browser = self._sessions.browser(request)
        if not is_from(self._guard, browser, posted, FORM):
            return self._drawing.trouble(403, NOT_IN, OLD_FORM)
        to = local_path(one(posted, "next"))
        trip = await self._trips.begin(party.party.name, to, browser)
        try:
            location = await party.leave(trip)
        except NotProved as error:
            return self._drawing.trouble(503, NOT_IN, str(error))
        response = RedirectResponse(location, 303)
        self._sessions.remember_browser(response, browser)
        return response

    async def come_back(self, request: Request) -> Response:
        """Sign in whoever comes back with a proof."""
        self._tries.check(address(request))
        party, query = self._party(request), request.query_params
        back = await self._coming.back(party.party.name, query.get("state", "")[:MOST], request)
        if back is None:
            return self._drawing.trouble(400, NOT_IN, LOST)
        code = query.get("code", "")
        if not code or len(code) > MOST:
            log.info("sent back without a code", provider=party.party.name, error=query.get("error", "")[:100])
            return self._drawing.trouble(200, NOT_IN, DENIED)
        try:
            identity = await party.come_back(code, back.ended.trip)
        except NotProved as error:
            return self._drawing.trouble(401, NOT_IN, str(error))
        if back.visitor is not None:
            return await self._coming.confirm(back.visitor, identity)
        cookie = await self._entrance.enter(identity, request)
        if cookie is None:
            return self._drawing.trouble(403, NOT_IN, unknown(identity, party.party.label))
        response = self._drawing.go(back.ended.to)
        self._sessions.give(response, cookie)
        return response

    def _party(self, request: Request) -> RelyingParty:
        found = self.parties.get(request.path_params["provider"])
        if found is None:
            raise NotFound("there is no such provider")
        return found


def unknown(identity: Identity, label: str) -> str:
    """What somebody is told whose account is nobody's here. It is their own, so it is named."""
    ways: Mapping[str, str] = {
        "slack": f"--slack {identity.account}.{identity.user}",
        "telegram": f"--telegram {identity.user}",
        "oidc": f"--oidc {identity.user}",
    }
    return (
        f"{label} says who you are, but nobody here has that account yet. Sign in with a code in your own chat, or "
        "ask an operator to make it yours: "
        f"sayso person add HANDLE {ways[identity.provider]}"
    )
