"""What the API answers with, as models: the OpenAPI document is made of them, and tests hold real answers to it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from bot.web.answered import (
    AnyAnswer,
    By,
    ChecklistAnswer,
    Questionnaire,
    TaskId,
    VerdictsAnswer,
    View,
    WaitingReminder,
    identifier,
)
from bot.web.loop_views import AlertEventData, LoopEventData, LoopOutcomeView, MarkView
from core.audience import Audience
from core.content import Body, Recommendation, Title
from core.kinds import AnyPayload, Kind
from core.people import Via
from core.policy import Policy
from core.publications import PublicationState, Surface
from core.receipts import ReceiptType
from core.records import Continuation, Status

InteractionId = Annotated[str, identifier("int")]
ReceiptId = Annotated[str, identifier("rcp")]
EventId = Annotated[str, identifier("evt")]


class VoteView(View):
    """One of several people who must accept."""

    by: By
    via: Via
    accepted: bool
    at: datetime
    reason: str | None


class OutcomeView(View):
    """How it ended. `default` stands beside an expiry and is nobody's answer; `successor` replaced it."""

    status: Status
    by: By
    via: Via
    at: datetime
    answer: AnyAnswer | None
    reason: str | None
    receipt: ReceiptId
    default: Questionnaire | None
    votes: list[VoteView]
    successor: InteractionId | None


class PublicationView(View):
    """One copy of the card in a chat."""

    provider: Literal["slack", "telegram"]
    account: str
    channel: str
    thread: str | None
    message: str | None
    state: PublicationState
    surface: Surface | None
    reason: Annotated[str | None, Field(description="Why it failed, in plain words.")]


class RemindersView(View):
    """How far its reminders have come. `unreachable` of those that the policy asks for can never come, because it
    expires before them; `next_at` is null when nothing is planned as things stand."""

    sent: int
    planned: int
    unreachable: int
    next_at: datetime | None
    escalated_at: datetime | None
    waiting: Annotated[list[WaitingReminder], Field(description="Those that are due but held back, and why.")]


class DelegationView(View):
    """Somebody handed it to somebody else, who may answer since then."""

    by: By
    to: str
    at: datetime


class InteractionView(View):
    """One question to people: everything that was asked, and everything known of it now."""

    id: InteractionId
    kind: Kind
    status: Status
    revision: int
    digest: Annotated[str, Field(description="The sha256 of the content of this revision.")]
    to: list[str]
    title: Title
    body: Body
    recommendation: Recommendation
    payload: AnyPayload
    audience: Audience
    policy: Policy
    continuation: Continuation
    supersedes: InteractionId | None
    supersede_key: str | None
    target: None
    creator: By
    created_at: datetime
    expires_at: Annotated[datetime | None, Field(description="Null until the clock starts, or when it never ends.")]
    dismissed: bool
    reminders: RemindersView | None
    delegations: list[DelegationView]
    votes: list[VoteView]
    progress: Annotated[
        ChecklistAnswer | VerdictsAnswer | None,
        Field(description="What is ticked or judged so far; null for kinds that save nothing before their end."),
    ]
    review_url: str
    outcome: OutcomeView | None
    publications: list[PublicationView]


class FaultView(View):
    """One mistake in a request. `pointer` is a JSON pointer into the body, or `/name` of a parameter."""

    pointer: str
    detail: str


class JudgedView(InteractionView):
    """The interaction, and which of the verdicts came too late."""

    late: Annotated[
        list[FaultView], Field(description="A pointer to each verdict whose item had another one already, and whose.")
    ]


class TaskView(View):
    """A task that somebody accepted. `key` is the asker's name for it, `parent` the id of the task above it."""

    id: TaskId
    interaction: InteractionId
    key: str
    title: str
    description: str | None
    parent: TaskId | None
    assignee: str | None
    priority: str | None
    by: By
    at: datetime


class Redaction(View):
    """When somebody was forgotten in a receipt; the signature, by the key named `key`, is over what is left of it.
    `ordered`: in the first receipt of a work order, the digest of what that orders since."""

    at: datetime
    ordered: str | None
    key: str | None
    signature: str | None


class ReceiptView(View):
    """One line of what happened. `hash` is the sha256 of the fields before it as canonical JSON, with the salt where it
    is not null; `prev` is the one before. `signature` is Ed25519, by the key of `/.well-known/receipt-keys` that `key`
    names. `redacted`: somebody's personal data was taken out, and the hash stands for what it was; `redaction` says
    when, with a signature of its own."""

    id: ReceiptId
    seq: int
    type: ReceiptType
    by: By
    via: Via
    provider_event: str | None
    revision: int
    digest: str
    policy: dict[str, Any]
    at: datetime
    data: dict[str, JsonValue]
    prev: str | None
    hash: str
    salt: str | None
    key: str | None
    signature: str | None
    redacted: bool
    redaction: Redaction | None


class ShortVerdict(View):
    """A verdict without whose it is."""

    verdict: str
    reason: str | None


class EventData(View):
    """The interaction as the event left it, the asker's own state, and what is new.

    `interaction.commented` and `.replied`: the `text`, whose it is, and for a comment the `message` it is in, if that
    is in a chat. `.progressed`: who did what, in `tick` and `untick`, in `verdicts` or in `delegated`. `.nudged`: which
    reminder of how many, in `nudge`. `.escalated`: who may answer now as well, in `escalation`. `.accepted`: the
    `tasks` that were created.
    """

    interaction: InteractionView
    state: JsonValue
    text: str | None = None
    by: By | None = None
    message: str | None = None
    tick: list[str] | None = None
    untick: list[str] | None = None
    verdicts: dict[str, ShortVerdict] | None = None
    tasks: list[TaskView] | None = None


class EventView(View):
    """One state change. Its id is the same in the list, the stream and the webhook."""

    id: EventId
    type: Annotated[str, Field(examples=["interaction.answered"])]
    timestamp: datetime
    data: EventData | LoopEventData | AlertEventData


class InteractionPage(View):
    """Newest first. `next` is the cursor of the page after this; null at the end."""

    items: list[InteractionView]
    next: str | None


class ReceiptPage(View):
    """In order. `next` is the cursor of the page after this; null at the end."""

    items: list[ReceiptView]
    next: str | None


class TaskPage(View):
    """Newest first. `next` is the cursor of the page after this; null at the end."""

    items: list[TaskView]
    next: str | None


class EventPage(View):
    """In order of commit. `next` is the cursor of the page after this; null when there is no more yet."""

    items: list[EventView]
    next: str | None


class Problem(View):
    """RFC 9457. `type` ends in a stable slug; `errors` comes with `invalid`, `outcome` with what came too late,
    `claimed` with work that somebody else has.

    Verdicts that all came too late, on a card that is still open, have `errors` that say what stands, and a null
    `outcome`.
    """

    type: Annotated[str, Field(examples=["urn:sayso:problems/invalid"])]
    title: str
    status: int
    detail: str
    errors: list[FaultView] = Field(default_factory=list)
    outcome: OutcomeView | LoopOutcomeView | None = None
    claimed: MarkView | None = None
