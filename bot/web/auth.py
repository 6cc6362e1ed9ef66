"""Who is at the browser: sessions in cookies, looked up anew with every request.

Of a cookie only a hash is stored. Person and role are those of this moment: who was removed, or lost the account they
signed in with, or whose account there was deactivated, is signed out with it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response

from bot.authority import Authority
from bot.web.security import Guard, hashed
from core.access import Session
from core.people import Identity, Person, Standing
from core.ports import Context, Work
from core.reading import Records

LASTS = timedelta(hours=12)
"""How long a session is good."""
BROWSER_LASTS = timedelta(hours=1)
"""How long a browser is remembered that has asked for a code."""
FORM = "form"
"""What form tokens of a session are signed for."""


@dataclass(frozen=True)
class Visitor:
    """A signed-in person. `identity` is the account that proved it, `token` what this session's forms must carry."""

    person: Person
    identity: Identity
    session: Session
    token: str

    @property
    def signed_in_at(self) -> datetime | None:
        """When they signed in; None: a tap in a chat brought them here."""
        return None if self.session.launched else self.session.created_at

    @property
    def name(self) -> str:
        """What they are called on pages."""
        return self.person.name or self.person.handle


class BrowserCookie:
    """The random token that tells a browser without a session from all others."""

    def __init__(self, guard: Guard) -> None:
        self._secure = guard.secure
        self._name = f"{prefix_of(guard)}sayso-browser"

    def of(self, request: Request) -> str:
        """The token; empty before the browser has one."""
        return request.cookies.get(self._name, "")

    def give(self, response: Response, token: str) -> None:
        """Give the browser its token, or keep it longer."""
        set_cookie(response, self._name, token, BROWSER_LASTS, secure=self._secure)


class Sessions:
    """Opens, finds and ends sessions, and remembers browsers that are about to sign in."""

    def __init__(self, context: Context, records: Records, authority: Authority, guard: Guard) -> None:
        self._context = context
        self._records = records
        self._authority = authority
        self._guard = guard
        self._session_cookie = f"{prefix_of(guard)}sayso-session"
        self._browsers = BrowserCookie(guard)

    async def visitor(self, request: Request) -> Visitor | None:
        """Who is signed in, if anybody."""
        cookie = request.cookies.get(self._session_cookie)
        if not cookie:
            return None
        session = await self._records.session(hashed(cookie), self._context.clock.now())
        if session is None:
            return None
        person = await self._records.person(session.workspace, session.person)
        if person is None:
            return None
        identity = next((one for one in person.identities if str(one) == session.identity), None)
        if identity is None:
            return None
        # A chat that cannot say signs nobody out; whether somebody may do a thing is judged when they do it.
        if (await self._authority.standing(session.workspace, identity, Standing(name=person.name))).deleted:
            return None
        return Visitor(person, identity, session, self._guard.sign(FORM, session.csrf))

    def may_post(self, visitor: Visitor, token: str) -> bool:
        """Whether a form carries the token of this very session."""
        return self._guard.is_signed(token, FORM, visitor.session.csrf)

    async def open(
        self, work: Work, person: Person, identity: str | None, now: datetime, *, launched: bool = False
    ) -> str:
        """Add a session, which this account of theirs opened, to a transaction and return its cookie."""
        cookie = secrets.token_urlsafe(32)
        session = Session(
            token=hashed(cookie),
            workspace=person.workspace,
            person=person.id,
            csrf=secrets.token_hex(32),
            created_at=now,
            expires_at=now + LASTS,
            identity=identity,
            launched=launched,
        )
        await work.add_session(session)
        return cookie

    async def close(self, work: Work, request: Request) -> None:
        """End the session of this browser, if it has one, in a transaction."""
        cookie = request.cookies.get(self._session_cookie)
        if cookie:
            await work.revoke_session(hashed(cookie), self._context.clock.now())

    def give(self, response: Response, cookie: str) -> None:
        """Hand the session to the browser."""
        set_cookie(response, self._session_cookie, cookie, LASTS, secure=self._guard.secure)

    def take_back(self, response: Response) -> None:
        """Make the browser forget its session."""
        response.delete_cookie(self._session_cookie, path="/", secure=self._guard.secure, httponly=True, samesite="lax")

    def browser(self, request: Request) -> str:
        """The random token that tells this browser from all others; empty before it has one."""
        return self._browsers.of(request)

    def remember_browser(self, response: Response, token: str) -> None:
        """Give the browser its token, or keep it longer."""
        self._browsers.give(response, token)


def prefix_of(guard: Guard) -> str:
    """What the names of our cookies begin with: browsers take one with this prefix only from the host itself, over
    https, for all its paths."""
    return "__Host-" if guard.secure else ""


def set_cookie(response: Response, name: str, value: str, lasts: timedelta, *, secure: bool) -> None:
    """Give a browser a cookie that no script reads and no form of another site sends."""
    seconds = int(lasts.total_seconds())
    response.set_cookie(name, value, max_age=seconds, path="/", secure=secure, httponly=True, samesite="lax")
