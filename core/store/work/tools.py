"""Policies of operations, and calls that people look at."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import insert, select, update

from core.store.tables import tool_calls, tool_policies
from core.store.tool_rows import op_policy_of, tool_call_of, tool_call_row
from core.store.transaction import Transaction
from core.tools.policies import OpPolicy
from core.tools.reviewing import ToolCall


class ToolsWork(Transaction):
    """Set policies, keep calls."""

    async def tool_policy(self, workspace: str, op: str) -> OpPolicy | None:
        table = tool_policies.c
        row = await self._one(select(tool_policies).where(table.workspace == workspace, table.op == op))
        return op_policy_of(row) if row else None

    async def set_tool_policy(self, workspace: str, policy: OpPolicy, now: datetime) -> None:
        row = {**policy.model_dump(mode="json"), "set_at": now}
        made = self._upsert(tool_policies).values(workspace=workspace, **row)
        changed = {name: row[name] for name in ("policy", "reviewers", "set_at")}
        await self._run(made.on_conflict_do_update(index_elements=["workspace", "op"], set_=changed))

    async def add_tool_call(self, call: ToolCall) -> None:
        await self._run(insert(tool_calls).values(tool_call_row(call)))

    async def tool_call(self, workspace: str, id: str) -> ToolCall | None:
        table = tool_calls.c
        row = await self._one(select(tool_calls).where(table.workspace == workspace, table.id == id).with_for_update())
        return tool_call_of(row) if row else None

    async def save_tool_call(self, call: ToolCall) -> None:
        row = tool_call_row(call)
        ended = {name: row[name] for name in ("decision", "outcome", "words", "over_at")}
        which = (tool_calls.c.workspace == call.workspace, tool_calls.c.id == call.id)
        if await self._changed(update(tool_calls).where(*which).values(ended)) != 1:
            raise LookupError(f"there is no call {call.id}")
