"""`/openapi.json` and `/docs`: the reference as one page of plain HTML, made of the OpenAPI document alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from bot.web.openapi import build_openapi
from bot.web.security import HEADERS

router = APIRouter(include_in_schema=False)
TEMPLATES = Path(__file__).parent / "templates"
STYLE = Path(__file__).parent / "static" / "reference.css"
_REF = "#/components/schemas/"
_LIMITS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "pattern": "matches {}",
    "format": "{}",
}


@dataclass(frozen=True)
class Field:
    """One parameter or field. `type` is made of words and names of shapes: `(text, is_shape)`."""

    name: str
    where: str
    required: bool
    type: tuple[tuple[str, bool], ...]
    words: str


@dataclass(frozen=True)
class Operation:
    """One call."""

    id: str
    method: str
    path: str
    summary: str
    words: str
    parameters: tuple[Field, ...]
    body: tuple[tuple[str, bool], ...]
    examples: tuple[tuple[str, str], ...]
    answers: tuple[tuple[str, str, tuple[tuple[str, bool], ...]], ...]


@dataclass(frozen=True)
class Shape:
    """One object that is sent or answered."""

    name: str
    words: str
    fields: tuple[Field, ...]
    values: tuple[str, ...]


def operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    """Every call of a document, in its order."""
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            content = described.get("requestBody", {}).get("content", {}).get("application/json", {})
            yield Operation(
                id=described["operationId"],
                method=method.upper(),
                path=path,
                summary=described["summary"],
                words=described.get("description", ""),
                parameters=tuple(
                    Field(one["name"], one["in"], one["required"], type_of(one["schema"]), one.get("description", ""))
                    for one in described.get("parameters", ())
                ),
                body=type_of(content["schema"]) if content else (),
                examples=tuple(
                    (name, json.dumps(one["value"], indent=2, ensure_ascii=False))
                    for name, one in content.get("examples", {}).items()
                ),
                answers=tuple(
                    (status, answer["description"], type_of(next(iter(answer["content"].values()))["schema"]))
                    for status, answer in described["responses"].items()
                ),
            )


def shapes(document: Mapping[str, Any]) -> Iterator[Shape]:
    """Every shape of a document, by name."""
    for name, schema in sorted(document["components"]["schemas"].items()):
        required = schema.get("required", ())
        fields = tuple(
            Field(own, "", own in required, type_of(inner), inner.get("description", ""))
            for own, inner in schema.get("properties", {}).items()
        )
        yield Shape(name, schema.get("description", ""), fields, tuple(map(str, schema.get("enum", ()))))


def type_of(schema: Mapping[str, Any]) -> tuple[tuple[str, bool], ...]:
    """A schema in words, with the names of shapes apart so that they can be links."""
    if "$ref" in schema:
        return ((schema["$ref"].removeprefix(_REF), True),)
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            parts = [type_of(one) for one in schema[choice]]
            joined = parts[0]
            for part in parts[1:]:
                joined = (*joined, (" or ", False), *part)
            return joined
    if "const" in schema:
        return ((json.dumps(schema["const"]), False),)
    if "enum" in schema:
        return ((" or ".join(json.dumps(value) for value in schema["enum"]), False),)
    limits = [text.format(schema[name]) for name, text in _LIMITS.items() if name in schema]
    after = (f" ({', '.join(limits)})", False) if limits else ("", False)
    match schema.get("type"):
        case "array":
            return (("list of ", False), *type_of(schema.get("items", {})), after)
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return (("object of ", False), *type_of(schema["additionalProperties"]), after)
        case None:
            return (("anything", False),)
        case known:
            return (({"string": "text", "integer": "whole number"}.get(known, known), False), after)


def render(document: Mapping[str, Any]) -> str:
    """The page."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("reference.html").render(
        info=document["info"],
        server=document["servers"][0]["url"],
        operations=tuple(operations(document)),
        shapes=tuple(shapes(document)),
    )


class Reference:
    """The document and the page of one application, made when somebody first asks for them."""

    def __init__(self, app: FastAPI, base_url: str) -> None:
        self._app = app
        self._base_url = base_url

    @cached_property
    def document(self) -> dict[str, Any]:
        """The OpenAPI document."""
        return build_openapi(self._app, self._base_url)

    @cached_property
    def page(self) -> str:
        """The reference as HTML."""
        return render(self.document)


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The OpenAPI document."""
    return JSONResponse(request.app.state.reference.document)


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The reference."""
    return HTMLResponse(request.app.state.reference.page, headers=dict(HEADERS))


@router.get("/docs/reference.css")
async def style() -> Response:
    """The reference's style."""
    return Response(STYLE.read_bytes(), media_type="text/css", headers={"X-Content-Type-Options": "nosniff"})
