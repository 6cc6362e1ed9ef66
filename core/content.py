"""What is asked: the title, body, recommendation and payload of one revision, and its digest."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_serializer, field_validator

from core.canonical import digest
from core.kinds import PAYLOADS, AnyPayload, Kind
from core.people import Value

Title = Annotated[str, StringConstraints(min_length=1, max_length=240, strip_whitespace=True)]
Body = Annotated[str, StringConstraints(max_length=20_000)]
Recommendation = Annotated[str, StringConstraints(max_length=1_000)]


class Content(Value):
    """One revision of what is asked. Immutable; a patch makes another."""

    kind: Kind
    title: Title
    body: Body = ""
    recommendation: Recommendation = ""
    payload: AnyPayload = Field(union_mode="left_to_right")

    @field_validator("payload", mode="before")
    @classmethod
    def _payload_of_its_kind(cls, value: Any, info: Any) -> Any:
        kind = info.data.get("kind")
        if kind is None or isinstance(value, tuple(PAYLOADS.values())):
            return value
        return PAYLOADS[kind].model_validate(value, strict=False)

    @field_serializer("payload")
    def _whole_payload(self, payload: AnyPayload) -> dict[str, Any]:
        return payload.model_dump(mode="json")

    def digest(self) -> str:
        """The sha256 of the canonical JSON of everything shown."""
        return digest(self.model_dump(mode="json"))

    def seen(self) -> str:
        """The 8 hex digits of the digest that a control token carries."""
        return self.digest().removeprefix("sha256:")[:8]
