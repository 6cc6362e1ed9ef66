"""Whether people rejected the very same again and again: asking once more, unchanged, would only wear them out.

Asking a second time is fine: what it was rejected for may be mended by then. A program that goes in circles is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import JsonValue

from core.awaited import clock
from core.canonical import digest
from core.durations import parse_duration
from core.errors import AlreadySettled
from core.policy import Policy
from core.quiet import zone_of
from core.records import Interaction, Status

MOST = 2
"""How often people reject the same before it is not put to them any more."""


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


def check_not_rejected(rejected: Sequence[Interaction], policy: Policy, now: datetime) -> None:
    """Raise `AlreadySettled`, with what was said last, when the same was rejected `MOST` times in so short a time that
    the `policy` of the new one calls it the same question. `rejected` are the last ones, newest first."""
    outcomes = [one.outcome for one in rejected[:MOST] if one.outcome is not None]
    if policy.reask == "allow" or len(outcomes) < MOST:
        return
    earlier = min(outcome.at for outcome in outcomes)
    until = earlier + parse_duration(policy.reask)
    # What was rejected while a clock was ahead may be of any time.
    if abs(now - earlier) < until - earlier:
        raise AlreadySettled(
            f"The very same was asked and rejected {MOST} times, last as {rejected[0].id}, so it is not asked again "
            f"before {clock(until, zone_of('UTC'))}. Ask something else, or the same with `policy.reask` `allow`.",
            outcomes[0],
        )
