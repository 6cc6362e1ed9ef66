"""`/v1/loops`: order work, list it, read it, and everything that was done about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response

from bot.web.bodies import parse, read_body
from bot.web.calls import After, ApiServices, Caller, Json, Limit, Services, bad_cursor, page
from bot.web.once import REPLAYED, OnceKey, once
from core.discretion import as_read_by
from core.errors import NotFound
from core.loops.asking import Order
from core.loops.keeping import Ordered
from core.loops.outcomes import LoopState
from core.loops.wording import unknown_words
from core.people import Agent
from core.use_cases.held_loops import held_loops
from core.use_cases.loop_recording import shown
from core.use_cases.loops import dispatch

router = APIRouter()
ORDER = TypeAdapter(Order)


async def readable(services: ApiServices, agent: Agent, name: str) -> Ordered:
    """A work order that this key may read. Raises `NotFound`."""
    found = await services.records.loop(agent.workspace, name, agent)
    if found is None:
        raise NotFound(unknown_words(name))
    return found


@router.post("/v1/loops", operation_id="order", status_code=201)
async def create(request: Request, services: Services, agent: Caller, idempotency_key: OnceKey = None) -> Response:
    """Order work of people or of an agent. Every step towards its end is an event and a receipt."""
    body = await read_body(request)
    made = await dispatch(services.context, parse(ORDER, body), agent, once(idempotency_key, body))
    headers = {"Location": f"/v1/loops/{made.snapshot['id']}", **(REPLAYED if made.replayed else {})}
    return Json(made.snapshot, 201, headers)


@router.get("/v1/loops", operation_id="list_loops")
async def list_(
    services: Services,
    agent: Caller,
    limit: Limit = 50,
    after: After = None,
    state: Annotated[list[LoopState] | None, Query(description="Only these.")] = None,
    recipient: Annotated[str | None, Query(max_length=200, description="Only those for it, as `to` shows it.")] = None,
    conversation: Annotated[str | None, Query(max_length=100, description="Only those of this conversation.")] = None,
    overdue: Annotated[bool | None, Query(description="Only those whose time is over, or only the others.")] = None,
) -> Response:
    """List, newest first, what this key ordered, is to do, or takes part in; an operator's key lists the whole
    workspace."""
    before = None
    if after is not None:
        begin = await services.records.loop(agent.workspace, after, agent)
        if begin is None:
            raise bad_cursor()
        before = begin.loop.id
    found = await services.records.loops(
        agent.workspace,
        agent,
        after=before,
        limit=limit + 1,
        states=state or (),
        recipient=recipient,
        conversation=conversation,
        overdue=overdue,
    )
    return page(await _shown(services, agent, found), limit)


@router.get("/v1/loops/{name}", operation_id="get_loop")
async def get(services: Services, agent: Caller, name: str) -> Response:
    """Read one work order."""
    found = await readable(services, agent, name)
    (body,) = await _shown(services, agent, [found])
    return Json(body)


async def _shown(services: ApiServices, agent: Agent, found: Sequence[Ordered]) -> list[dict[str, Any]]:
    """Work orders as this key may read them, with what waits of their reminders."""
    now = services.context.clock.now()
    async with services.context.work() as work:
        held = await held_loops(work, agent.workspace, [one.loop for one in found], now)
    bodies = []
    for one in found:
        body = as_read_by(agent, shown(services.context, one.loop, one.conversation))
        body["nudges"]["waiting"] = [waits.wire() for waits in held.get(one.loop.id, ())]
        bodies.append(body)
    return bodies


@router.get("/v1/loops/{name}/receipts", operation_id="list_loop_receipts")
async def receipts(services: Services, agent: Caller, name: str, limit: Limit = 100, after: After = None) -> Response:
    """Everything that happened to a work order, in order; each receipt carries the hash of the one before it."""
    await readable(services, agent, name)
    chain = await services.records.loop_receipts(agent.workspace, name)
    start = 0
    if after is not None:
        start = next((receipt.seq for receipt in chain if receipt.id == after), -1)
        if start < 0:
            raise bad_cursor()
    return page([receipt.wire() for receipt in chain[start : start + limit + 1]], limit)
