"""A refusal in the Bot API's own words, and the kinds of chat that requests go to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ChatKind = Literal["private", "group", "supergroup", "channel"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request would fail: the `error_code` and `description` of the answer, and what in the request
    is wrong.

    `pointer` is a JSON pointer into the request, empty when the fault is in the world and not in the request.
    `parameters` is the answer's own field of that name: `migrate_to_chat_id` or `retry_after`.
    """

    code: int
    description: str
    pointer: str = ""
    parameters: Mapping[str, int] = field(default_factory=dict)


def bad_request(reason: str, pointer: str = "") -> Refusal:
    """Return a 400 with the prefix that every 400 of the Bot API carries."""
    return Refusal(400, f"Bad Request: {reason}", pointer)
