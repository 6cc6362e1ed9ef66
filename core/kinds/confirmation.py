"""Confirmation: accept or reject, with a reason for rejecting that may be refused, welcome or required."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from core.errors import Invalid
from core.kinds.base import ButtonLabel, Payload, Reason, kept_reason


class Confirmation(Payload):
    """The payload of kind `confirmation`."""

    accept_label: ButtonLabel = "Accept"
    reject_label: ButtonLabel = "Reject"
    reason: Annotated[Reason, Field(strict=False)] = Reason.OPTIONAL
    reason_label: Annotated[str, StringConstraints(min_length=1, max_length=150)] = "Reason"


def check_reason(payload: Confirmation, reason: str | None) -> str | None:
    """Return the reason to keep, or raise `Invalid`: a required one is missing, or none is taken."""
    words, fault = kept_reason(payload.reason, reason)
    if fault is not None:
        raise Invalid.at("/reason", fault)
    return words


EXAMPLE: dict[str, Any] = {
    "kind": "confirmation",
    "title": "Delete the staging database?",
    "body": "It was last used **41 days** ago. A backup is kept for 30 days.",
    "payload": {"accept_label": "Delete it", "reject_label": "Keep it", "reason": "optional"},
}
