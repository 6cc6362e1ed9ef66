"""What programs send to open a work order, to say something in a conversation, or to raise an alert."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from core.asking import AskContinuation
from core.blank import check_visible
from core.durations import parse_duration
from core.errors import Invalid
from core.loops.values import MOST_SLOTS, Body, Name, Priority, Reminders, Title
from core.sentences.values import Status as ResultStatus

LONGEST_MESSAGE = 20_000
LONGEST_DUE = timedelta(days=3650)
Recipient = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Said = Annotated[Title, AfterValidator(check_visible)]
"""The title of a new order; one that is kept already was looked at when it was new."""
Words = Annotated[str, StringConstraints(max_length=LONGEST_MESSAGE)]
Severity = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,31}$", to_upper=True)]


class Request(BaseModel):
    """A request's body: nothing but what is named."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Order(Request):
    """`POST /v1/loops`. `to` is a conversation's address, `person:<handle>` or `agent:<name>`. `id` is the public name;
    without one it gets one. `due` is a duration from now or an RFC 3339 moment. `slots` shares the work out. `from` is
    shown beside the sender, who is always the key. `conversation` is where it is talked about, if not at `to`."""

    to: Recipient
    title: Said
    body: Body = ""
    id: Name | None = None
    priority: Priority | None = None
    due: Annotated[str, StringConstraints(max_length=40)] | None = None
    slots: Annotated[int, Field(ge=0, le=MOST_SLOTS)] = 0
    sender_label: Annotated[str, StringConstraints(max_length=80)] | None = Field(default=None, alias="from")
    nudges: Reminders = Reminders()
    continuation: AskContinuation = AskContinuation()
    parent: Name | None = None
    alert: str | None = None
    conversation: str | None = None


class AckBody(Request):
    """`POST /v1/loops/{id}/ack`."""


class ClaimBody(Request):
    """`POST /v1/loops/{id}/claim`."""

    slot: Annotated[int, Field(ge=0)] | None = None


class ResultBody(Request):
    """`POST /v1/loops/{id}/result`."""

    summary: Words = ""
    status: ResultStatus | None = None
    slot: Annotated[int, Field(ge=0)] | None = None


class ReasonBody(Request):
    """`POST /v1/loops/{id}/decline` and `…/no-action`."""

    reason: Words
    slot: Annotated[int, Field(ge=0)] | None = None


class AgainBody(Request):
    """`POST /v1/loops/{id}/dispatch`: for somebody else with `to`, and until another moment with `due`."""

    to: Recipient | None = None
    due: Annotated[str, StringConstraints(max_length=40)] | None = None


class MessageBody(Request):
    """`POST /v1/conversations/{id}/messages`."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_MESSAGE)]


class AlertOrder(Request):
    """A work order opened from an alert; what is not said follows from the alert."""

    id: Name | None = None
    title: Said | None = None
    body: Body = ""
    priority: Priority | None = None
    due: Annotated[str, StringConstraints(max_length=40)] | None = None
    nudges: Reminders = Reminders()
    continuation: AskContinuation = AskContinuation()


class AlertBody(Request):
    """`POST /v1/alerts`: one alert at `to`. With `order` a work order is opened from it at once. `continuation` is
    of the alert alone: its webhook gets `alert.raised`."""

    to: Recipient
    severity: Severity
    message: Annotated[
        str, StringConstraints(min_length=1, max_length=3_000, strip_whitespace=True), AfterValidator(check_visible)
    ]
    order: AlertOrder | Literal[True] | None = None
    continuation: AskContinuation = AskContinuation()


def due_of(text: str | None, now: datetime, pointer: str = "/due") -> datetime | None:
    """Read `45m` or `2026-03-01T09:00:00Z`. `Invalid` when it is neither, or is not ahead."""
    if text is None:
        return None
    try:
        moment = now + parse_duration(text) if text[-1:].isalpha() and text[:1].isdigit() and "T" not in text else None
    except ValueError:
        moment = None
    if moment is None:
        moment = _rfc3339(text, pointer)
    if moment <= now:
        raise Invalid.at(pointer, "it is over already; give a moment that is ahead")
    if moment - now > LONGEST_DUE:
        raise Invalid.at(pointer, "it is too far ahead")
    return moment


def _rfc3339(text: str, pointer: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text.upper())
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Invalid.at(pointer, "write a duration such as 45m, or a moment such as 2026-03-01T09:00:00Z") from None
    raise Invalid.at(pointer, "a moment needs its zone, such as Z or +01:00")
