"""Installing the Slack app in a browser: whose it will be, off to Slack, and back."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Final, Protocol

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from adapters.slack.installing import INSTALL, INVITE, REDIRECT, TEAM, Returned, Sent, Tenant
from adapters.slack.manifest import POWERS
from bot.web.auth import BrowserCookie
from bot.web.doors import Door
from bot.web.drawing import Drawing
from bot.web.security import Guard, plain, policy, read_posted
from bot.web.signing import OLD_FORM, address, is_from, one
from bot.web.turnstile import Turnstile
from core.errors import ChannelError
from core.use_cases.installing import ConnectedElsewhere, NotInvited

TRIES, WINDOW = 60, 600.0
"""From one network address: so many visits in so many seconds."""

REFUSED: Final[Mapping[str, tuple[int, str]]] = {
    # What Bolt or Slack say of why nothing was installed; what else they say has the last row's meaning.
    "access_denied": (200, "The app was not allowed on Slack's page, so nothing was connected."),
    "invalid_browser": (
        400,
        "This is not the browser that went to Slack from here, or it takes no cookies. Begin again with the link.",
    ),
    "invalid_state": (
        401,
        "This way back from Slack was used already, or took more than ten minutes. Begin again with the link.",
    ),
    "invalid_code": (401, "Slack does not take this way back any more. Begin again with the link."),
}
OTHERWISE: Final = (400, "Slack sent you back without what is needed. Begin again with the link.")
_ID: Final = re.compile(r"[TE][A-Z0-9]{1,20}")
NOT_DONE: Final = "Nothing was connected"
FORM: Final = "install"
"""What the form's tokens are signed for."""


class Installs(Protocol):
    """The way to Slack and back."""

    def site(self) -> str:
        """Slack's page where the app is allowed."""

    async def look(self, invitation: str) -> Tenant | None:
        """Where a link with this code (may be empty) leads; None: to a tenant of its own. Raises a `Refused`."""

    async def send(self, invitation: str, team: str) -> Sent:
        """Send somebody to Slack. Raises a `Refused`."""

    async def receive(self, query: str, cookies: str) -> Returned:
        """Take somebody back. Raises a `Refused` or a `ChannelError`."""


class InstallPages:
    """The two addresses. `installs` is asked anew each time, as Slack may not be reached yet when these are made."""

    def __init__(self, installs: Installs, base_url: str, key: bytes) -> None:
        self._installs = installs
        self._guard = Guard(base_url, key)
        self._drawing = Drawing(self._guard)
        self._browsers = BrowserCookie(self._guard)
        self._visits = Turnstile(TRIES, WINDOW)

    def routes(self) -> list[Route]:
        """Where people go to install, and where Slack sends them back to."""
        return [
            Route(INSTALL, Door(self._drawing, get=self.show, post=self.leave)),
            Route(REDIRECT, Door(self._drawing, get=self.come_back)),
        ]

    async def show(self, request: Request) -> Response:
        """Say whose this link is and what it leads to. Whoever was sent the link may know nothing of it: Slack's own
        page names this app and never the tenant that gets what is connected."""
        self._visits.check(address(request))
        asked = request.query_params
        return await self._ask(request, asked.get(INVITE, ""), _team(asked.get(TEAM, "")))

    async def leave(self, request: Request) -> Response:
        """Go to Slack. Nothing is connected by this; a link that was looked at is still good."""
        self._guard.check_origin(request)
        self._visits.check(address(request))
        posted = await read_posted(request)
        invitation, team = one(posted, INVITE), _team(one(posted, TEAM))
        if not is_from(self._guard, self._browsers.of(request), posted, FORM):
            return await self._ask(request, invitation, team, OLD_FORM, 403)
        try:
            sent = await self._installs.send(invitation, team)
        except NotInvited as refused:
            return self._drawing.trouble(403, NOT_DONE, str(refused))
        response = RedirectResponse(sent.location, 303)
        response.headers.append("set-cookie", sent.cookie)
        return response

    async def _ask(self, request: Request, invitation: str, team: str, fault: str = "", status: int = 200) -> Response:
        try:
            tenant = await self._installs.look(invitation)
        except NotInvited as refused:
            return self._drawing.trouble(403, NOT_DONE, str(refused))
        browser = self._browsers.of(request) or secrets.token_urlsafe(32)
        response = self._drawing.page(
            "install.html",
            status,
            tenant=tenant,
            host=self._guard.host,
            powers=[words for words, _ in POWERS],
            token=self._guard.sign(FORM, browser),
            action=INSTALL,
            kept=[(name, value) for name, value in ((INVITE, invitation), (TEAM, team)) if value],
            fault=fault,
        )
        to = [site for site in (plain(self._installs.site()),) if site]
        response.headers["Content-Security-Policy"] = policy(leaves=True, to=to)
        self._browsers.give(response, browser)
        return response

    async def come_back(self, request: Request) -> Response:
        """Connect what was allowed."""
        self._visits.check(address(request))
        try:
            back = await self._installs.receive(request.url.query, request.headers.get("cookie", ""))
        except NotInvited as refused:
            return self._drawing.trouble(403, NOT_DONE, str(refused))
        except ConnectedElsewhere as refused:
            return self._drawing.trouble(409, NOT_DONE, str(refused))
        except ChannelError:
            words = "Slack could not be asked what it granted. Begin again with the link in a moment."
            return self._drawing.trouble(503, NOT_DONE, words)
        response = self._shown(back)
        response.headers.append("set-cookie", back.cookie)
        return response

    def _shown(self, back: Returned) -> Response:
        if back.granted is None:
            status, words = REFUSED.get(back.refused or "", OTHERWISE)
            return self._drawing.trouble(status, NOT_DONE, words)
        granted = back.granted
        return self._drawing.page(
            "installed.html",
            name=granted.name or granted.account,
            bot=granted.bot_name or "sayso",
            account=granted.account,
            tenant=back.tenant,
            host=self._guard.host,
        )


def _team(text: str) -> str:
    """The id of a Slack workspace or organisation, or nothing: whatever else it is, it goes no further."""
    return text if _ID.fullmatch(text) else ""
