"""From errors to RFC 9457 problems: one table, one shape, for whatever goes wrong on the way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match

from bot.web.bodies import Unreadable
from bot.web.faults import MOST
from core import errors
from core.canonical import rfc3339
from core.errors import Fault, SaysoError
from core.kinds.base import pointer

MEDIA_TYPE = "application/problem+json"
TYPES = "urn:sayso:problems/"
"""What `type` starts with; the slug after it is stable."""

_log = structlog.get_logger("sayso.web")


@dataclass(frozen=True)
class Kind:
    """One type of problem. `meaning` is for the reference; what happened stands in `detail`."""

    slug: str
    status: int
    title: str
    meaning: str


def _kind(slug: str, status: int, title: str, meaning: str) -> Kind:
    return Kind(slug, status, title, meaning)


INVALID = _kind(
    "invalid", 422, "The request is wrong", "`errors` points at each place. 400 when the body is no JSON at all."
)
NOT_FOUND = _kind("not-found", 404, "Not found", "There is no such thing, or it is not yours to know of.")
METHOD = _kind("method-not-allowed", 405, "Method not allowed", "This address takes other methods.")
BUSY = _kind("busy", 503, "Too much at once", "Nothing was changed; send the same request again.")
AWAY = _kind(
    "unavailable",
    503,
    "The database is away",
    "Send the same request again, under the same Idempotency-Key if it has one: what was done stays done, once.",
)
TOO_SLOW = _kind("request-timeout", 408, "Too slow", "The request did not arrive whole in time. Send it again.")
INTERNAL = _kind("internal", 500, "Something broke here", "It was noted. Nothing half done was kept.")

KINDS: Mapping[type[SaysoError], Kind] = {
    errors.Invalid: INVALID,
    Unreadable: _kind("invalid", 400, "The request cannot be read", "The body is no JSON."),
    errors.Forged: INVALID,
    errors.Unauthorized: _kind("unauthorized", 401, "No valid key", "Send a valid API key."),
    errors.Forbidden: _kind("forbidden", 403, "Not yours to do", "The key is known, but may not do this."),
    errors.NotAnAnswerer: _kind(
        "not-an-answerer", 403, "Not among those asked", "The audience does not admit who wanted to answer."
    ),
    errors.NotFound: NOT_FOUND,
    errors.AlreadySettled: _kind(
        "already-settled",
        409,
        "Already settled",
        "Someone or something decided first; `outcome` says who and what, `errors` where only items were decided.",
    ),
    errors.LoopEnded: _kind(
        "already-settled", 409, "Already settled", "The work order ended before; `outcome` says how and by whom."
    ),
    errors.LoopTaken: _kind(
        "already-claimed", 409, "Somebody has it", "The work, or its slot, is taken; `claimed` says by whom."
    ),
    errors.Expired: _kind("expired", 409, "The time is over", "It expired before; see `outcome`."),
    errors.Withdrawn: _kind("withdrawn", 409, "Taken back", "The asker took the question back; see `outcome`."),
    errors.Superseded: _kind("superseded", 409, "Replaced", "A newer question replaced it; see `outcome`."),
    errors.StaleRevision: _kind(
        "stale-revision", 409, "The content changed", "Read it again and act on its current `revision`."
    ),
    errors.TooLarge: _kind("too-large", 413, "Too large", "A request may have at most 1 MB."),
    errors.IdempotencyConflict: _kind(
        "idempotency-conflict", 422, "The key was used before", "With another body. Use a new Idempotency-Key."
    ),
    errors.RateLimited: _kind("rate-limited", 429, "Too often", "Wait for `Retry-After` seconds."),
    errors.IdentityUndetermined: _kind(
        "identity-undetermined", 503, "Could not be checked", "The chat could not say who this is; try again soon."
    ),
    errors.Raced: BUSY,
    errors.Away: AWAY,
}


def kind_of(error: SaysoError) -> Kind:
    """The row of the nearest class; what is not listed broke here."""
    return next((KINDS[base] for base in type(error).__mro__ if base in KINDS), INTERNAL)


def problem(error: SaysoError) -> Response:
    """The response for an error of ours."""
    kind = kind_of(error)
    detail = str(error)
    more: dict[str, Any] = {}
    match error:
        case errors.Invalid():
            detail = "; ".join(_sentence(fault) for fault in error.faults[:3]) or detail
            more["errors"] = [{"pointer": fault.pointer, "detail": fault.detail} for fault in error.faults[:MOST]]
        case errors.TooLarge():
            more["errors"] = [{"pointer": "", "detail": detail}]
        case errors.AlreadyJudged():
            more["outcome"] = None
            more["errors"] = [{"pointer": fault.pointer, "detail": fault.detail} for fault in error.late]
        case errors.Settled():
            more["outcome"] = error.outcome.wire() if error.outcome else None
            if error.outcome is not None:
                detail = f"{detail} {_who_and_when(error.outcome)}"
        case errors.LoopEnded():
            more["outcome"] = error.outcome.wire()
        case errors.LoopTaken():
            more["claimed"] = error.holder.wire()
        case _:
            pass
    if kind in (INTERNAL, BUSY, AWAY):
        detail = kind.meaning
    return answer_with(kind, detail, more, _headers(error))


def _headers(error: SaysoError) -> dict[str, str]:
    match error:
        case errors.RateLimited():
            return {"Retry-After": str(math.ceil(error.retry_after))}
        case errors.Raced() | errors.IdentityUndetermined():
            return {"Retry-After": "1"}
        case errors.Away():
            return {"Retry-After": "5"}
        case errors.Unauthorized():
            return {"WWW-Authenticate": "Bearer"}
        case _:
            return {}


def _who_and_when(outcome: Any) -> str:
    who = outcome.by.handle or outcome.by.type
    return f"It was {outcome.status.value} by {who} at {rfc3339(outcome.at)}, receipt {outcome.receipt}."


def _sentence(fault: Fault) -> str:
    return f"{fault.pointer}: {fault.detail}" if fault.pointer else fault.detail


def answer_with(
    kind: Kind, detail: str, more: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """A problem as a response."""
    body = {"type": TYPES + kind.slug, "title": kind.title, "status": kind.status, "detail": detail, **(more or {})}
    return JSONResponse(body, kind.status, dict(headers or {}), media_type=MEDIA_TYPE)


async def _on_ours(_: Request, error: Exception) -> Response:
    if not isinstance(error, SaysoError):
        raise error
    if kind_of(error) in (INTERNAL, AWAY):
        _log.error("a request failed", exc_info=error)
    return problem(error)


async def _on_parameters(_: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    faults = [Fault(pointer(*one["loc"][1:]), _plain(one["msg"])) for one in error.errors()]
    return problem(errors.Invalid(faults))


def _plain(message: str) -> str:
    words = message.removeprefix("Value error, ").replace("Input should be", "must be").replace("String should", "must")
    return words[:1].lower() + words[1:]


def _allowed(request: Request) -> str:
    """Every method that this address takes: a route by itself knows only its own."""
    methods = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
    scopes = [{**request.scope, "method": method} for method in methods]
    taken = [any(one.matches(scope)[0] is Match.FULL for one in request.app.routes) for scope in scopes]
    return ", ".join(method for method, takes in zip(methods, taken, strict=True) if takes)


async def _on_http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return answer_with(METHOD, METHOD.meaning, headers={"Allow": _allowed(request)})
    status = HTTPStatus(error.status_code)
    known = {404: NOT_FOUND}
    kind = known.get(status) or Kind(status.phrase.lower().replace(" ", "-"), status, status.phrase, status.description)
    detail = kind.meaning if error.detail == status.phrase else str(error.detail)
    return answer_with(kind, detail, headers=error.headers)


async def _on_hanging_up(_: Request, error: Exception) -> Response:
    """The client left in the middle of its request. Nobody reads this, and nothing broke here."""
    if not isinstance(error, ClientDisconnect):
        raise error
    return Response(status_code=400)


async def _on_anything(_: Request, error: Exception) -> Response:
    _log.error("a request failed", exc_info=error)
    return answer_with(INTERNAL, INTERNAL.meaning)


def install(app: FastAPI) -> None:
    """Answer every error of `app` with a problem."""
    app.add_exception_handler(SaysoError, _on_ours)
    app.add_exception_handler(RequestValidationError, _on_parameters)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(ClientDisconnect, _on_hanging_up)
    app.add_exception_handler(Exception, _on_anything)
