"""`/v1/loops/{name}/…`: what an agent does about a work order, the same as the sentence in the conversation."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response

from bot.web.bodies import parse, read_body
from bot.web.calls import ApiServices, Caller, Json, Services
from bot.web.once import REPLAYED, OnceKey, once
from core.discretion import as_read_by
from core.loops.acts import Acknowledge, Claim, Decline, LoopAct, NoAction, Result
from core.loops.asking import AckBody, AgainBody, ClaimBody, ReasonBody, ResultBody
from core.people import Agent
from core.use_cases.loops import dispatch_again, move

router = APIRouter()
ACK = TypeAdapter(AckBody)
CLAIM = TypeAdapter(ClaimBody)
RESULT = TypeAdapter(ResultBody)
REASON = TypeAdapter(ReasonBody)
AGAIN = TypeAdapter(AgainBody)
NOTHING = b"{}"
"""What a body that was left out reads as."""


@router.post("/v1/loops/{name}/ack", operation_id="acknowledge")
async def acknowledge(request: Request, services: Services, agent: Caller, name: str) -> Response:
    """Say that it was seen. `[ACK name]` says the same in the conversation."""
    parse(ACK, await read_body(request, NOTHING))
    return await _move(services, agent, name, Acknowledge())


@router.post("/v1/loops/{name}/claim", operation_id="claim")
async def claim(request: Request, services: Services, agent: Caller, name: str) -> Response:
    """Take the work, or one slot of it, alone. Whoever comes second is told who has it. `[CLAIM name]` says the same
    in the conversation."""
    given = parse(CLAIM, await read_body(request, NOTHING))
    return await _move(services, agent, name, Claim(given.slot))


@router.post("/v1/loops/{name}/result", operation_id="deliver_result")
async def result(request: Request, services: Services, agent: Caller, name: str) -> Response:
    """Close it with what came of it. With slots it closes with the result of the last one. `[RESULT name] OK …` says
    the same in the conversation."""
    given = parse(RESULT, await read_body(request))
    return await _move(services, agent, name, Result(given.summary, given.status, given.slot))


@router.post("/v1/loops/{name}/decline", operation_id="decline")
async def decline(request: Request, services: Services, agent: Caller, name: str) -> Response:
    """Refuse it, with the reason. Its sender is told, and can order it again. `[DECLINE name] …` says the same in the
    conversation."""
    given = parse(REASON, await read_body(request))
    return await _move(services, agent, name, Decline(given.reason, given.slot))


@router.post("/v1/loops/{name}/no-action", operation_id="no_action")
async def no_action(request: Request, services: Services, agent: Caller, name: str) -> Response:
    """Close it because nothing needs to be done, with the reason. `[NO-ACTION name] …` says the same in the
    conversation."""
    given = parse(REASON, await read_body(request))
    return await _move(services, agent, name, NoAction(given.reason, given.slot))


@router.post("/v1/loops/{name}/dispatch", operation_id="dispatch_again", status_code=201)
async def dispatch(
    request: Request, services: Services, agent: Caller, name: str, idempotency_key: OnceKey = None
) -> Response:
    """Order it again, once, after it was declined, or while it is open and was escalated, which ends it without
    action. It is the same order under a new name, for the same recipient unless `to` names another."""
    body = await read_body(request, NOTHING)
    made = await dispatch_again(services.context, name, parse(AGAIN, body), agent, once(idempotency_key, body, name))
    headers = {"Location": f"/v1/loops/{made.snapshot['id']}", **(REPLAYED if made.replayed else {})}
    return Json(made.snapshot, 201, headers)


async def _move(services: ApiServices, agent: Agent, name: str, act: LoopAct) -> Response:
    """Do it; `receipt` is what stands for it, and the first one when this was done before."""
    moved = await move(services.context, agent.workspace, name, act, agent)
    return Json({**as_read_by(agent, moved.snapshot), "receipt": moved.receipt, "repeated": moved.repeated})
