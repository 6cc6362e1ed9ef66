"""What every call of the API shares: the services behind it, who calls, and how an answer is spelled."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import JSONResponse

from bot.authority import Authority
from bot.wake import Waiter
from bot.web.keys import WRONG_KEY, OperatorKey, bearer_key, hash_key
from bot.web.quotas import Quotas
from bot.web.turnstile import Turnstile
from core.discretion import as_read_by
from core.errors import Invalid, NotFound, Unauthorized
from core.held import Held
from core.ids import id_bytes
from core.people import Agent
from core.ports import Context
from core.reading import Records, Whole
from core.snapshot import snapshot

NOTHING = "There is no such interaction."
WRONG_KEYS = 300
"""How many wrong keys one address may try in a minute; right ones are not held up by it."""


@dataclass(frozen=True)
class ApiServices:
    """What the API needs. `base_url` is where it is found, for the OpenAPI document; `authority` knows who people are
    now, for decisions that are theirs; `operator` is the key from the settings, if one is set. `strangers` counts wrong
    keys by the address they come from."""

    context: Context
    records: Records
    waiter: Waiter
    base_url: str
    authority: Authority
    operator: OperatorKey | None = None
    quotas: Quotas = field(default_factory=Quotas)
    strangers: Turnstile = field(default_factory=lambda: Turnstile(WRONG_KEYS, 60))


async def _services(request: Request) -> ApiServices:
    found: ApiServices = request.app.state.services
    return found


Services = Annotated[ApiServices, Depends(_services)]


async def _caller(request: Request, services: Services) -> Agent:
    key_hash = hash_key(bearer_key(request.headers.get("authorization")))
    if services.operator is not None and hmac.compare_digest(key_hash, services.operator.key_hash):
        agent: Agent | None = services.operator.agent
    else:
        agent = await services.records.agent_by_key(key_hash, services.context.clock.now())
    if agent is None:
        services.strangers.check(request.client.host if request.client else "")
        raise Unauthorized(WRONG_KEY)
    services.quotas.check(agent.id)
    return agent


Caller = Annotated[Agent, Depends(_caller)]

Limit = Annotated[int, Query(ge=1, le=100, description="How many at most.")]

_CURSOR = {"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"}
After = Annotated[str | None, Query(description="The `next` of the page before.", json_schema_extra=_CURSOR)]


async def visible(services: ApiServices, agent: Agent, id: str) -> Whole:
    """An interaction that this key may read. Raises `NotFound`."""
    whole = await services.records.interaction(agent.workspace, id, agent)
    if whole is None:
        raise NotFound(NOTHING)
    return whole


def shown(services: ApiServices, agent: Agent, whole: Whole, held: Sequence[Held]) -> dict[str, Any]:
    """An interaction as the API shows it to a key; `held` are its reminders that wait."""
    address = services.context.review_url(whole.interaction.id)
    return as_read_by(agent, snapshot(whole.interaction, whole.publications, address, held))


class Json(JSONResponse):
    """JSON that nobody may cache."""

    def __init__(self, content: Any, status_code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(content, status_code, {"Cache-Control": "no-store", **(headers or {})})

    def render(self, content: Any) -> bytes:
        """UTF-8, no NaN."""
        return spell(content)


def spell(value: Any) -> bytes:
    """JSON as it is sent. Half a surrogate pair, which a chat may have let through, has no UTF-8 and reads `?`."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def page(items: Sequence[dict[str, Any]], limit: int) -> Json:
    """A page of a list that was read with `limit + 1`: one more says that there is a next page."""
    shown_items = list(items[:limit])
    return Json({"items": shown_items, "next": shown_items[-1]["id"] if len(items) > limit else None})


def is_id(prefix: str, text: str) -> bool:
    """Whether a text can be an id with this prefix."""
    try:
        id_bytes(prefix, text)
    except Invalid:
        return False
    return True


def bad_cursor() -> Invalid:
    """The refusal of a cursor that is none."""
    return Invalid.at("/after", "not a place in this list; use the `next` or the `id` that you were given")
