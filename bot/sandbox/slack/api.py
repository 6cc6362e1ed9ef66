"""The Web API's front: who calls, may they, how often, does it fail on purpose; then the method."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from email.utils import formatdate
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from bot.sandbox.serving import Connections
from bot.sandbox.slack.cut import Cut
from bot.sandbox.slack.faults import Failure, FaultKind
from bot.sandbox.slack.journal import Call as JournalCall
from bot.sandbox.slack.methods import METHODS, UNLISTED
from bot.sandbox.slack.methods.call import Call, Method, TokenKind
from bot.sandbox.slack.pace import Tier
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.refusal import Refused
from bot.sandbox.slack.world import Installation, Json

# Arguments that forms carry as JSON text.
STRUCTURED: Final = frozenset({"attachments", "blocks", "message", "metadata", "view"})
NOT_DONE: Final = frozenset({FaultKind.RATE_LIMITED, FaultKind.STATUS, FaultKind.ERROR})


class Api:
    """Answers `/api/<method>`."""

    def __init__(self, platform: Platform, connections: Connections) -> None:
        self._platform = platform
        self._connections = connections

    async def answer(self, request: Request) -> Response:
        """Answer one call, or do not, when a failure says so. Every answer says what time it is."""
        response = await self._answer(request)
        response.headers["Date"] = formatdate(self._platform.clock.wall(), usegmt=True)
        return response

    async def _answer(self, request: Request) -> Response:
        name = request.path_params["method"]
        platform = self._platform
        if platform.faults.is_away:
            self._note(name, {}, None, {}, "away")
            return Cut(self._connections)
        try:
            args, token = await read_arguments(request)
        except Refused as refused:
            return self._refused(name, {}, refused)
        failure = platform.faults.take(name)
        if failure is not None and failure.kind is FaultKind.DROP_BEFORE:
            self._note(name, args, None, {}, failure.kind)
            return Cut(self._connections)
        if failure is not None and failure.kind in NOT_DONE:
            return self._failed(name, args, failure)
        try:
            result, headers = self._run(name, args, token)
        except Refused as refused:
            return self._refused(name, args, refused)
        if failure is not None and failure.kind is FaultKind.DROP_AFTER:
            self._note(name, args, None, result, failure.kind)
            return Cut(self._connections)
        self._note(name, args, 200, result, failure.kind if failure else None)
        if failure is not None:
            await platform.clock.sleep(failure.seconds)
        return JSONResponse(result, headers=headers)

    def _run(self, name: str, args: Json, token: str) -> tuple[Json, dict[str, str]]:
        platform = self._platform
        method = METHODS.get(name)
        if method is None:
            raise Refused("unknown_method", req_method=name)
        app = self._caller(method, token)
        tier = Tier.UNLISTED if platform.settings.distributed and name in UNLISTED else method.tier
        wait = platform.pace.spend(app.team_id if app else "", name, tier)
        if wait is not None:
            raise Refused("ratelimited", status=429, headers={"Retry-After": str(wait)})
        headers = {}
        if app is not None:
            granted = ",".join(sorted(app.scopes))
            headers = {"X-OAuth-Scopes": granted, "X-Accepted-OAuth-Scopes": ",".join(method.scopes)}
            if method.scopes and not app.scopes & set(method.scopes):
                raise Refused("missing_scope", headers=headers, needed=",".join(method.scopes), provided=granted)
        elif method.token is TokenKind.APP:
            self._check_app_scopes(method)
        return {"ok": True, **method.run(Call(platform, args, app, token))}, headers

    def _caller(self, method: Method, token: str) -> Installation | None:
        if method.token is TokenKind.NONE:
            return None
        if not token:
            raise Refused("not_authed")
        app = self._platform.world.installations.get(token)
        kind = TokenKind.BOT if app is not None else self._kind(token)
        if app is not None and not app.active:
            raise Refused(app.ending)
        if app is not None and app.expires_at is not None and app.expires_at <= self._platform.clock.elapsed():
            raise Refused("token_expired")
        if method.token not in (TokenKind.ANY, kind):
            raise Refused("not_allowed_token_type")
        return app

    def _kind(self, token: str) -> TokenKind:
        settings = self._platform.settings
        if token in (settings.app_token, settings.other_app_token):
            return TokenKind.APP
        if token == settings.config_token:
            return TokenKind.CONFIG
        if token == settings.ended_config_token:
            raise Refused("token_expired")
        raise Refused("invalid_auth")

    def _check_app_scopes(self, method: Method) -> None:
        granted = self._platform.settings.app_scopes
        if not granted & set(method.scopes):
            raise Refused("missing_scope", needed=",".join(method.scopes), provided=",".join(sorted(granted)))

    def _refused(self, name: str, args: Mapping[str, Any], refused: Refused) -> JSONResponse:
        self._note(name, args, refused.status, refused.body, None)
        return JSONResponse(refused.body, status_code=refused.status, headers=refused.headers)

    def _failed(self, name: str, args: Mapping[str, Any], failure: Failure) -> Response:
        if failure.kind is FaultKind.ERROR:
            self._note(name, args, 200, {"ok": False, "error": failure.error}, failure.kind)
            return JSONResponse({"ok": False, "error": failure.error})
        if failure.kind is FaultKind.RATE_LIMITED:
            body = {"ok": False, "error": "ratelimited"}
            self._note(name, args, 429, body, failure.kind)
            return JSONResponse(body, status_code=429, headers={"Retry-After": f"{failure.seconds:g}"})
        self._note(name, args, failure.status, {}, failure.kind)
        return HTMLResponse("<html><body>Something broke.</body></html>", status_code=failure.status)

    def _note(self, name: str, args: Mapping[str, Any], status: int | None, result: Json, fault: str | None) -> None:
        journal, clock = self._platform.journal, self._platform.clock
        journal.calls.append(
            JournalCall(
                number=journal.number_call(),
                at=clock.wall(),
                elapsed=clock.elapsed(),
                method=name,
                args=args,
                status=status,
                result=result,
                fault=fault,
            )
        )


async def read_arguments(request: Request) -> tuple[Json, str]:
    """Return the arguments of a call, from query, form or JSON, and its token apart from them."""
    args: Json = _structured(dict(request.query_params))
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind == "application/json":
        try:
            body = json.loads(await request.body() or b"{}")
        except ValueError as error:
            raise Refused("invalid_json") from error
        if not isinstance(body, dict):
            raise Refused("json_not_object")
        args |= body
    elif kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
        async with request.form() as form:
            args |= _structured({name: value for name, value in form.items() if isinstance(value, str)})
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    token = str(args.pop("token", "") or "")
    if scheme.lower() == "bearer":
        token = credentials.strip()
    elif scheme.lower() == "basic":
        args |= _client(credentials)
    return args, token


def _structured(args: Mapping[str, str]) -> Json:
    found: Json = dict(args)
    for name in STRUCTURED & found.keys():
        try:
            found[name] = json.loads(found[name])
        except ValueError:
            continue  # left as text, which the method refuses in its own words
    return found


def _client(credentials: str) -> Json:
    try:
        client_id, _, secret = b64decode(credentials, validate=True).decode().partition(":")
    except ValueError as error:
        raise Refused("invalid_auth") from error
    return {"client_id": client_id, "client_secret": secret}
