"""`/v1/conversations` and `/v1/alerts`: where work is talked about, what is said there, and what all should hear."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response

from bot.web.bodies import parse, read_body
from bot.web.calls import After, Caller, Json, Limit, Services, bad_cursor, is_id, page
from bot.web.once import REPLAYED, OnceKey, once
from core.errors import NotFound
from core.loops.asking import AlertBody, AlertOrder, MessageBody
from core.use_cases.alerts import order_from_alert, raise_alert
from core.use_cases.saying import say

router = APIRouter()
MESSAGE = TypeAdapter(MessageBody)
ALERT = TypeAdapter(AlertBody)
ALERT_ORDER = TypeAdapter(AlertOrder)
NO_CONVERSATION = "There is no such conversation."


@router.get("/v1/conversations", operation_id="list_conversations")
async def conversations(services: Services, agent: Caller, limit: Limit = 50, after: After = None) -> Response:
    """List, newest first, the conversations that this key takes part in; an operator's key lists all."""
    if after is not None and not is_id("cnv", after):
        raise bad_cursor()
    found = await services.records.conversations(agent.workspace, agent, after=after, limit=limit + 1)
    return page([one.wire() for one in found], limit)


@router.post("/v1/conversations/{id}/messages", operation_id="say", status_code=201)
async def message(
    request: Request, services: Services, agent: Caller, id: str, idempotency_key: OnceKey = None
) -> Response:
    """Say something to everybody in a conversation. Its sentences count as if they were written there: `opened`,
    `moved` and `ran` are what they did, `refused` says what they could not do."""
    body = await read_body(request)
    given = parse(MESSAGE, body)
    said, replayed = await say(services.context, id, given.text, agent, once(idempotency_key, body, id))
    return Json(said, 201, REPLAYED if replayed else None)


@router.get("/v1/conversations/{id}/messages", operation_id="list_messages")
async def messages(services: Services, agent: Caller, id: str, limit: Limit = 50, after: After = None) -> Response:
    """List, newest first, what was said in a conversation since work is talked about there, and what the service wrote
    itself (`by` is null), for keys that take part in it."""
    if not is_id("cnv", id) or await services.records.conversation(agent.workspace, id, agent) is None:
        raise NotFound(NO_CONVERSATION)
    if after is not None and not is_id("msg", after):
        raise bad_cursor()
    found = await services.records.sayings(agent.workspace, id, after=after, limit=limit + 1)
    return page([one.wire() for one in found], limit)


@router.get("/v1/alerts", operation_id="list_alerts")
async def alerts(services: Services, agent: Caller, limit: Limit = 50, after: After = None) -> Response:
    """List, newest first, the alerts of the conversations that this key takes part in; an operator's key lists all."""
    if after is not None and not is_id("alr", after):
        raise bad_cursor()
    found = await services.records.alerts(agent.workspace, agent, after=after, limit=limit + 1)
    return page([one.wire() for one in found], limit)


@router.post("/v1/alerts", operation_id="alert", status_code=201)
async def alert(request: Request, services: Services, agent: Caller, idempotency_key: OnceKey = None) -> Response:
    """Tell everybody in a conversation that something happened; with `order`, a work order is opened from it at
    once."""
    body = await read_body(request)
    raised, replayed = await raise_alert(services.context, parse(ALERT, body), agent, once(idempotency_key, body))
    return Json(raised, 201, REPLAYED if replayed else None)


@router.post("/v1/alerts/{id}/order", operation_id="order_from_alert", status_code=201)
async def order(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Open the work order of an alert. It has one at most."""
    given = parse(ALERT_ORDER, await read_body(request, b"{}"))
    made = await order_from_alert(services.context, id, given, agent)
    return Json(made, 201, {"Location": f"/v1/loops/{made['id']}"})
