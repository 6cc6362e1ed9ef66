"""What an asker decides about time, failure and votes. Values only; the arithmetic is beside them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue

from core.durations import parse_duration
from core.people import Value


def _check_duration(text: str) -> str:
    parse_duration(text)
    return text


Duration = Annotated[str, AfterValidator(_check_duration), Field(examples=["24h"])]


class Nudges(Value):
    """Reminders an asker wants: how often, how many, how long before expiry, whom to tell next, when to be quiet."""

    every: Duration | None = None
    max: Annotated[int, Field(ge=1, le=50)] | None = None
    at: Annotated[tuple[Duration, ...], Field(max_length=10)] = ()
    escalate_to: Annotated[tuple[str, ...], Field(max_length=8)] = ()
    quiet: Annotated[str, Field(pattern=r"^\d{2}:\d{2}-\d{2}:\d{2}( [A-Za-z_+\-0-9/]{1,64})?$")] | None = None


class Policy(Value):
    """`starts`: when the clock of `expires_in` starts. `default`: an answer that stands beside an expiry.
    `reject`: what one reject does when several people must accept. `fallback`: addresses tried in order
    once every `to` has failed for good."""

    expires_in: Duration | None = None
    starts: Literal["delivered", "asked"] = "delivered"
    default: dict[str, dict[str, JsonValue]] | None = None
    fallback: Annotated[tuple[str, ...], Field(max_length=4)] = ()
    reject: Literal["any", "majority"] = "any"
    nudges: Nudges | None = None
    supersede_on_comment: bool = False
    resolve_from_comment: bool = False

    def expiry(self, start: datetime) -> datetime | None:
        """When a question whose clock starts at `start` expires; None: never."""
        return start + parse_duration(self.expires_in) if self.expires_in else None

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return self.model_dump(mode="json")
