"""Rows and values of operations, mapped in both directions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from core.tools.policies import OpPolicy
from core.tools.reviewing import ToolCall


def op_policy_of(row: Row[Any]) -> OpPolicy:
    """The policy a row holds."""
    return OpPolicy(op=row.op, policy=row.policy, reviewers=tuple(row.reviewers))


def tool_call_row(value: ToolCall) -> dict[str, Any]:
    """The columns of a call."""
    kept = value.model_dump(mode="json", exclude={"created_at", "over_at"})
    return {**kept, "created_at": value.created_at, "over_at": value.over_at}


def tool_call_of(row: Row[Any]) -> ToolCall:
    """The call a row holds."""
    return ToolCall.model_validate({name: getattr(row, name) for name in ToolCall.model_fields})
