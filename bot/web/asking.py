"""`/v1/interactions`: ask, list, read, wait."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from bot.web.bodies import parse, read_body
from bot.web.calls import After, ApiServices, Caller, Json, Limit, Services, bad_cursor, is_id, page, shown, visible
from bot.web.once import REPLAYED, OnceKey, once
from core.asking import ASK
from core.kinds import Kind
from core.people import Agent
from core.reading import Whole
from core.records import Status
from core.use_cases.ask import ask
from core.use_cases.held import held_reminders

router = APIRouter()
UNIONS = ((), ("payload", "questions", "*"))
"""Where a request to ask chooses its shape by `kind` or `type`."""
LONGEST_WAIT = 60.0
LOOK_SECONDS = 5.0
"""How often a wait looks whether its client is still there."""
NO_LONGER_THERE = 499
"""For the log alone: the client went away, so nobody reads this."""


@router.post("/v1/interactions", operation_id="ask", status_code=201)
async def create(request: Request, services: Services, agent: Caller, idempotency_key: OnceKey = None) -> Response:
    """Ask people. Asked for a connection that this key has asked for and that is still open, it answers 200 with that
    card, and nobody is asked anew."""
    body = await read_body(request)
    asked = await ask(services.context, parse(ASK, body, UNIONS), agent, once(idempotency_key, body))
    headers = {"Location": f"/v1/interactions/{asked.snapshot['id']}"}
    if asked.replayed:
        headers |= REPLAYED
    return Json(asked.snapshot, 200 if asked.pending else 201, headers)


@router.get("/v1/interactions", operation_id="list_interactions")
async def list_(
    services: Services,
    agent: Caller,
    limit: Limit = 50,
    after: After = None,
    status: Annotated[list[Status] | None, Query(description="Only these.")] = None,
    kind: Annotated[list[Kind] | None, Query(description="Only these.")] = None,
) -> Response:
    """List, newest first, what this key asked or is named in; an operator's key lists the whole workspace."""
    if after is not None and not is_id("int", after):
        raise bad_cursor()
    found = await services.records.interactions(
        agent.workspace, agent, after=after, limit=limit + 1, statuses=status or (), kinds=kind or ()
    )
    now = services.context.clock.now()
    held = await held_reminders(services.records, agent.workspace, [whole.interaction for whole in found], now)
    return page([shown(services, agent, whole, held.get(whole.interaction.id, ())) for whole in found], limit)


@router.get("/v1/interactions/{id}", operation_id="get_interaction")
async def get(
    request: Request,
    services: Services,
    agent: Caller,
    id: str,
    wait: Annotated[
        float | None,
        Query(ge=0, allow_inf_nan=False, description="Seconds to wait for it to settle; 60 count as the most."),
    ] = None,
) -> Response:
    """Read one interaction; with `wait`, as soon as it settles, or as it stands when the time is over.

    A client that goes away cancels nothing.
    """
    if not wait:
        return Json(await _whole(services, agent, await visible(services, agent, id)))
    found = await _settled(request, services, agent, id, min(wait, LONGEST_WAIT))
    return Json(found) if found is not None else Response(status_code=NO_LONGER_THERE)


async def _whole(services: ApiServices, agent: Agent, whole: Whole) -> dict[str, Any]:
    """One interaction as the API shows it now."""
    asked, now = whole.interaction, services.context.clock.now()
    held = await held_reminders(services.records, asked.workspace, [asked], now)
    return shown(services, agent, whole, held.get(asked.id, ()))


async def _settled(
    request: Request, services: ApiServices, agent: Agent, id: str, seconds: float
) -> dict[str, Any] | None:
    """The interaction once it settled, or as it stands after `seconds`; None when the client went away."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    with services.waiter.listening(agent.workspace, id) as bell:
        while True:
            whole = await visible(services, agent, id)
            left = deadline - loop.time()
            if not whole.interaction.is_pending or left <= 0 or services.waiter.closing:
                return await _whole(services, agent, whole)
            if await request.is_disconnected():
                return None
            await bell.heard(min(left, LOOK_SECONDS))
