"""Operations that a sentence may call, `[TOOL followup.create {"in_m": 5, "prompt": "…"}]`: the registry and nothing
else. What each does is in `core.use_cases.tools`."""

from __future__ import annotations

from core.tools.arguments import (
    AskInteraction,
    CancelFollowUp,
    CreateFollowUp,
    ListLoops,
    ShowLoop,
    ToolArguments,
)
from core.tools.policies import OpPolicy, ToolPolicy
from core.tools.registry import OPS, Op, Permission, read_call

__all__ = [
    "OPS",
    "AskInteraction",
    "CancelFollowUp",
    "CreateFollowUp",
    "ListLoops",
    "Op",
    "OpPolicy",
    "Permission",
    "ShowLoop",
    "ToolArguments",
    "ToolPolicy",
    "read_call",
]
