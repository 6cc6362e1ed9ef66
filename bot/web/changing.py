"""`/v1/interactions/{id}/…`: what the agent that asked does with its card, and what no key can do."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import Field, TypeAdapter
from starlette.requests import Request
from starlette.responses import Response

from bot.web.acting import Items, Revision, Words
from bot.web.bodies import Body, parse, parse_value, read_body
from bot.web.calls import Caller, Json, Services, visible
from core.acts import Accept, Patch, Reject, Withdraw
from core.content import Body as BodyText
from core.content import Content, Recommendation, Title
from core.discretion import as_read_by
from core.errors import Forbidden, Invalid
from core.kinds import PAYLOADS
from core.people import Value
from core.use_cases.change import LONGEST_REPLY, change, confirm_connection, reply
from core.use_cases.resolving import quoted, resolve_from_comment

router = APIRouter()


class WithdrawBody(Value):
    """Take it back. A `revision`, if given, must be the current one."""

    revision: Revision | None = None
    reason: Words | None = None


class ReplyBody(Value):
    """The result, as plain words for the conversation where it was asked."""

    text: Annotated[str, Field(max_length=LONGEST_REPLY)]


class PatchBody(Value):
    """New content for a pending card; what is left out stays. `revision` is the one that is replaced."""

    revision: Revision
    title: Title = ""
    body: BodyText | None = None
    recommendation: Recommendation | None = None
    payload: dict[str, Any] = Field(default_factory=dict)


class ConnectedBody(Value):
    """The `state` that the operator brought to `connect_url`."""

    state: Annotated[str, Field(min_length=1, max_length=1_000)]


class ResolveBody(Value):
    """What a person decided in words. `message` is the one that `interaction.commented` named; `selected` goes with
    accepting a checklist, `reason` with rejecting."""

    revision: Revision
    message: Annotated[str, Field(min_length=1, max_length=300)]
    decision: Literal["accept", "reject"]
    selected: Items | None = None
    reason: Words | None = None


WITHDRAW = TypeAdapter(WithdrawBody)
REPLY = TypeAdapter(ReplyBody)
PATCH = TypeAdapter(PatchBody)
CONNECTED = TypeAdapter(ConnectedBody)
RESOLVE = TypeAdapter(ResolveBody)
QUESTIONS = (("questions", "*"),)
"""Where a payload chooses its shape by `type`."""

PEOPLE_ONLY = "Only a signed-in operator can do this, on the review page; a key cannot."


@router.post("/v1/interactions/{id}/withdraw", operation_id="withdraw")
async def withdraw(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Take the question back: its creator or an operator's key. The body may be left out."""
    given = parse(WITHDRAW, await read_body(request, empty=b"{}"))
    act = Withdraw(given.reason, given.revision)
    done = await change(services.context, agent.workspace, id, act, agent)
    return Json(as_read_by(agent, done.snapshot))


@router.patch("/v1/interactions/{id}", operation_id="patch")
async def patch(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Change the content of a pending card; its revision grows, every copy is redrawn, and votes, ticks and verdicts
    given before are void."""
    body = await read_body(request)
    given = parse(PATCH, body)
    before = (await visible(services, agent, id)).interaction.content
    act = Patch(given.revision, _changed(before, given, body))
    done = await change(services.context, agent.workspace, id, act, agent)
    return Json(as_read_by(agent, done.snapshot))


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
    done = await reply(services.context, agent.workspace, id, given.text, agent)
    return Json(as_read_by(agent, done.snapshot))


@router.post("/v1/interactions/{id}/connected", operation_id="connected")
async def connected(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Confirm a connection, as the agent that asked for it: the operator who set out from the review page arrived at
    `connect_url` with this `state`, not more than an hour ago, and granted it."""
    given = parse(CONNECTED, await read_body(request))
    return Json((await confirm_connection(services.context, agent.workspace, id, given.state, agent)).snapshot)


@router.post("/v1/interactions/{id}/resolve-from-comment", operation_id="resolve_from_comment")
async def resolve(request: Request, services: Services, agent: Caller, id: str) -> Response:
    """Settle a card by what a person wrote under it, as the agent that asked. The policy must have
    `resolve_from_comment`, the message must be the newest one, and whoever wrote it must be among those who may answer
    now: the decision is theirs, and the receipt keeps which message was read and by whom."""
    given = parse(RESOLVE, await read_body(request))
    act = _decision(given)
    publications = (await visible(services, agent, id)).publications
    person, identity = await quoted(services.context, agent.workspace, id, given.message, agent)
    candidate = await services.authority.candidate(person, identity, publications)
    done = await resolve_from_comment(
        services.context, agent.workspace, id, message=given.message, act=act, agent=agent, candidate=candidate
    )
    return Json(done.snapshot)


def _decision(given: ResolveBody) -> Accept | Reject:
    if given.decision == "accept":
        if given.reason is not None:
            raise Invalid.at("/reason", "a reason goes with rejecting")
        return Accept(given.revision, given.selected)
    if given.selected is not None:
        raise Invalid.at("/selected", "a selection goes with accepting")
    return Reject(given.revision, given.reason)


async def _for_people(services: Services, agent: Caller, id: str) -> Response:
    """Refused for keys: cancelling, skipping, dismissing and reopening need a signed-in operator."""
    await visible(services, agent, id)
    raise Forbidden(PEOPLE_ONLY)


for _name in ("cancel", "skip", "dismiss", "reopen"):
    router.add_api_route(f"/v1/interactions/{{id}}/{_name}", _for_people, methods=["POST"], operation_id=_name)
