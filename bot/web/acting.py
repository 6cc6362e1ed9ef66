"""`/v1/interactions/{id}/…`: what an agent that the audience names does, as an answerer."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, TypeAdapter
from starlette.requests import Request
from starlette.responses import Response

from bot.web.bodies import parse, read_body
from bot.web.calls import ApiServices, Caller, Json, Services, visible
from core.acts import Accept, Judge, Reject, Respond, Tick
from core.discretion import as_read_by
from core.errors import Refused
from core.kinds.answers import Answer
from core.kinds.item_verdicts import Given
from core.kinds.suggested_tasks import Edit
from core.people import Agent, Value, Via
from core.use_cases.answer import MOST_TASKS, Answering, Done, answer

router = APIRouter()

Revision = Annotated[int, Field(ge=1, description="The revision that was seen.")]
LONGEST_WORDS = 20_000
"""Characters a reason or reply may have before its own rule is asked: keeps receipts small whatever the card says."""
Words = Annotated[str, Field(max_length=LONGEST_WORDS)]
MOST_ITEMS = 200
"""As many as one card can have."""
ItemId = Annotated[str, Field(max_length=160)]
Items = Annotated[tuple[ItemId, ...], Field(max_length=MOST_ITEMS)]


class RespondBody(Value):
    """Answers by question id."""

    answers: dict[str, Answer]
    revision: Revision


class AcceptBody(Value):
    """Yes: to a confirmation, to a checklist as it is ticked, to chosen tasks.

    `selected` are the tasks to create, or exactly the items to have ticked; `edits` change chosen tasks, by key.
    """

    revision: Revision
    selected: Items | None = None
    edits: Annotated[dict[ItemId, Edit], Field(max_length=MOST_TASKS)] = Field(default_factory=dict)


class RejectBody(Value):
    """No, with a reason where the card takes one."""

    revision: Revision
    reason: Words | None = None


class TicksBody(Value):
    """Items to tick and to untick, by id."""

    revision: Revision
    tick: Items = ()
    untick: Items = ()


class VerdictBody(Value):
    """One verdict on one item, with a reason where that verdict takes one."""

    item: ItemId
    verdict: ItemId
    reason: Words | None = None


class VerdictsBody(Value):
    """Verdicts on one or more items."""

    revision: Revision
    verdicts: Annotated[tuple[VerdictBody, ...], Field(min_length=1, max_length=MOST_ITEMS)]


RESPOND = TypeAdapter(RespondBody)
ACCEPT = TypeAdapter(AcceptBody)
REJECT = TypeAdapter(RejectBody)
TICKS = TypeAdapter(TicksBody)
VERDICTS = TypeAdapter(VerdictsBody)


@router.post("/v1/interactions/{id}/respond", operation_id="respond")
async def respond(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Answer the questions, as an agent that the audience names."""
    given = parse(RESPOND, await read_body(request))
    done = await _act(services, agent, id, Respond(given.answers, given.revision))
    return Json(as_read_by(agent, done.snapshot))


@router.post("/v1/interactions/{id}/accept", operation_id="accept")
async def accept(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Say yes, as an agent that the audience names: confirm, complete a checklist, create the selected tasks. Of tasks
    all are created or none."""
    given = parse(ACCEPT, await read_body(request))
    done = await _act(services, agent, id, Accept(given.revision, given.selected, given.edits))
    return Json(as_read_by(agent, done.snapshot))


@router.post("/v1/interactions/{id}/reject", operation_id="reject")
async def reject(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Say no, as an agent that the audience names: to a confirmation, to all suggested tasks, to a connection."""
    given = parse(REJECT, await read_body(request))
    done = await _act(services, agent, id, Reject(given.revision, given.reason))
    return Json(as_read_by(agent, done.snapshot))


@router.post("/v1/interactions/{id}/ticks", operation_id="tick")
async def tick(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Tick and untick items of a checklist, as an agent that the audience names. It stays open until it is accepted;
    what is ticked already stays whose it is."""
    given = parse(TICKS, await read_body(request))
    done = await _act(services, agent, id, Tick(given.revision, given.tick, given.untick))
    return Json(as_read_by(agent, done.snapshot))


@router.post("/v1/interactions/{id}/verdicts", operation_id="judge")
async def judge(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Give verdicts to items, as an agent that the audience names. The first verdict of an item stands: `late` says
    which of yours came after one. When all of them did, that is a 409. The last verdict completes the card."""
    given = parse(VERDICTS, await read_body(request))
    verdicts = tuple(Given(one.item, one.verdict, one.reason) for one in given.verdicts)
    done = await _act(services, agent, id, Judge(given.revision, verdicts))
    late = [{"pointer": fault.pointer, "detail": fault.detail} for fault in done.late]
    return Json({**as_read_by(agent, done.snapshot), "late": late})


async def _act(services: ApiServices, agent: Agent, id: str, act: Answering) -> Done:
    try:
        return await answer(services.context, agent.workspace, id, act, agent, Via.API)
    except Refused:
        # Whoever is admitted may read it; to others it may not even be there.
        await visible(services, agent, id)
        raise
