"""Policies of operations, and calls that people looked at."""

from __future__ import annotations

from sqlalchemy import select

from core.store.reads.snapshot import Reads
from core.store.tables import tool_calls, tool_policies
from core.store.tool_rows import op_policy_of, tool_call_of
from core.tools.policies import OpPolicy
from core.tools.reviewing import ToolCall


class ToolsReads(Reads):
    """Look at operations."""

    async def tool_policies(self, workspace: str) -> tuple[OpPolicy, ...]:
        table = tool_policies.c
        rows = await self._all(select(tool_policies).where(table.workspace == workspace).order_by(table.op))
        return tuple(op_policy_of(row) for row in rows)

    async def tool_call(self, workspace: str, id: str) -> ToolCall | None:
        table = tool_calls.c
        row = await self._one(select(tool_calls).where(table.workspace == workspace, table.id == id))
        return tool_call_of(row) if row else None
