"""How far a card has come, in a few words."""

from __future__ import annotations

from typing import assert_never

from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.checklist import selected
from core.records import Interaction


def so_far(interaction: Interaction) -> str:
    """`12 of 30 decided`, `2 of 3 ticked`; empty where nothing is saved before the end."""
    payload = interaction.content.payload
    match payload:
        case Checklist():
            return f"{len(selected(payload, interaction.ticks))} of {len(payload.items)} ticked"
        case ItemVerdicts():
            return f"{len(interaction.verdicts)} of {len(payload.items)} decided"
        case Questions() | Confirmation() | SuggestedTasks() | ConnectionRequest():
            return ""
        case _:
            assert_never(payload)
