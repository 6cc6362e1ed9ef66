"""How a card that waits for an answer stands: how far it is, who voted, who is filling it in, how long there is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from blocks.telegram.parts import counted, name, shortened
from blocks.telegram.text import escape
from blocks.words import isolate, when
from core.cards import Card
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.checklist import selected
from core.records import Interaction


def state(card: Card) -> str:
    """Votes, who is filling it in, whether it is set aside, and how long there is."""
    interaction = card.interaction
    lines = list(_votes(interaction))
    busy = answering(card)
    if busy:
        lines.append(busy)
    if interaction.dismissed_at is not None:
        lines.append("Set aside: no more reminders, but it can still be answered.")
    if interaction.expires_at is not None:
        moment = interaction.expires_at
        spelled = when(moment)
        lines.append(f'Open until <tg-time unix="{int(moment.timestamp())}" format="wDT">{spelled}</tg-time>.')
    return "\n".join(lines)


def answering(card: Card) -> str:
    """`Ana is answering…`, `Ana and Ben are answering…`; empty when nobody is."""
    names = card.answering or ((card.holder,) if card.holder else ())
    if not names:
        return ""
    told = counted([escape(shortened(isolate(one))) for one in names])
    return f"✍️ {told} {'is' if len(names) == 1 else 'are'} answering…"


def so_far(interaction: Interaction) -> str:
    """`2 of 3 ticked`, `12 of 30 decided`; empty where nothing is saved before the end."""
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


def _votes(interaction: Interaction) -> Iterable[str]:
    quorum = interaction.audience.quorum
    if quorum == 1:
        return
    for accepted, verb in ((True, "accepted"), (False, "rejected")):
        names = [name(vote.by) for vote in interaction.votes if vote.accepted is accepted]
        if accepted or names:
            said = f": {counted(names)}" if names else ""
            yield f"{len(names)} of {quorum} have {verb}{said}."
