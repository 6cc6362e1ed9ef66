"""Request bodies: at most 1 MB, JSON in one reading only, and every fault found at once.

JSON has corners where readers disagree (double keys, NaN, lone surrogates, numbers beyond 64 bits, bottomless
nesting). Two readers that disagree are two contents behind one digest, so those corners are refused.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request

from bot.web.faults import MOST, Unions, faults_of
from core.errors import Fault, Invalid, TooLarge
from core.kinds.base import pointer

LARGEST = 1_000_000
"""Bytes a body may have."""
DRAINED = 32 * LARGEST
"""How much of a larger one is read and thrown away, so that its sender hears the answer."""
DEEPEST = 64
_BEYOND = 2**63
_NO_TEXT = re.compile("[\0\ud800-\udfff]")

T = TypeVar("T")


class Unreadable(Invalid):
    """Not JSON at all (400, where a wrong shape is 422)."""


@dataclass(frozen=True)
class Body:
    """A body as it came, and as JSON."""

    raw: bytes
    document: Any


async def read_body(request: Request, empty: bytes = b"") -> Body:
    """Read a JSON body; one that was left out reads as `empty`. Raises `TooLarge`, `Unreadable` or `Invalid`."""
    raw = await _read(request) or empty
    return Body(raw, read_json(raw))


async def _read(request: Request) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= LARGEST:
            chunks.append(chunk)
        else:
            chunks.clear()
        if size > DRAINED:
            break
    if size > LARGEST:
        raise TooLarge(f"A request may have at most {LARGEST:,} bytes.")
    return b"".join(chunks)


def read_json(raw: bytes) -> Any:
    """Read JSON strictly. Raises `Unreadable` for what is none, `Invalid` for values that have no one reading."""
    if not raw.strip():
        raise Unreadable.at("", "send a JSON object as the body")
    try:
        document = json.loads(
            raw.decode("utf-8"), object_pairs_hook=_once_each, parse_constant=_no_constant, parse_float=_finite
        )
    except UnicodeDecodeError as error:
        raise Unreadable.at("", f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Unreadable.at("", f"not JSON: {error.msg} at line {error.lineno} column {error.colno}") from None
    except RecursionError:
        raise Unreadable.at("", f"nested deeper than {DEEPEST} levels") from None
    except ValueError as error:
        raise Unreadable.at("", f"not JSON: {error}") from None
    faults = list(islice(_faults_in(document), MOST))
    if faults:
        raise Invalid(faults)
    return document


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counted = Counter(key for key, _ in pairs)
        twice = next(key for key, times in counted.items() if times > 1)
        raise ValueError(f"the key {json.dumps(twice[:80])} appears twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:40]} is larger than any number can be here")
    return number


def _faults_in(document: Any) -> Iterator[Fault]:
    """What is JSON, yet has no one reading everywhere it will be read. Not recursive: nesting is what it limits."""
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), document)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, str):
            if not _is_text(value):
                yield Fault(pointer(*path), "this text holds a NUL or half a surrogate pair")
        elif isinstance(value, int):
            if not -_BEYOND <= value < _BEYOND:
                yield Fault(pointer(*path), "a whole number beyond 64 bits; write it as text")
        elif isinstance(value, dict | list):
            if len(path) >= DEEPEST:
                yield Fault(pointer(*path), f"nested deeper than {DEEPEST} levels")
                continue
            if isinstance(value, dict):
                if not all(map(_is_text, value)):
                    yield Fault(pointer(*path), "a key here holds a NUL or half a surrogate pair")
                    continue
                inner: list[tuple[str | int, Any]] = list(value.items())
            else:
                inner = list(enumerate(value))
            stack.extend(((*path, key), one) for key, one in reversed(inner))


def _is_text(value: str) -> bool:
    return _NO_TEXT.search(value) is None


def parse(adapter: TypeAdapter[T], body: Body, unions: Unions = ()) -> T:
    """Read a body as what `adapter` describes, strictly. Raises `Invalid` with every fault."""
    try:
        return adapter.validate_json(body.raw, strict=True)
    except ValidationError as error:
        raise Invalid(faults_of(error, body.document, unions)) from None


def parse_value(adapter: TypeAdapter[T], value: Any, at: str, unions: Unions = ()) -> T:
    """The same for a part of a body; `at` is the pointer of the part."""
    try:
        return adapter.validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        found = faults_of(error, value, unions)
        raise Invalid([Fault(at + fault.pointer, fault.detail) for fault in found]) from None
