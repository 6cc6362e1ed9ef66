"""The stand-in's Sign in with Slack: the page that allows it, the exchange of the code, the keys, and userInfo."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.sandbox.openid import Code, Codes, Signer, sent_back
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.world import User

_TEAM, _USER = "https://slack.com/team_id", "https://slack.com/user_id"


class SlackOpenId:
    """Whoever is signed in to Slack in the browser (`person`, the id of a user) allows the app at once; nobody: denies.
    Slack answers refusals with 200 and `ok: false`."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._codes = Codes()
        self._access: dict[str, str] = {}
        self._signer: Signer | None = None
        self.person = ""

    @property
    def signer(self) -> Signer:
        """What signs the tokens; its key is made when it is first needed."""
        if self._signer is None:
            settings = self._platform.settings
            self._signer = Signer(self._platform.base_url, settings.client_id, self._platform.clock)
        return self._signer

    def routes(self) -> list[Route]:
        """The addresses. Those of the Web API stand before the table of its methods."""
        return [
            Route("/openid/connect/authorize", self._authorize),
            Route("/openid/connect/keys", self._keys),
            Route("/api/openid.connect.token", self._token, methods=["POST"]),
            Route("/api/openid.connect.userInfo", self._user_info, methods=["GET", "POST"]),
        ]

    async def _authorize(self, request: Request) -> Response:
        asked, settings = request.query_params, self._platform.settings
        redirect, state = asked.get("redirect_uri", ""), asked.get("state", "")
        if asked.get("client_id") != settings.client_id or not redirect or asked.get("response_type") != "code":
            return PlainTextResponse("bad_client_id, redirect_uri or response_type", 400)
        if "openid" not in asked.get("scope", "").split():
            return sent_back(redirect, error="invalid_scope", state=state)
        if not self.person:
            return sent_back(redirect, error="access_denied", state=state)
        return sent_back(
            redirect, code=self._codes.give(Code(self.person, redirect, asked.get("nonce", ""), "")), state=state
        )

    async def _token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        settings = self._platform.settings
        if (form.get("client_id"), form.get("client_secret")) != (settings.client_id, settings.client_secret):
            return JSONResponse({"ok": False, "error": "bad_client_secret"})
        code = self._codes.take(form.get("code", ""), form.get("redirect_uri", ""), "")
        if code is None:
            return JSONResponse({"ok": False, "error": "invalid_code"})
        user = self._platform.world.users[code.subject]
        token = self.signer.sign(user.id, code.nonce, claims_of(user))
        access = f"xoxp-{self._platform.mint.secret()}"
        self._access[access] = user.id
        return JSONResponse({"ok": True, "access_token": access, "token_type": "Bearer", "id_token": token})

    async def _user_info(self, request: Request) -> Response:
        user = self._access.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        if user is None:
            return JSONResponse({"ok": False, "error": "invalid_auth"})
        return JSONResponse({"ok": True, "sub": user, **claims_of(self._platform.world.users[user])})

    async def _keys(self, _: Request) -> Response:
        return JSONResponse(self.signer.document())


def claims_of(user: User) -> dict[str, Any]:
    """What Slack claims of somebody, with a name that anybody could have given themselves."""
    return {_USER: user.id, _TEAM: user.team_id, "name": user.real_name}
