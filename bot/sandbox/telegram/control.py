"""The people and the platform by HTTP: every act of `Scene`, `Human` and `Wire`, faults, time, and what
happened.

`POST /_control/<act>` with the act's arguments as a JSON object; the answer is what the act returns. 409
with `error` when nobody could do that, 422 when arguments are wrong. `GET /_control/journal?since=N&wait=S`
lists calls and deliveries, `GET /_control/messages?chat_id=N` a chat, `GET /_control/status` the rest. Only
JSON is accepted, so that no page of another origin can post here.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError, validate_call
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.sandbox.telegram.impossible import Impossible
from bot.sandbox.telegram.parts import Parts

ANY_VALUE: TypeAdapter[Any] = TypeAdapter(Any)

SCENE: Final = (
    "create_user",
    "deactivate",
    "create_group",
    "set_status",
    "create_topic",
    "set_topic",
    "migrate",
    "delete_group",
)
HUMAN: Final = (
    "start",
    "start_in_group",
    "block",
    "unblock",
    "write",
    "edit",
    "delete",
    "prompt",
    "dismiss_prompt",
    "answer_prompt",
    "press",
    "answered",
)
SAYING_WHO: Final = ("open_app",)
WIRE: Final = ("deliver", "redeliver", "forge")
FAULTS: Final = ("plan", "clear", "go_away")
CLOCK: Final = ("advance",)
LONGEST_WAIT: Final = 60.0

Operation = Callable[..., Any]


def operations_of(actor: object, names: tuple[str, ...]) -> Mapping[str, Operation]:
    """Return the named methods of `actor`, checking their arguments against their annotations."""
    return {name: functools.partial(_checked(getattr(type(actor), name)), actor) for name in names}


@functools.cache
def _checked(method: Operation) -> Operation:
    """A method that checks its arguments: building that takes longer than all else of a stand-in."""
    return validate_call(method)


def control_routes(parts: Parts, operations: Mapping[str, Operation]) -> list[Route]:
    """Return the routes under `/_control`."""
    control = _Control(parts, operations)
    return [
        Route("/_control/journal", control.journal, methods=["GET"]),
        Route("/_control/messages", control.messages, methods=["GET"]),
        Route("/_control/status", control.status, methods=["GET"]),
        Route("/_control/{act}", control.act, methods=["POST"]),
    ]


class _Control:
    def __init__(self, parts: Parts, operations: Mapping[str, Operation]) -> None:
        self._parts = parts
        self._operations = operations

    async def act(self, request: Request) -> Response:
        operation = self._operations.get(request.path_params["act"])
        if operation is None:
            return _problem(404, f"acts are {', '.join(sorted(self._operations))}")
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _problem(415, "send the arguments as application/json")
        try:
            arguments = json.loads(await request.body() or b"{}")
            if not isinstance(arguments, dict):
                return _problem(422, "the arguments are a JSON object")
            result = operation(**arguments)
            if inspect.isawaitable(result):
                result = await result
        except ValidationError as error:
            return _problem(422, "; ".join(f"{_place(e)}: {e['msg']}" for e in error.errors(include_url=False)))
        except ValueError:
            return _problem(422, "the body is no JSON")
        except Impossible as error:
            return _problem(409, str(error))
        self._parts.world.touch()
        return _json(result)

    async def journal(self, request: Request) -> Response:
        since = int(request.query_params.get("since", "0"))
        wait = min(float(request.query_params.get("wait", "0")), LONGEST_WAIT)
        journal = self._parts.journal
        if wait > 0:
            await _or_late(self._parts, lambda: any(True for _ in journal.since(since)), wait)
        deliveries = [delivery for delivery in journal.deliveries if delivery.number > since]
        return _json({"calls": list(journal.since(since)), "deliveries": deliveries})

    async def messages(self, request: Request) -> Response:
        return _json(self._parts.world.history(int(request.query_params["chat_id"])))

    async def status(self, _request: Request) -> Response:
        parts = self._parts
        return _json(
            {
                "bot": parts.world.bot,
                "users": list(parts.world.users.values()),
                "privates": list(parts.world.privates.values()),
                "groups": list(parts.world.groups.values()),
                "topics": list(parts.world.topics.values()),
                "pending_updates": len(parts.queue),
                "polled": parts.polling.waiting,
                "webhook": parts.webhook.hook.url if parts.webhook.hook else None,
            }
        )


async def _or_late(parts: Parts, found: Callable[[], object], seconds: float) -> None:
    try:
        await parts.world.until(found, seconds)
    except TimeoutError:
        return


def _json(value: object) -> Response:
    return JSONResponse(ANY_VALUE.dump_python(value, mode="json"))


def _place(error: Any) -> str:
    return ".".join(str(part) for part in error["loc"])


def _problem(status: int, error: str) -> Response:
    return JSONResponse({"error": error}, status_code=status)
