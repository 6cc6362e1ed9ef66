"""What an asker decides about time, failure and votes. Values only; the arithmetic is beside them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue

from core.audience import Answerer
from core.durations import PATTERN as DURATION_PATTERN
from core.durations import parse_duration
from core.people import Value
from core.quiet import Weekday, parse_quiet


def _check_duration(text: str) -> str:
    parse_duration(text)
    return text


Duration = Annotated[
    str, AfterValidator(_check_duration), Field(examples=["24h"], json_schema_extra={"pattern": DURATION_PATTERN})
]


def _check_quiet(text: str) -> str:
    parse_quiet(text)
    return text


USUAL_REASK = "30m"
"""Longer than a program that asks in circles waits, and shorter than the gaps of what is asked by a schedule."""


USUAL_SIGN_IN = "15m"


def _is_usual_sign_in(value: str) -> bool:
    """As for `reask`."""
    return value == USUAL_SIGN_IN


def _is_none(value: str | None) -> bool:
    return value is None


def _is_usual_reask(value: str) -> bool:
    """What nobody asked for is not kept, so that an older service reads what a newer one wrote."""
    return value == USUAL_REASK


def _check_named(answerer: str) -> str:
    if answerer == "conversation":
        raise ValueError("name people, an agent or role:operator; the conversation is asked already")
    return answerer


class Nudges(Value):
    """Reminders an asker wants. `every` is the first gap; later ones grow unless `gaps` is `even`. `max` counts these
    (default 3), `at` are moments before the expiry. `escalate_to` may answer as well once nobody did. Nobody is
    reminded in the `quiet` hours (without a zone: each recipient's), on days that are not among `days`, or, while
    `working`, outside the workspace's working calendar if it has one."""

    every: Duration | None = None
    gaps: Literal["growing", "even"] = "growing"
    max: Annotated[int, Field(ge=1, le=50)] | None = None
    at: Annotated[tuple[Duration, ...], Field(max_length=10)] = ()
    escalate_to: Annotated[tuple[Annotated[Answerer, AfterValidator(_check_named)], ...], Field(max_length=8)] = ()
    quiet: Annotated[str, Field(max_length=80), AfterValidator(_check_quiet)] | None = None
    days: Annotated[tuple[Weekday, ...], Field(max_length=7)] = ()
    working: bool = True


class Policy(Value):
    """`starts`: when the clock of `expires_in` starts. `default`: an answer that stands beside an expiry.
    `reject`: what one reject does when several people must accept. `fallback`: addresses tried in order
    once every `to` has failed for good. `reask`: within how long people may reject the very same, asked by the same
    agent, only twice; then it is not asked again. `sign_in`: people answer only on the signed-in page, within
    `sign_in_within` of signing in there, and no chat shows a control that decides."""

    expires_in: Duration | None = None
    starts: Literal["delivered", "asked"] = "delivered"
    default: dict[str, dict[str, JsonValue]] | None = None
    fallback: Annotated[tuple[str, ...], Field(max_length=4)] = ()
    reject: Literal["any", "majority"] = "any"
    nudges: Nudges | None = None
    supersede_on_comment: bool = False
    resolve_from_comment: bool = False
    reask: Annotated[Duration | Literal["allow"], Field(exclude_if=_is_usual_reask)] = USUAL_REASK
    sign_in: Annotated[Literal["required"] | None, Field(exclude_if=_is_none)] = None
    sign_in_within: Annotated[Duration, Field(exclude_if=_is_usual_sign_in)] = USUAL_SIGN_IN

    @property
    def sign_in_lasts(self) -> timedelta:
        """How long after signing in an answer counts."""
        return parse_duration(self.sign_in_within)

    def expiry(self, start: datetime) -> datetime | None:
        """When a question whose clock starts at `start` expires; None: never."""
        return start + parse_duration(self.expires_in) if self.expires_in else None

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        usual = {"reask": self.reask, "sign_in": self.sign_in, "sign_in_within": self.sign_in_within}
        return {**self.model_dump(mode="json"), **usual}
