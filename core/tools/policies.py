"""Whether an operation may run: never, after somebody has looked at the call, or at once. An operator sets it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from core.audience import Answerer
from core.people import Value


class ToolPolicy(StrEnum):
    """What becomes of a call."""

    OFF = "off"
    ASK_FIRST = "ask_first"
    ALLOW = "allow"


def _check_person(answerer: str) -> str:
    if answerer.startswith("agent:"):
        raise ValueError("a program reviews no calls; name people, role:operator or conversation")
    return answerer


OPERATORS = ("role:operator",)
Reviewers = Annotated[
    tuple[Annotated[Answerer, AfterValidator(_check_person)], ...], Field(min_length=1, max_length=100)
]


class OpPolicy(Value):
    """The policy of one operation in one workspace. `reviewers` are the people who decide about a call when it is
    `ask_first`, as an audience names them; never whoever called."""

    op: str
    policy: ToolPolicy
    reviewers: Reviewers = OPERATORS
