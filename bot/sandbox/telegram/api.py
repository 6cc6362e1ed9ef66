"""The Bot API over HTTP: who calls, what is called, what goes wrong on demand, and the answer."""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any, Final, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from blocks.telegram.refusal import Refusal
from bot.sandbox.serving import Connections, Receive, Scope, Send
from bot.sandbox.telegram.arguments import read_arguments
from bot.sandbox.telegram.faults import Failure, FaultKind
from bot.sandbox.telegram.journal import Call
from bot.sandbox.telegram.messages import Json
from bot.sandbox.telegram.methods import METHODS, Method
from bot.sandbox.telegram.parts import Parts
from bot.sandbox.telegram.refusals import (
    METHOD_NOT_FOUND,
    TOKEN_INVALID,
    UNAUTHORIZED,
    ApiError,
    too_many_requests,
)

T = TypeVar("T")

_PATH: Final = re.compile(r"/bot([^/]*)/([^/]+)/?")
_TOKEN: Final = re.compile(r"[1-9]\d*:[A-Za-z0-9_-]+")
_WEBHOOK_REPLIES_NEVER: Final = ("get", "setwebhook", "deletewebhook")


@dataclass(frozen=True, slots=True)
class Done:
    """A method ran and this is its result."""

    value: object


Outcome = Done | Refusal


class BotApi:
    """Answers `/bot<token>/<method>`, by GET or POST. Every answer says what time it is."""

    def __init__(self, parts: Parts, connections: Connections) -> None:
        self._parts = parts
        self._connections = connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one call, or hang up."""
        response = await self._respond(Request(scope, receive))
        if response is None:
            await self._connections.hang_up(scope, receive)
        else:
            response.headers["Date"] = formatdate(self._parts.clock.wall(), usegmt=True)
            await response(scope, receive, send)

    async def run_reply(self, reply: Json) -> None:
        """Do what the answer to a webhook delivery asks for; the bot never learns the result."""
        name = str(reply.get("method", "")).lower()
        method = METHODS.get(name)
        if method is None or name.startswith(_WEBHOOK_REPLIES_NEVER):
            return
        args = {key: value for key, value in reply.items() if key != "method"}
        outcome = await _outcome(method.run(self._parts, args))
        self._enter(method.name, args, outcome, status=None, fault="webhook reply")

    async def _respond(self, request: Request) -> Response | None:
        if self._parts.faults.away:
            return None
        found = self._find(request.url.path)
        if isinstance(found, Refusal):
            return _answer(found)
        try:
            args = await read_arguments(request)
        except ApiError as error:
            self._enter(found.name, {}, error.refusal, status=error.refusal.code)
            return _answer(error.refusal)
        failure = self._parts.faults.take(found.name, args.get("chat_id"))
        outcome = (failure and _instead(failure)) or await self._run(found, args, request)
        if outcome is None:
            return None
        response = await self._after(failure, outcome, request)
        self._enter(
            found.name,
            args,
            outcome,
            status=response.status_code if response else None,
            fault=failure.kind.value if failure else None,
        )
        return response

    def _find(self, path: str) -> Method | Refusal:
        match = _PATH.fullmatch(path)
        if match is None:
            return METHOD_NOT_FOUND
        token, name = match.groups()
        if not _TOKEN.fullmatch(token):
            return TOKEN_INVALID
        if not hmac.compare_digest(token, self._parts.settings.bot_token):
            return UNAUTHORIZED
        return METHODS.get(name.lower(), METHOD_NOT_FOUND)

    async def _run(self, method: Method, args: Json, request: Request) -> Outcome | None:
        """Run a method; None if the caller left while it waited for updates."""
        running = _outcome(method.run(self._parts, args))
        return await (_unless_left(request, running) if method.name == "getUpdates" else running)

    async def _after(self, failure: Failure | None, outcome: Outcome, request: Request) -> Response | None:
        """Return the response, or None where the connection closes instead."""
        match failure.kind if failure else None:
            case FaultKind.DROP_BEFORE | FaultKind.DROP_AFTER:
                return None
            case FaultKind.STATUS | FaultKind.STATUS_AFTER if failure:
                return _gateway_page(failure.status)
            case FaultKind.SLOW if failure:
                await _unless_left(request, self._parts.clock.sleep(failure.seconds))
        return _answer(outcome)

    def _enter(self, name: str, args: Json, outcome: Outcome, *, status: int | None, fault: str | None = None) -> None:
        refusal = outcome if isinstance(outcome, Refusal) else None
        clock, journal = self._parts.clock, self._parts.journal
        journal.calls.append(
            Call(
                number=journal.next(),
                at=clock.wall(),
                elapsed=clock.elapsed(),
                method=name,
                args=args,
                status=status,
                result=outcome.value if isinstance(outcome, Done) else None,
                description=refusal.description if refusal else None,
                done=isinstance(outcome, Done),
                fault=fault,
            )
        )
        self._parts.world.touch()


async def _outcome(running: Awaitable[object]) -> Outcome:
    try:
        return Done(await running)
    except ApiError as error:
        return error.refusal


async def _unless_left(request: Request, doing: Coroutine[Any, Any, T]) -> T | None:
    """Do something that takes a while; None if the caller hung up first, and then it is not finished."""
    running = asyncio.ensure_future(doing)
    leaving = asyncio.ensure_future(_left(request))
    await asyncio.wait({running, leaving}, return_when=asyncio.FIRST_COMPLETED)
    leaving.cancel()
    if running.done():
        return running.result()
    running.cancel()
    return None


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue


def _instead(failure: Failure) -> Refusal | None:
    """Return what stands in for the outcome where nothing is done, or None where the method runs."""
    match failure.kind:
        case FaultKind.RATE_LIMITED:
            return too_many_requests(int(failure.seconds))
        case FaultKind.ERROR:
            return Refusal(failure.status, failure.description, parameters=failure.parameters)
        case FaultKind.STATUS:
            return Refusal(failure.status, "a gateway answered instead")
        case FaultKind.DROP_BEFORE:
            return Refusal(0, "the connection was closed instead")
        case FaultKind.STATUS_AFTER | FaultKind.DROP_AFTER | FaultKind.SLOW:
            return None


def _answer(outcome: Outcome) -> Response:
    if isinstance(outcome, Done):
        return JSONResponse({"ok": True, "result": outcome.value})
    body: Json = {"ok": False, "error_code": outcome.code, "description": outcome.description}
    if outcome.parameters:
        body["parameters"] = dict(outcome.parameters)
    seconds = outcome.parameters.get("retry_after")
    headers = {"Retry-After": str(seconds)} if seconds is not None else None
    return JSONResponse(body, status_code=outcome.code, headers=headers)


def _gateway_page(status: int) -> Response:
    return HTMLResponse(f"<html><head><title>{status}</title></head><body>nginx</body></html>", status_code=status)
