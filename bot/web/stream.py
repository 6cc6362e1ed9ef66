"""`/v1/events`: every state change in order of commit, as a list or as a stream that goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from bot.web.calls import ApiServices, Caller, Limit, Services, bad_cursor, page, spell
from core.discretion import event_as_read_by
from core.people import Agent
from core.restoring import lost_in

router = APIRouter()
STREAM = "text/event-stream"
BATCH = 100
HEARTBEAT_SECONDS = 15.0
"""A comment this often keeps proxies from closing a quiet stream, and shows a client that left. The key is looked at
as often."""
RECONNECT_MILLISECONDS = 1_000


@router.get("/v1/events", operation_id="list_events")
async def events(
    request: Request,
    services: Services,
    agent: Caller,
    limit: Limit = 100,
    after: Annotated[str | None, Query(description="The id of the last event you know.")] = None,
    last_event_id: Annotated[
        str | None, Header(alias="Last-Event-ID", description="The same, as a reconnecting stream says it.")
    ] = None,
) -> Response:
    """What happened after an event, oldest first; from the first on without one. With `Accept: text/event-stream` it is
    streamed as it happens, and `limit` has no say."""
    position = await _position(services, agent, last_event_id or after)
    if STREAM in request.headers.get("accept", ""):
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(_stream(services, agent, position), media_type=STREAM, headers=headers)
    found = await services.records.events(agent.workspace, agent, after=position, limit=limit + 1)
    return page([event_as_read_by(agent, event.wire()) for event in found], limit)


async def _position(services: ApiServices, agent: Agent, cursor: str | None) -> int:
    if cursor is None:
        return 0
    position = await services.records.position_of(agent.workspace, cursor)
    if position is not None:
        return position
    # Whoever read up to an event that was lost when the database went back has read all that is left from before.
    lost = lost_in(await services.records.timelines(), cursor)
    if lost is None:
        raise bad_cursor()
    return lost.positions.get(agent.workspace, 0)


async def _stream(services: ApiServices, agent: Agent, position: int) -> AsyncIterator[bytes]:
    """Events from after `position` on, without a gap, until the client leaves, the key ends, or the service stops."""
    yield b"retry: %d\n\n" % RECONNECT_MILLISECONDS
    loop = asyncio.get_running_loop()
    beat = loop.time() + HEARTBEAT_SECONDS
    with services.waiter.listening(agent.workspace) as bell:
        while not services.waiter.closing:
            if loop.time() >= beat:
                if await _ended(services, agent):
                    return
                yield b": \n\n"
                beat = loop.time() + HEARTBEAT_SECONDS
            newest = await services.records.last_position(agent.workspace)
            found = await services.records.events(agent.workspace, agent, after=position, limit=BATCH)
            for event in found:
                yield _message(event.id, event_as_read_by(agent, event.wire()))
                position = event.position
            if len(found) == BATCH:
                continue
            # Up to `newest` nothing more can appear, so what is not for this key need not be looked at again.
            position = max(position, newest)
            await bell.heard(beat - loop.time())


async def _ended(services: ApiServices, agent: Agent) -> bool:
    known = await services.records.agent(agent.workspace, agent.id)
    return known is None or known.revoked


def _message(id: str, event: dict[str, Any]) -> bytes:
    # No `event:` name: it would hide the event from a listener for messages; the type is in the data.
    return b"id: %b\ndata: %b\n\n" % (id.encode(), spell(event))
