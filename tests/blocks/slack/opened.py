"""Forms as their person has them open."""

from __future__ import annotations

from typing import Any

from blocks.slack.modal import Sight, modal
from core.controls import Action, Control
from core.replies import OpenForm
from tests.blocks.slack.cards import ANA_ID, CODEC, expect_view, interaction

IN_CHANNEL = Sight("C1", "sayso")


def form(content: dict[str, Any], action: Action, sight: Sight = IN_CHANNEL, **more: Any) -> dict[str, Any]:
    """The view that a control opens for Ana, which Slack takes; `more` are fields of the interaction, or `fields`."""
    asked = interaction(content, **{name: more.pop(name) for name in ("to", "revision") if name in more})
    control = Control(asked.id, 1, asked.revision, asked.content.seen(), action)
    view = modal(OpenForm(asked, control, more.get("fields", {})), CODEC, ANA_ID, sight)
    expect_view(view)
    return view


def inputs(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Its fields."""
    return [block for block in view["blocks"] if block["type"] == "input"]
