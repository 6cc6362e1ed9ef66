"""What Telegram says of people to pages: to a Mini App that is opened, and after a login on its own site.

Signed as the platform's documentation says, on this side of the wire: nothing of the service is used.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from typing import Any, Final
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from bot.sandbox.clock import Clock
from bot.sandbox.telegram.buttons import find_buttons
from bot.sandbox.telegram.impossible import Impossible
from bot.sandbox.telegram.people import User
from bot.sandbox.telegram.permits import check_reader
from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.world import World

THEME: Final = {"bg_color": "#ffffff", "text_color": "#000000"}


class SayingWho:
    """The bot's word about people. `person` is logged in to Telegram in the browser; 0: nobody is, or they say no.
    `domain` is what /setdomain was told; empty: any is taken."""

    def __init__(self, settings: StandInSettings, clock: Clock, world: World) -> None:
        self._settings = settings
        self._clock = clock
        self._world = world
        self.person = 0
        self.domain = ""

    def routes(self) -> list[Route]:
        """Where people log in, and what a tap in the client page on a Mini App's button leads to."""
        return [Route("/login/auth", self._login), Route("/client/app", self._open)]

    def init_data(self, user_id: int, *, seconds_ago: int = 0, **more: str) -> str:
        """The `initData` of a Mini App that somebody opens; `more` are fields besides."""
        fields = {
            "query_id": secrets.token_urlsafe(12),
            "user": json.dumps(_named(self._world.users[user_id]), ensure_ascii=False, separators=(",", ":")),
            "auth_date": str(int(self._clock.wall()) - seconds_ago),
            "signature": secrets.token_urlsafe(64),
            **more,
        }
        key = hmac.digest(b"WebAppData", self._settings.bot_token.encode(), "sha256")
        return urlencode({**fields, "hash": _sign(fields, key)}, quote_via=quote)

    def login_result(self, user_id: int, *, seconds_ago: int = 0, **more: Any) -> str:
        """What somebody is sent back with who logged in."""
        named = {name: value for name, value in _named(self._world.users[user_id]).items() if name != "is_bot"}
        fields = {**named, "auth_date": int(self._clock.wall()) - seconds_ago, **more}
        key = hashlib.sha256(self._settings.bot_token.encode()).digest()
        told = {**fields, "hash": _sign({name: str(value) for name, value in fields.items()}, key)}
        return base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")

    def open_app(self, user_id: int, chat_id: int, button: str) -> str:
        """Tap a button that opens a Mini App, on the newest message that has it; the address it is opened at."""
        check_reader(self._world, user_id, chat_id)
        for message in reversed(self._world.history(chat_id)):
            for one in find_buttons(message.content, button, None):
                if "web_app" in one:
                    return self._opened(user_id, str(one["web_app"]["url"]))
        raise Impossible(f"no message has a button {button!r} that opens a Mini App")

    def _opened(self, user_id: int, url: str) -> str:
        told = {
            "tgWebAppData": self.init_data(user_id),
            "tgWebAppVersion": "9.1",
            "tgWebAppPlatform": "tdesktop",
            "tgWebAppThemeParams": json.dumps(THEME),
        }
        return f"{url}#{urlencode(told, quote_via=quote)}"

    async def _open(self, request: Request) -> Response:
        user, url = int(request.query_params["as"]), request.query_params["url"]
        return RedirectResponse(self._opened(user, url), 302)

    async def _login(self, request: Request) -> Response:
        asked = request.query_params
        origin, back = asked.get("origin", ""), asked.get("return_to", "")
        if asked.get("bot_id") != str(self._settings.bot_id):
            return PlainTextResponse("Bot not found", 400)
        if not back.startswith(f"{origin}/") or (self.domain and origin.partition("://")[2] != self.domain):
            return PlainTextResponse("Bot domain invalid", 400)
        result = self.login_result(self.person) if self.person else "false"
        return RedirectResponse(f"{back}#tgAuthResult={result}", 302)


def _named(user: User) -> dict[str, Any]:
    named = {"id": user.id, "first_name": user.first_name, "last_name": user.last_name, "username": user.username or ""}
    return {name: value for name, value in named.items() if value != ""} | ({"is_bot": True} if user.is_bot else {})


def _sign(fields: dict[str, str], key: bytes) -> str:
    lines = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    return hmac.new(key, lines.encode(), hashlib.sha256).hexdigest()
