"""What the API answers about work orders, as models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from bot.web.answered import By, View, WaitingReminder, identifier
from core.loops.outcomes import LoopState
from core.people import Via
from core.publications import PublicationState
from core.records import Continuation
from core.sentences.values import Status as ResultStatus

LoopName = Annotated[str, Field(examples=["wo-7"], description="Its name, by which it is called everywhere.")]
ConversationId = Annotated[str, identifier("cnv")]
AlertId = Annotated[str, identifier("alr")]
LoopReceiptId = Annotated[str, identifier("rcp")]


class MarkView(View):
    """Who did something, through what and when, and its receipt."""

    by: By
    via: Via
    at: datetime
    receipt: LoopReceiptId


class SlotView(View):
    """One share of the work, with one holder and an end of its own."""

    slot: int
    state: Literal["open", "claimed", "done"]
    task: str | None
    claimed: MarkView | None
    status: ResultStatus | None
    summary: str | None
    done: MarkView | None


class LoopOutcomeView(View):
    """How a work order ended. `result` and `summary` are of a result, `reason` of a refusal or of no action."""

    status: LoopState
    by: By
    via: Via
    at: datetime
    receipt: LoopReceiptId
    result: ResultStatus | None
    summary: str | None
    reason: str | None


class NudgesView(View):
    """How often it has reminded, how often it will at most and after what first gap, and when its sender was told."""

    sent: int
    max: int
    every: str
    escalated_at: datetime | None
    waiting: Annotated[
        list[WaitingReminder] | None,
        Field(description="Where orders are read or listed: what is held back."),
    ] = None


class ConversationView(View):
    """A place where work is talked about. `api` is one that programs alone have."""

    id: ConversationId
    provider: Literal["slack", "telegram", "api"]
    account: str
    channel: str
    thread: str | None
    address: str
    parent: ConversationId | None
    created_at: datetime


class LoopCardView(View):
    """Its card in a chat."""

    provider: Literal["slack", "telegram"]
    account: str
    channel: str
    thread: str | None
    message: str | None
    state: PublicationState
    reason: Annotated[str | None, Field(description="Why it failed, in plain words.")]


class LoopView(View):
    """One work order: what was ordered, and everything known of it now."""

    id: LoopName
    title: str
    body: str
    priority: str | None
    due: datetime | None
    state: LoopState
    overdue: Annotated[bool, Field(description="Its time was over before it ended.")]
    sender: By
    sender_label: Annotated[str | None, Field(description="What the sender called itself: shown, never trusted.")]
    to: str
    conversation: ConversationView
    parent: LoopName | None
    alert: AlertId | None
    digest: Annotated[str, Field(description="The sha256 of what was ordered.")]
    created_at: datetime
    acknowledged: MarkView | None
    claimed: MarkView | None
    slots: list[SlotView]
    nudges: NudgesView
    outcome: LoopOutcomeView | None
    continuation: Continuation
    url: str
    card: LoopCardView | None


class MovedView(LoopView):
    """The work order after an act, and the receipt of the act: of the first time, if it was done before."""

    receipt: LoopReceiptId
    repeated: bool


class LoopPage(View):
    """Newest first. `next` is the cursor of the page after this; null at the end."""

    items: list[LoopView]
    next: str | None


class ConversationPage(View):
    """Newest first. `next` is the cursor of the page after this; null at the end."""

    items: list[ConversationView]
    next: str | None


class SayingView(View):
    """One message in a conversation. `message` is its id in the chat, if it was said in one."""

    id: Annotated[str, identifier("msg")]
    conversation: ConversationId
    message: str | None
    by: By | None
    text: str
    at: datetime


class SayingPage(View):
    """Newest first. `next` is the cursor of the page after this; null at the end."""

    items: list[SayingView]
    next: str | None


class MovedBySentence(View):
    """What a sentence did to a work order."""

    id: LoopName
    state: LoopState
    receipt: LoopReceiptId
    repeated: bool


class RanView(View):
    """A tool that a sentence ran."""

    op: str
    words: str
    result: dict[str, Any]


class SaidView(SayingView):
    """What was said, and what its sentences led to. Of `waiting`, people are asked first: `result` names the
    interaction. `refused` says in plain words what they could not do."""

    opened: list[LoopName]
    moved: list[MovedBySentence]
    ran: list[RanView]
    waiting: list[RanView]
    refused: list[str]


class AlertView(View):
    """An alert. `order` is the work order that was opened from it, which makes it an incident."""

    id: AlertId
    severity: str
    message: str
    by: By
    conversation: ConversationId
    created_at: datetime
    incident: bool
    order: LoopName | None


class AlertPage(View):
    """Newest first. `next` is the cursor of the page after this; null at the end."""

    items: list[AlertView]
    next: str | None


class RaisedView(AlertView):
    """The alert, and the work order that was opened with it."""

    loop: LoopView | None = None


class FollowUpView(View):
    """Words that were said again when their time had come."""

    id: Annotated[str, identifier("fup")]
    state: str
    conversation: ConversationId
    loop: LoopName | None
    prompt: str
    due_at: datetime
    by: By


class HandedOver(View):
    """Directives and addresses of runtime contexts that were said in the conversation since its agents' last event."""

    directives: list[str]
    runtime: list[str]


class LoopEventData(View):
    """The work order as the event left it, the sender's own state, and what is new.

    `loop.message`: what was said in its conversation (`message`, and as `words` what is no sentence), or the `subagent`
    that posted. `loop.followup`: what was said again. `.progressed`: which `slot`, and its `step`
    (with a `reason` when it was given back). `.escalated`: the `reason`, unless it is that no reminder helped.
    """

    loop: LoopView
    state: JsonValue
    context: HandedOver
    message: SayingView | None = None
    words: str | None = None
    subagent: dict[str, str | None] | None = None
    followup: FollowUpView | None = None
    slot: int | None = None
    step: str | None = None
    reason: str | None = None


class AlertEventData(View):
    """The alert, its raiser's own state, and what is new, as in `LoopEventData`, where there is no work order."""

    alert: AlertView
    state: JsonValue
    message: SayingView | None = None
    words: str | None = None
    subagent: dict[str, str | None] | None = None
    followup: FollowUpView | None = None
