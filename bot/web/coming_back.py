"""Whose trip it is that came back from a provider: a browser's that signs in, or a session's that links an account."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from bot.web.auth import Sessions, Visitor
from bot.web.claims import Claim, Claims, confirm_at
from bot.web.drawing import Drawing
from bot.web.trips import Ended, Trips
from core.people import Identity


@dataclass(frozen=True)
class Back:
    """A trip that ended where it began. `visitor`: whoever wants to link what it proves; None: it signs somebody in."""

    ended: Ended
    visitor: Visitor | None = None


class ComingBack:
    """Ends trips. A session's trip signs nobody in, and a browser's links nothing."""

    def __init__(self, trips: Trips, claims: Claims, sessions: Sessions, drawing: Drawing) -> None:
        self._trips = trips
        self._claims = claims
        self._sessions = sessions
        self._drawing = drawing

    async def back(self, provider: str, state: str, request: Request) -> Back | None:
        """Take a state back, once. None: it is not good, here, now, or any more."""
        ended = await self._trips.end(provider, state, self._sessions.browser(request))
        if ended is not None:
            return Back(ended)
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return None
        ended = await self._trips.end(provider, state, self._claims.key(visitor))
        return Back(ended, visitor) if ended is not None else None

    async def confirm(self, visitor: Visitor, identity: Identity, name: str = "", mark: str | None = None) -> Response:
        """Go on to where an account that was proved is confirmed. Raises `Used`."""
        return self._drawing.go(confirm_at(await self._claims.prove(visitor, Claim(identity, name), mark)))
