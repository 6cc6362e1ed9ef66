"""The OpenAPI 3.1 document: paths and parameters as the routes declare them, bodies and answers from one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, get_args

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from bot.web import acting, changing, schemas
from bot.web.errors import KINDS, MEDIA_TYPE
from bot.web.stream import STREAM
from core import errors
from core.asking import ASKS
from core.errors import SaysoError
from core.kinds import EXAMPLES

ALWAYS: tuple[type[SaysoError], ...] = (errors.Unauthorized, errors.RateLimited)
BODY: tuple[type[SaysoError], ...] = (errors.Invalid, errors.TooLarge)
SETTLED: tuple[type[SaysoError], ...] = (
    errors.AlreadySettled,
    errors.Expired,
    errors.Withdrawn,
    errors.Superseded,
    errors.StaleRevision,
)
ANSWERING = (*BODY, errors.NotFound, errors.NotAnAnswerer, errors.Forbidden, *SETTLED, errors.Raced)
CHANGING = (*BODY, errors.NotFound, errors.Forbidden, *SETTLED, errors.Raced)

DESCRIPTION = """Ask people in Slack and Telegram, and hear exactly one authorised answer, with a receipt.

Ask with `POST /v1/interactions`, then wait with `GET /v1/interactions/{id}?wait=60`, follow `GET /v1/events`, or name
a webhook when asking. Send the API key as `Authorization: Bearer sk_…`."""


@dataclass(frozen=True)
class Operation:
    """What one operation takes and gives, with `status` or in other words with one of `also`. Without `body` it takes
    none; a body that may be left out is not `needed`."""

    answer: type[BaseModel]
    problems: tuple[type[SaysoError], ...]
    body: tuple[type[BaseModel], ...] = ()
    needed: bool = True
    status: int = 200
    also: Mapping[int, str] = field(default_factory=dict)
    examples: Mapping[str, Any] = field(default_factory=dict)


_BY_KIND = {
    "propertyName": "kind",
    "mapping": {
        kind.value: f"#/components/schemas/{model.__name__}"
        for model in ASKS
        for kind in get_args(model.model_fields["kind"].annotation)
    },
}


def _one(value: Mapping[str, Any]) -> dict[str, Any]:
    return _for(example=value)


def _for(**values: Mapping[str, Any]) -> dict[str, Any]:
    """An example for each case."""
    return {name: {"value": dict(value)} for name, value in values.items()}


OPERATIONS: Mapping[str, Operation] = {
    "ask": Operation(
        schemas.InteractionView,
        (*BODY, errors.IdempotencyConflict, errors.NotFound, *SETTLED[:-1], errors.Raced),
        ASKS,
        status=201,
        also={200: "This connection was asked for before and is still open: how it stands, and nobody is asked anew."},
        examples={kind.value: {"value": {**example, "to": "slack:C0123"}} for kind, example in EXAMPLES.items()},
    ),
    "list_interactions": Operation(schemas.InteractionPage, (errors.Invalid,)),
    "get_interaction": Operation(schemas.InteractionView, (errors.Invalid, errors.NotFound)),
    "respond": Operation(
        schemas.InteractionView,
        ANSWERING,
        (acting.RespondBody,),
        examples=_one({"answers": {"ship": {"value": "yes"}}, "revision": 1}),
    ),
    "accept": Operation(
        schemas.InteractionView,
        ANSWERING,
        (acting.AcceptBody,),
        examples=_for(
            confirmation={"revision": 1},
            checklist={"revision": 1, "selected": ["notes", "canary"]},
            suggested_tasks={
                "revision": 1,
                "selected": ["alerts", "runbook"],
                "edits": {"runbook": {"title": "Write the runbook for queues", "assignee": "ben"}},
            },
        ),
    ),
    "reject": Operation(
        schemas.InteractionView,
        ANSWERING,
        (acting.RejectBody,),
        examples=_one({"revision": 1, "reason": "Not before Monday"}),
    ),
    "tick": Operation(
        schemas.InteractionView,
        ANSWERING,
        (acting.TicksBody,),
        examples=_one({"revision": 1, "tick": ["canary"], "untick": ["notes"]}),
    ),
    "judge": Operation(
        schemas.JudgedView,
        ANSWERING,
        (acting.VerdictsBody,),
        examples=_one(
            {
                "revision": 1,
                "verdicts": [
                    {"item": "pydantic", "verdict": "approve"},
                    {"item": "sqlalchemy", "verdict": "reject", "reason": "Not in a release week"},
                ],
            }
        ),
    ),
    "withdraw": Operation(
        schemas.InteractionView,
        CHANGING,
        (changing.WithdrawBody,),
        needed=False,
        examples=_one({"reason": "Found the answer elsewhere"}),
    ),
    "patch": Operation(
        schemas.InteractionView,
        CHANGING,
        (changing.PatchBody,),
        examples=_one({"revision": 1, "body": "The canary has been **clean** for three hours."}),
    ),
    "reply": Operation(
        schemas.InteractionView,
        (*BODY, errors.NotFound, errors.Forbidden, errors.Raced),
        (changing.ReplyBody,),
        examples=_one({"text": "Release 4.2 is live."}),
    ),
    "connected": Operation(
        schemas.InteractionView, CHANGING, (changing.ConnectedBody,), examples=_one({"state": "4xLq0b6mQ1aZ"})
    ),
    "resolve_from_comment": Operation(
        schemas.InteractionView,
        (*ANSWERING, errors.IdentityUndetermined),
        (changing.ResolveBody,),
        examples=_one(
            {
                "revision": 1,
                "message": "slack:T1.C0123/1712000000.000100",
                "decision": "reject",
                "reason": "Wait for Monday",
            }
        ),
    ),
    **{
        name: Operation(schemas.Problem, (errors.NotFound, errors.Forbidden), status=403)
        for name in ("cancel", "skip", "dismiss", "reopen")
    },
    "list_receipts": Operation(schemas.ReceiptPage, (errors.Invalid, errors.NotFound)),
    "list_tasks": Operation(schemas.TaskPage, (errors.Invalid,)),
    "list_events": Operation(schemas.EventPage, (errors.Invalid,)),
}


def build_openapi(app: FastAPI, base_url: str) -> dict[str, Any]:
    """The document for the routes of `app`, found at `base_url`."""
    document = get_openapi(
        title="sayso",
        version=version("sayso"),
        openapi_version="3.1.0",
        description=DESCRIPTION,
        routes=app.routes,
        servers=[{"url": base_url}],
    )
    models: dict[str, type[BaseModel]] = {"Problem": schemas.Problem}
    for operation in OPERATIONS.values():
        models |= {model.__name__: model for model in (operation.answer, *operation.body)}
    given = {model for operation in OPERATIONS.values() for model in operation.body}
    references, definitions = models_json_schema(
        [(model, "validation" if model in given else "serialization") for model in models.values()],
        ref_template="#/components/schemas/{model}",
    )
    refs = {model: reference for (model, _), reference in references.items()}
    for path in document["paths"].values():
        for described in path.values():
            _complete(described, OPERATIONS[described["operationId"]], refs)
    own = document.get("components", {}).get("schemas", {})
    kept = {name: schema for name, schema in own.items() if "ValidationError" not in name}
    document["components"] = {
        "schemas": {**kept, **definitions["$defs"]},
        "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "An API key, `sk_…`."}},
    }
    document["security"] = [{"key": []}]
    return document


def _complete(described: dict[str, Any], operation: Operation, refs: Mapping[Any, Any]) -> None:
    summary, _, rest = " ".join(described["description"].split()).partition(". ")
    described |= {"summary": summary.rstrip(".") + ".", "description": rest}
    if operation.body:
        shapes = [refs[model] for model in operation.body]
        schema = shapes[0] if len(shapes) == 1 else {"oneOf": shapes, "discriminator": _BY_KIND}
        content: dict[str, Any] = {"schema": schema}
        if operation.examples:
            content["examples"] = dict(operation.examples)
        described["requestBody"] = {"required": operation.needed, "content": {"application/json": content}}
    responses = _problems(operation, refs[schemas.Problem])
    if operation.answer is not schemas.Problem:
        success = _success(described["operationId"], operation, refs)
        responses[str(operation.status)] = success
        responses |= {str(status): {**success, "description": words} for status, words in operation.also.items()}
    described["responses"] = dict(sorted(responses.items()))


def _success(name: str, operation: Operation, refs: Mapping[Any, Any]) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": refs[operation.answer]}}
    success: dict[str, Any] = {"description": _first_line(operation.answer), "content": content}
    if name == "list_events":
        words = "`id:` is the event's, `data:` the event as in the list; a comment now and then keeps it open."
        content[STREAM] = {"schema": {"type": "string", "description": words}}
    if name == "ask":
        replayed = "`true` when nobody was asked anew: this key and body, or this connection, was asked before."
        success["headers"] = {"Idempotent-Replayed": {"description": replayed, "schema": {"type": "string"}}}
    return success


def _first_line(model: type[BaseModel]) -> str:
    return (model.__doc__ or "").split("\n", 1)[0]


def _problems(operation: Operation, reference: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """One response for each status, which says what its slugs mean."""
    by_status: dict[int, list[str]] = {}
    for error in (*ALWAYS, *operation.problems):
        kind = KINDS[error]
        statuses = (kind.status, 400) if error is errors.Invalid and operation.body else (kind.status,)
        for status in statuses:
            by_status.setdefault(status, []).append(f"`{kind.slug}`: {kind.meaning}")
    content = {MEDIA_TYPE: {"schema": reference}}
    return {str(status): {"description": " ".join(words), "content": content} for status, words in by_status.items()}
