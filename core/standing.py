"""The words for how a card stands that waits for its answer. Surfaces mark them up and say nothing of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from core.endings import voted
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.checklist import selected
from core.outcomes import Vote
from core.records import Interaction

OPEN_UNTIL: Final = "Open until"
ASIDE: Final = "Set aside"
STILL_OPEN: Final = "no reminders, but it can still be answered"
"""What a card is that was set aside."""


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


def votes_so_far(interaction: Interaction) -> Iterator[tuple[str, tuple[Vote, ...]]]:
    """Where several must accept: `1 of 2 have accepted`, and `1 has rejected` if anybody has, each with those votes."""
    quorum = interaction.audience.quorum
    if quorum < 2:
        return
    accepted = tuple(vote for vote in interaction.votes if vote.accepted)
    rejected = tuple(vote for vote in interaction.votes if not vote.accepted)
    yield f"{len(accepted)} of {quorum} have accepted", accepted
    if rejected:
        yield f"{len(rejected)} {'has' if len(rejected) == 1 else 'have'} {voted(rejected[0])}", rejected


def are_answering(told: str, count: int) -> str:
    """`Ana is answering…`, `Ana and Ben are answering…`. `told` are their names, or how many there are."""
    return f"{told} {'is' if count == 1 else 'are'} answering…"
