"""`/v1/interactions/{id}/…`: what a key can do to an interaction, and its receipts."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field, TypeAdapter
from starlette.requests import Request
from starlette.responses import Response

from bot.web.bodies import Body, parse, parse_value, read_body
from bot.web.calls import Caller, Json, Limit, Services, bad_cursor, page, visible
from core.acts import Accept, Patch, Reject, Respond, Withdraw
from core.content import Body as BodyText
from core.content import Content, Recommendation, Title
from core.errors import Forbidden, Invalid
from core.kinds import PAYLOADS
from core.kinds.answers import Answer
from core.people import Value, Via
from core.use_cases.answer import answer
from core.use_cases.change import change, reply

router = APIRouter()

Revision = Annotated[int, Field(ge=1, description="The revision that was seen.")]
LONGEST_WORDS = 20_000
"""Characters a reason or reply may have before its own rule is asked: keeps receipts small whatever the card says."""
Words = Annotated[str, Field(max_length=LONGEST_WORDS)]


class RespondBody(Value):
    """Answers by question id."""

    answers: dict[str, Answer]
    revision: Revision


class AcceptBody(Value):
    """Yes."""

    revision: Revision


class RejectBody(Value):
    """No, with a reason where the card takes one."""

    revision: Revision
    reason: Words | None = None


class WithdrawBody(Value):
    """Take it back. A `revision`, if given, must be the current one."""

    revision: Revision | None = None
    reason: Words | None = None


class ReplyBody(Value):
    """The result, as plain words for the conversation where it was asked."""

    text: Words


class PatchBody(Value):
    """New content for a pending card; what is left out stays. `revision` is the one that is replaced."""

    revision: Revision
    title: Title = ""
    body: BodyText | None = None
    recommendation: Recommendation | None = None
    payload: dict[str, Any] = Field(default_factory=dict)


RESPOND = TypeAdapter(RespondBody)
ACCEPT = TypeAdapter(AcceptBody)
REJECT = TypeAdapter(RejectBody)
WITHDRAW = TypeAdapter(WithdrawBody)
REPLY = TypeAdapter(ReplyBody)
PATCH = TypeAdapter(PatchBody)
QUESTIONS = (("questions", "*"),)
"""Where a payload chooses its shape by `type`."""

PEOPLE_ONLY = "Only a signed-in operator can do this, on the review page; a key cannot."


@router.post("/v1/interactions/{id}/respond", operation_id="respond")
async def respond(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Answer the questions, as an agent that the audience names."""
    given = parse(RESPOND, await read_body(request))
    await visible(services, agent, id)
    act = Respond(given.answers, given.revision)
    return Json((await answer(services.context, agent.workspace, id, act, agent, Via.API)).snapshot)


@router.post("/v1/interactions/{id}/accept", operation_id="accept")
async def accept(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Say yes, as an agent that the audience names."""
    given = parse(ACCEPT, await read_body(request))
    await visible(services, agent, id)
    act = Accept(given.revision)
    return Json((await answer(services.context, agent.workspace, id, act, agent, Via.API)).snapshot)


@router.post("/v1/interactions/{id}/reject", operation_id="reject")
async def reject(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Say no, as an agent that the audience names."""
    given = parse(REJECT, await read_body(request))
    await visible(services, agent, id)
    act = Reject(given.revision, given.reason)
    return Json((await answer(services.context, agent.workspace, id, act, agent, Via.API)).snapshot)


@router.post("/v1/interactions/{id}/withdraw", operation_id="withdraw")
async def withdraw(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Take the question back: its creator or an operator's key. The body may be left out."""
    given = parse(WITHDRAW, await read_body(request, empty=b"{}"))
    act = Withdraw(given.reason, given.revision)
    return Json((await change(services.context, agent.workspace, id, act, agent)).snapshot)


@router.patch("/v1/interactions/{id}", operation_id="patch")
async def patch(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Change the content of a pending card; its revision grows, every copy is redrawn, and votes given before are
    void."""
    body = await read_body(request)
    given = parse(PATCH, body)
    before = (await visible(services, agent, id)).interaction.content
    act = Patch(given.revision, _changed(before, given, body))
    return Json((await change(services.context, agent.workspace, id, act, agent)).snapshot)


def _changed(before: Content, given: PatchBody, body: Body) -> Content:
    fields = given.model_fields_set - {"revision"}
    if not fields:
        raise Invalid.at("", "change at least one of title, body, recommendation and payload")
    payload = before.payload
    if "payload" in fields:
        adapter = TypeAdapter[Any](PAYLOADS[before.kind])
        payload = parse_value(adapter, body.document["payload"], "/payload", QUESTIONS)
    return Content(
        kind=before.kind,
        title=given.title if "title" in fields else before.title,
        body=(given.body or "") if "body" in fields else before.body,
        recommendation=(given.recommendation or "") if "recommendation" in fields else before.recommendation,
        payload=payload,
    )


@router.post("/v1/interactions/{id}/reply", operation_id="reply")
async def send_reply(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Send the result to every conversation where it was asked, under the card."""
    given = parse(REPLY, await read_body(request))
    return Json((await reply(services.context, agent.workspace, id, given.text, agent)).snapshot)


async def _for_people(services: Services, agent: Caller, id: str) -> Response:
    """Refused for keys: cancelling, skipping, dismissing and reopening need a signed-in operator."""
    await visible(services, agent, id)
    raise Forbidden(PEOPLE_ONLY)


for _name in ("cancel", "skip", "dismiss", "reopen"):
    router.add_api_route(f"/v1/interactions/{{id}}/{_name}", _for_people, methods=["POST"], operation_id=_name)


@router.get("/v1/interactions/{id}/receipts", operation_id="list_receipts")
async def receipts(
    services: Services,
    agent: Caller,
    id: str,
    limit: Limit = 100,
    after: Annotated[str | None, Query(description="The `next` of the page before.")] = None,
) -> Response:
    """Everything that happened to an interaction, in order; each receipt carries the hash of the one before it."""
    await visible(services, agent, id)
    chain = await services.records.receipts(agent.workspace, id)
    start = 0
    if after is not None:
        start = next((receipt.seq for receipt in chain if receipt.id == after), -1)
        if start < 0:
            raise bad_cursor()
    return page([receipt.wire() for receipt in chain[start : start + limit + 1]], limit)
