"""The request to ask: one shape per kind, strict, and the checks that need no database."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, JsonValue, StringConstraints, TypeAdapter

from core.addresses import PATTERN as ADDRESS_PATTERN
from core.addresses import Address, ReviewAddress, parse_address
from core.audience import MOST_ANSWERERS, Audience
from core.canonical import canonical
from core.content import Body, Content, Recommendation, Title
from core.errors import Fault, Invalid
from core.kinds import (
    AnyPayload,
    Checklist,
    Confirmation,
    ConnectionRequest,
    ItemVerdicts,
    Kind,
    Questions,
    SuggestedTasks,
)
from core.kinds.answers import Answer, check_answers
from core.kinds.base import pointer
from core.nudging import never_escalates
from core.people import Value
from core.policy import USUAL_SIGN_IN, Policy
from core.records import Continuation
from core.signed_in import needs_sign_in

MOST_PLACES = 8
LARGEST_STATE = 8_000
FROM_COMMENT = frozenset({Kind.CONFIRMATION, Kind.CHECKLIST})
"""The kinds whose decision an agent may read from what a person wrote."""


def _check_place(text: str) -> str:
    try:
        parse_address(text)
    except Invalid as error:
        raise ValueError(str(error)) from None
    return text


def _check_webhook(address: str) -> str:
    try:
        parts = urlsplit(address)
        names_a_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        names_a_host = False
    if len(address) > 2_000 or not address.startswith(("https://", "http://")) or not names_a_host:
        raise ValueError("must be an http(s) address of at most 2000 characters")
    return address


def _check_state(state: JsonValue) -> JsonValue:
    if len(canonical(state)) > LARGEST_STATE:
        raise ValueError(f"may have at most {LARGEST_STATE} bytes as JSON")
    return state


Place = Annotated[str, AfterValidator(_check_place), Field(json_schema_extra={"pattern": ADDRESS_PATTERN})]


class AskContinuation(Continuation):
    """Where the asker wants to hear of it, and what it wants to hear again."""

    webhook: (
        Annotated[str, AfterValidator(_check_webhook), Field(json_schema_extra={"pattern": "^https?://[^/?#]"})] | None
    ) = None
    state: Annotated[JsonValue, AfterValidator(_check_state)] = None


class _Ask(Value):
    to: Place | Annotated[tuple[Place, ...], Field(min_length=1, max_length=MOST_PLACES)]
    title: Title
    body: Body | None = None
    recommendation: Recommendation | None = None
    audience: Audience | None = None
    policy: Policy = Policy()
    continuation: AskContinuation = AskContinuation()
    supersedes: str | None = None
    supersede_key: Annotated[str, StringConstraints(min_length=1, max_length=160)] | None = None
    target: None = None


class AskQuestions(_Ask):
    """Ask questions."""

    kind: Literal[Kind.QUESTIONS]
    payload: Questions


class AskConfirmation(_Ask):
    """Ask for a confirmation."""

    kind: Literal[Kind.CONFIRMATION]
    payload: Confirmation = Confirmation()


class AskChecklist(_Ask):
    """Ask for a checklist to be completed."""

    kind: Literal[Kind.CHECKLIST]
    payload: Checklist


class AskItemVerdicts(_Ask):
    """Ask for a verdict on each item."""

    kind: Literal[Kind.ITEM_VERDICTS]
    payload: ItemVerdicts


class AskSuggestedTasks(_Ask):
    """Ask which tasks are to be created."""

    kind: Literal[Kind.SUGGESTED_TASKS]
    payload: SuggestedTasks


class AskConnection(_Ask):
    """Ask to be connected to a service."""

    kind: Literal[Kind.CONNECTION]
    payload: ConnectionRequest


AnyAsk = AskQuestions | AskConfirmation | AskChecklist | AskItemVerdicts | AskSuggestedTasks | AskConnection
ASKS: tuple[type[AnyAsk], ...] = (
    AskQuestions,
    AskConfirmation,
    AskChecklist,
    AskItemVerdicts,
    AskSuggestedTasks,
    AskConnection,
)
Ask = Annotated[AnyAsk, Field(discriminator="kind")]
ASK: TypeAdapter[AnyAsk] = TypeAdapter(Ask)


def content_of(request: AnyAsk) -> Content:
    """What will be shown."""
    return Content(
        kind=request.kind,
        title=request.title,
        body=request.body or "",
        recommendation=request.recommendation or "",
        payload=request.payload,
    )


def check_ask(request: AnyAsk) -> tuple[tuple[Address, ...], tuple[Address, ...]]:
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
    if request.policy.resolve_from_comment and request.kind not in FROM_COMMENT:
        words = "only confirmations and checklists are resolved from a comment"
        faults.append(Fault("/policy/resolve_from_comment", words))
    faults.extend(_sign_in_faults(request.policy))
    if request.policy.default is not None:
        faults.extend(default_faults(request.payload, request.policy))
    faults.extend(_nudge_faults(request.policy))
    faults.extend(_room_faults(request.audience or Audience(), request.policy))
    if faults:
        raise Invalid(faults)
    return places, fallback


def _sign_in_faults(policy: Policy) -> list[Fault]:
    """What is wrong with asking for a sign-in: words in a chat prove none, so none of them may settle the card."""
    if not needs_sign_in(policy):
        alone = "is for cards whose policy.sign_in is required"
        return [Fault("/policy/sign_in_within", alone)] if policy.sign_in_within != USUAL_SIGN_IN else []
    by_words = {
        "supersede_on_comment": policy.supersede_on_comment,
        "resolve_from_comment": policy.resolve_from_comment,
    }
    why = "words in a chat settle no card whose policy.sign_in is required"
    return [Fault(f"/policy/{name}", why) for name, is_set in by_words.items() if is_set]


def _nudge_faults(policy: Policy) -> list[Fault]:
    """What is wrong with the reminders that a policy asks for."""
    nudges = policy.nudges
    if nudges is None:
        return []
    faults: list[Fault] = []
    at = ("policy", "nudges")
    if nudges.at and policy.expires_in is None:
        faults.append(Fault(pointer(*at, "at"), "moments before the expiry need expires_in"))
    if nudges.every is None and not nudges.at:
        faults.append(Fault(pointer(*at), "say when to remind: every, at, or both"))
    elif nudges.escalate_to and never_escalates(policy):
        words = "they would never be told, because it expires before the first reminder"
        faults.append(Fault(pointer(*at, "escalate_to"), words))
    return faults


def _room_faults(audience: Audience, policy: Policy) -> list[Fault]:
    """Whoever is brought in later has to fit beside those who may answer already."""
    escalate_to = policy.nudges.escalate_to if policy.nudges else ()
    if len({*audience.answerers, *escalate_to}) <= MOST_ANSWERERS:
        return []
    words = f"with the answerers there are more than {MOST_ANSWERERS} who could answer"
    return [Fault(pointer("policy", "nudges", "escalate_to"), words)]


def default_faults(payload: AnyPayload, policy: Policy) -> list[Fault]:
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
