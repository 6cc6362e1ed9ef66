"""The parameters of a call, whichever of the ways it came: query, form, multipart or JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from starlette.datastructures import UploadFile
from starlette.requests import Request

from blocks.telegram.refusal import bad_request
from bot.sandbox.telegram.messages import Json
from bot.sandbox.telegram.refusals import MARKUP_UNREADABLE, ApiError

INTEGERS: Final = frozenset(
    {
        "message_id",
        "message_thread_id",
        "reply_to_message_id",
        "user_id",
        "offset",
        "limit",
        "timeout",
        "max_connections",
        "cache_time",
    }
)
FLAGS: Final = frozenset(
    {
        "show_alert",
        "disable_notification",
        "protect_content",
        "allow_sending_without_reply",
        "drop_pending_updates",
    }
)
# Sent as JSON text in forms, as themselves in JSON bodies.
STRUCTURES: Final = frozenset(
    {
        "reply_markup",
        "reply_parameters",
        "entities",
        "link_preview_options",
        "allowed_updates",
        "message_ids",
        "commands",
        "scope",
    }
)


async def read_arguments(request: Request) -> Json:
    """Return the parameters by name, each as the type it stands for; raise `ApiError` for what cannot be
    read.

    A parameter that is not a number where one belongs is left out, as the server does.
    """
    found: Json = {}
    for name, value in [*request.query_params.items(), *[pair async for pair in _body(request)]]:
        read = _read(name, value)
        if read is not None:
            found[name] = read
    return found


async def _body(request: Request) -> AsyncIterator[tuple[str, Any]]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        try:
            given = json.loads(await request.body() or b"{}")
        except ValueError as error:
            raise ApiError(bad_request("can't parse JSON")) from error
        if not isinstance(given, dict):
            raise ApiError(bad_request("can't parse JSON"))
        for pair in given.items():
            yield pair
    elif kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
        async with request.form() as form:
            for name, value in form.multi_items():
                if not isinstance(value, UploadFile):
                    yield name, value


def _read(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name == "chat_id":
        return _integer(value) if _integer(value) is not None else str(value)
    if name in INTEGERS:
        return _integer(value)
    if name in FLAGS:
        return value if isinstance(value, bool) else str(value).lower() in ("true", "yes", "1")
    if name in STRUCTURES and isinstance(value, str):
        return _structure(name, value)
    return value if name in STRUCTURES else str(value)


def _integer(value: Any) -> int | None:
    text = str(value).strip()
    return int(text) if text.removeprefix("-").isdecimal() else None


def _structure(name: str, text: str) -> Any:
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError as error:
        unreadable = (
            MARKUP_UNREADABLE if name == "reply_markup" else bad_request(f"can't parse {name} JSON object", f"/{name}")
        )
        raise ApiError(unreadable) from error


def texts(values: object) -> Iterator[str]:
    """Yield the strings of an array, nothing for anything else."""
    if isinstance(values, list):
        yield from (value for value in values if isinstance(value, str))
