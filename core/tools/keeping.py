"""What the database keeps of operations: policies, and calls that people look at."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from core.tools.policies import OpPolicy
from core.tools.reviewing import ToolCall


class ToolWork(Protocol):
    """The part of `core.ports.Work` that is about operations."""

    async def tool_policy(self, workspace: str, op: str) -> OpPolicy | None:
        """What an operator set; None: nobody did."""

    async def set_tool_policy(self, workspace: str, policy: OpPolicy, now: datetime) -> None:
        """Insert or replace."""

    async def add_tool_call(self, call: ToolCall) -> None:
        """Insert one."""

    async def tool_call(self, workspace: str, id: str) -> ToolCall | None:
        """Load and lock one."""

    async def save_tool_call(self, call: ToolCall) -> None:
        """Write how it was decided and what became of it."""


class ToolReads(Protocol):
    """The read side."""

    async def tool_policies(self, workspace: str) -> tuple[OpPolicy, ...]:
        """What operators set, by operation."""

    async def tool_call(self, workspace: str, id: str) -> ToolCall | None:
        """One call that was looked at."""
