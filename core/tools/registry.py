"""Which operations there are, what they take and who may run them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from pydantic import ValidationError

from core.errors import Fault, Invalid
from core.kinds.base import pointer
from core.tools.arguments import (
    AskInteraction,
    CancelFollowUp,
    CreateFollowUp,
    ListLoops,
    ShowLoop,
    ToolArguments,
)
from core.tools.policies import ToolPolicy


class Permission(StrEnum):
    """Who may run an operation."""

    SPEAKER = "speaker"
    """Whoever may speak in the conversation."""
    AGENT = "agent"
    """A program that takes part in it: it is the asker of what follows."""


@dataclass(frozen=True)
class Op:
    """One operation."""

    name: str
    arguments: type[ToolArguments]
    permission: Permission
    summary: str
    policy: ToolPolicy = ToolPolicy.ALLOW
    """What becomes of a call until an operator says otherwise."""


OPS: Mapping[str, Op] = {
    op.name: op
    for op in (
        # It only makes words that anybody there could say themselves, later.
        Op("followup.create", CreateFollowUp, Permission.SPEAKER, "say something again later"),
        # Whoever made it, and operators: the runner looks.
        Op("followup.cancel", CancelFollowUp, Permission.SPEAKER, "do not say it again"),
        # It tells what stands in the conversation.
        Op("loop.list", ListLoops, Permission.SPEAKER, "list the work orders here"),
        Op("loop.show", ShowLoop, Permission.SPEAKER, "show one work order"),
        # The answer goes to the asker, which only a program can be.
        Op("interaction.ask", AskInteraction, Permission.AGENT, "ask people with a card"),
    )
}


def read_call(name: str, arguments: str) -> tuple[Op, ToolArguments]:
    """The operation and its arguments, read from JSON. `Invalid` says in plain words what is wrong."""
    op = OPS.get(name)
    if op is None:
        raise Invalid.at("", f"There is no operation {name}; there are {', '.join(OPS)}.")
    try:
        return op, op.arguments.model_validate_json(arguments, strict=True)
    except ValidationError as error:
        faults = [Fault(pointer(*one["loc"]), _plain(one["loc"], one["msg"])) for one in error.errors()]
        raise Invalid(faults, f"{name} was not run: {'; '.join(fault.detail for fault in faults[:3])}.") from None


def _plain(where: tuple[int | str, ...], message: str) -> str:
    words = message.removeprefix("Value error, ")
    place = ".".join(str(part) for part in where)
    return f"{place}: {words[:1].lower()}{words[1:]}" if place else f"{words[:1].lower()}{words[1:]}"
