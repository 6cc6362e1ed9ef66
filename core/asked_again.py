"""Whether people rejected the very same a moment ago: asking them again, unchanged, would only wear them out."""

from __future__ import annotations

from datetime import datetime

from pydantic import JsonValue

from core.awaited import clock
from core.canonical import digest
from core.durations import parse_duration
from core.errors import AlreadySettled
from core.policy import Policy
from core.quiet import zone_of
from core.records import Interaction, Status


def sameness(interaction: Interaction) -> str:
    """One spelling for what was asked, where and of whom. Whatever of it changes, it is another question."""
    return digest(
        {
            "content": interaction.content.digest(),
            "to": list[JsonValue](sorted(interaction.to)),
            "answerers": list[JsonValue](sorted(interaction.audience.answerers)),
        }
    )


def is_refusal(interaction: Interaction) -> bool:
    """Whether a person said no. What a program rejects, it may be asked again as often as anybody likes."""
    outcome = interaction.outcome
    return interaction.status is Status.REJECTED and outcome is not None and outcome.by.type == "person"


def check_not_rejected(before: Interaction | None, policy: Policy, now: datetime) -> None:
    """Raise `AlreadySettled`, with what was said then, when the same was rejected (`before`) so short a time ago that
    the `policy` of the new one calls it the same question."""
    if before is None or before.outcome is None or policy.reask == "allow":
        return
    until = before.outcome.at + parse_duration(policy.reask)
    if now < until:
        raise AlreadySettled(
            f"The very same was asked and rejected a moment ago ({before.id}), so it is not asked again before "
            f"{clock(until, zone_of('UTC'))}. Ask something else, or the same with `policy.reask` `allow`.",
            before.outcome,
        )
