"""What is kept of interactions: their receipts, and the tasks that people accepted."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from bot.web.calls import After, Caller, Limit, Services, bad_cursor, is_id, page, visible
from core.errors import Invalid

router = APIRouter()


@router.get("/v1/interactions/{id}/receipts", operation_id="list_receipts")
async def receipts(services: Services, agent: Caller, id: str, limit: Limit = 100, after: After = None) -> Response:
    """Everything that happened to an interaction, in order; each receipt carries the hash of the one before it."""
    await visible(services, agent, id)
    chain = await services.records.receipts(agent.workspace, id)
    start = 0
    if after is not None:
        start = next((receipt.seq for receipt in chain if receipt.id == after), -1)
        if start < 0:
            raise bad_cursor()
    return page([receipt.wire() for receipt in chain[start : start + limit + 1]], limit)


@router.get("/v1/tasks", operation_id="list_tasks")
async def tasks(
    services: Services,
    agent: Caller,
    limit: Limit = 50,
    after: After = None,
    interaction: Annotated[str | None, Query(description="Only those that this interaction created.")] = None,
) -> Response:
    """List the tasks that people accepted, newest first, of the interactions that this key may read."""
    if after is not None and not is_id("tsk", after):
        raise bad_cursor()
    if interaction is not None and not is_id("int", interaction):
        raise Invalid.at("/interaction", "not the id of an interaction")
    found = await services.records.tasks(agent.workspace, agent, interaction=interaction, after=after, limit=limit + 1)
    return page([task.wire() for task in found], limit)
