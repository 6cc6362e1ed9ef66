"""The request to ask: one shape per kind, strict, and the checks that need no database."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter, field_validator

from core.addresses import Address, ReviewAddress, parse_address
from core.audience import Audience
from core.content import Body, Content, Recommendation, Title
from core.errors import Fault, Invalid
from core.kinds import Confirmation, Kind, Questions
from core.kinds.answers import Answer, check_answers
from core.kinds.base import pointer
from core.people import Value
from core.policy import Policy
from core.records import Continuation

MOST_PLACES = 8
LARGEST_STATE = 8_000


class _Ask(Value):
    to: str | Annotated[tuple[str, ...], Field(min_length=1, max_length=MOST_PLACES)]
    title: Title
    body: Body | None = None
    recommendation: Recommendation | None = None
    audience: Audience | None = None
    policy: Policy = Policy()
    continuation: Continuation = Continuation()
    supersedes: str | None = None
    supersede_key: Annotated[str, StringConstraints(min_length=1, max_length=160)] | None = None
    target: None = None

    @field_validator("continuation")
    @classmethod
    def _is_small_and_reachable(cls, value: Continuation) -> Continuation:
        if len(json.dumps(value.state, ensure_ascii=False).encode("utf-8", "surrogatepass")) > LARGEST_STATE:
            raise ValueError(f"state may have at most {LARGEST_STATE} bytes as JSON")
        webhook = value.webhook or "https://"
        if len(webhook) > 2_000 or not webhook.startswith(("https://", "http://")):
            raise ValueError("webhook must be an http(s) address of at most 2000 characters")
        return value


class AskQuestions(_Ask):
    """Ask questions."""

    kind: Literal[Kind.QUESTIONS]
    payload: Questions


class AskConfirmation(_Ask):
    """Ask for a confirmation."""

    kind: Literal[Kind.CONFIRMATION]
    payload: Confirmation


Ask = Annotated[AskQuestions | AskConfirmation, Field(discriminator="kind")]
ASK: TypeAdapter[AskQuestions | AskConfirmation] = TypeAdapter(Ask)


def parse_ask(raw: bytes) -> AskQuestions | AskConfirmation:
    """Read a request body strictly. Raises pydantic's ValidationError; `check_ask` does the rest."""
    return ASK.validate_json(raw, strict=True)


def content_of(request: AskQuestions | AskConfirmation) -> Content:
    """What will be shown."""
    return Content(
        kind=request.kind,
        title=request.title,
        body=request.body or "",
        recommendation=request.recommendation or "",
        payload=request.payload,
    )


def check_ask(request: AskQuestions | AskConfirmation) -> tuple[tuple[Address, ...], tuple[Address, ...]]:
    """Return the addresses of `to` and of `policy.fallback`, or raise `Invalid` with every fault found."""
    faults: list[Fault] = []
    one = isinstance(request.to, str)
    texts = (request.to,) if isinstance(request.to, str) else request.to
    places = _addresses(texts, ("to",), faults, single=one)
    fallback = _addresses(request.policy.fallback, ("policy", "fallback"), faults)
    if places and all(isinstance(place, ReviewAddress) for place in places) and request.audience is None:
        faults.append(Fault("/audience", "with no chat to answer from, say who may answer"))
    if request.audience and request.audience.quorum > 1 and request.kind is not Kind.CONFIRMATION:
        faults.append(Fault("/audience/quorum", "a quorum over 1 is for confirmations only"))
    if request.policy.default is not None:
        faults.extend(default_faults(request.payload, request.policy))
    if faults:
        raise Invalid(faults)
    return places, fallback


def default_faults(payload: Questions | Confirmation, policy: Policy) -> list[Fault]:
    """What is wrong with a policy's default answer."""
    at = ("policy", "default")
    if not isinstance(payload, Questions):
        return [Fault(pointer(*at), "a default answer is for questions only")]
    if policy.expires_in is None:
        return [Fault(pointer(*at), "a default answer needs expires_in")]
    try:
        answers = TypeAdapter(dict[str, Answer]).validate_python(policy.default)
        check_answers(payload, answers, at)
    except Invalid as error:
        return list(error.faults)
    except ValueError:
        return [Fault(pointer(*at), 'write the default like an answer, such as {"q1": {"value": "yes"}}')]
    return []


def _addresses(
    texts: tuple[str, ...], at: tuple[str, ...], faults: list[Fault], single: bool = False
) -> tuple[Address, ...]:
    found: list[Address] = []
    for index, text in enumerate(texts):
        where = pointer(*at) if single else pointer(*at, index)
        try:
            address = parse_address(text, where)
        except Invalid as error:
            faults.extend(error.faults)
            continue
        if address in found:
            faults.append(Fault(where, "this address is named twice"))
        found.append(address)
    return tuple(found)
