"""The OpenAPI 3.1 document: paths and parameters as the routes declare them, bodies and answers from a table."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, get_args

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from bot.web import schemas
from bot.web.errors import KINDS, MEDIA_TYPE
from bot.web.operations import ALWAYS, OPERATIONS, Operation
from bot.web.stream import STREAM
from core import errors
from core.asking import ASKS

DESCRIPTION = """Ask people in Slack and Telegram, and hear exactly one authorised answer, with a receipt.

Ask with `POST /v1/interactions`, then wait with `GET /v1/interactions/{id}?wait=60`, follow `GET /v1/events`, or name
a webhook when asking. Send the API key as `Authorization: Bearer sk_…`."""


_AGAIN = "`true` when nothing was done anew: this is the first answer to this key and body."
REPLAYABLE = {
    "ask": "`true` when nobody was asked anew: this key and body, or this connection, was asked before.",
    "order": _AGAIN,
    "say": _AGAIN,
    "alert": _AGAIN,
    "dispatch_again": _AGAIN,
}
"""The calls that take an Idempotency-Key, and what their header says."""
_BY_KIND = {
    "propertyName": "kind",
    "mapping": {
        kind.value: f"#/components/schemas/{model.__name__}"
        for model in ASKS
        for kind in get_args(model.model_fields["kind"].annotation)
    },
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
    if name in REPLAYABLE:
        replayed = REPLAYABLE[name]
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
