"""How far a pending card has come: what is ticked or judged so far, in the shape that the answer will have."""

from __future__ import annotations

from typing import assert_never

from pydantic import JsonValue

from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.checklist import wire as ticked
from core.kinds.item_verdicts import wire as judged
from core.records import Interaction


def progress(interaction: Interaction) -> dict[str, JsonValue] | None:
    """`{"selected", "ticks"}` of a checklist, `{"verdicts"}` of items; None where nothing is saved before the end."""
    payload = interaction.content.payload
    match payload:
        case Checklist():
            return ticked(payload, interaction.ticks)
        case ItemVerdicts():
            return judged(payload, interaction.verdicts)
        case Questions() | Confirmation() | SuggestedTasks() | ConnectionRequest():
            return None
        case _:
            assert_never(payload)
