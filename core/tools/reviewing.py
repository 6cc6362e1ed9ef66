"""A call that people look at before it runs: what they are shown is bound to what is kept, and that alone runs."""

from __future__ import annotations

import json
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.audience import Audience
from core.canonical import digest
from core.content import Content
from core.errors import Invalid
from core.kinds import Confirmation, Kind
from core.people import By, Identity, Value, Via
from core.policy import Policy
from core.records import Interaction, Status
from core.redaction import redacted
from core.tools.arguments import ToolArguments
from core.tools.policies import OPERATORS, OpPolicy
from core.tools.registry import OPS, Op

LONGEST_BODY = 20_000
"""What a card's body holds."""
REVIEW_TIME = "24h"
"""How long a call waits for somebody to look at it."""
_MARK = "tool:"
TOO_LONG = "{op} was not run: its arguments are too long to be looked at whole."


class ToolOutcome(StrEnum):
    """What became of an approved call. A call that was not approved has none."""

    EXECUTED = "executed"
    FAILED = "failed"
    """It ran and was refused, for what it asks cannot be; nothing was changed."""
    STOPPED = "stopped"
    """It did not run: since it was approved or asked, the caller, the policy or the operation had changed."""


class ToolCall(Value):
    """One call that was looked at. `arguments` is the JSON that runs, `definition` what the operation was when it was
    asked, `identity` the account that spoke for the caller. `decision` is how its card ended, `outcome` what became of
    it then, `words` what was said of it."""

    id: str
    workspace: str
    conversation: str
    op: str
    arguments: str
    definition: str
    by: By
    via: Via
    identity: Identity | None = None
    interaction: str
    created_at: datetime
    decision: Status | None = None
    outcome: ToolOutcome | None = None
    words: str | None = None
    over_at: datetime | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing becomes of it any more."""
        return self.over_at is not None


def definition_of(op: Op) -> str:
    """A digest of what an operation is: another one means that what was approved is not what would run."""
    schema: dict[str, Any] = op.arguments.model_json_schema()
    return digest({"name": op.name, "permission": op.permission.value, "summary": op.summary, "arguments": schema})


def spelled(given: ToolArguments) -> str:
    """The arguments as they are kept and run."""
    return json.dumps(given.model_dump(mode="json", exclude_unset=True), ensure_ascii=False, sort_keys=True)


def call_mark(id: str) -> str:
    """What an interaction carries that asks about a call."""
    return f"{_MARK}{id}"


def reviewed_call(interaction: Interaction) -> str | None:
    """The call that an interaction asks about."""
    mark = interaction.sole_key or ""
    return mark.removeprefix(_MARK) if mark.startswith(_MARK) else None


def review_content(call: ToolCall) -> Content:
    """The card of a call: who asks to run what, with all of its arguments. Raises `Invalid` when they are too long."""
    op = OPS[call.op]
    shown = json.dumps(redacted(json.loads(call.arguments)), ensure_ascii=False, indent=2)
    body = (
        f"{call.by.handle} asks to run `{op.name}`: {op.summary}. Its arguments, whole, with secrets hidden:\n\n"
        f"```json\n{shown}\n```\n\nWhat runs is what is shown: `{_seal(call)}`"
    )
    if len(body) > LONGEST_BODY:
        raise Invalid.at("", TOO_LONG.format(op=op.name))
    payload = Confirmation(accept_label="Run it", reject_label="Do not run it")
    return Content(kind=Kind.CONFIRMATION, title=f"Run {op.name}?", body=body, recommendation="", payload=payload)


def is_what_was_shown(call: ToolCall, interaction: Interaction) -> bool:
    """Whether the card that was decided is the one of this call, unchanged, with these arguments."""
    return interaction.revision == 1 and interaction.content.body.endswith(f"`{_seal(call)}`")


def _seal(call: ToolCall) -> str:
    return digest({"op": call.op, "arguments": call.arguments, "by": {**call.by.wire()}})


def review_audience(policy: OpPolicy | None, *, in_chat: bool) -> Audience:
    """Who decides. Where no people are in the conversation, operators do."""
    reviewers = policy.reviewers if policy else OPERATORS
    named = tuple(one for one in reviewers if in_chat or one != "conversation") or OPERATORS
    return Audience(answerers=named, exclude=("creator",))


def review_policy() -> Policy:
    """How long a call waits."""
    return Policy(expires_in=REVIEW_TIME, starts="asked")
