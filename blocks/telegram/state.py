"""How a card that waits for an answer stands: how far it is, who voted, who is filling it in, how long there is."""

from __future__ import annotations

from collections.abc import Iterable

from blocks.telegram.parts import counted, name, shortened
from blocks.telegram.text import escape
from blocks.words import isolate, when
from core.cards import Card
from core.records import Interaction
from core.standing import ASIDE, OPEN_UNTIL, STILL_OPEN, are_answering, votes_so_far


def state(card: Card) -> str:
    """Votes, who is filling it in, whether it is set aside, and how long there is."""
    interaction = card.interaction
    lines = list(_votes(interaction))
    busy = answering(card)
    if busy:
        lines.append(busy)
    if interaction.dismissed_at is not None:
        lines.append(f"{ASIDE}: {STILL_OPEN}.")
    if interaction.expires_at is not None:
        moment = interaction.expires_at
        spelled = when(moment)
        lines.append(f'{OPEN_UNTIL} <tg-time unix="{int(moment.timestamp())}" format="wDT">{spelled}</tg-time>.')
    return "\n".join(lines)


def answering(card: Card) -> str:
    """`Ana is answering…`, `Ana and Ben are answering…`; empty when nobody is."""
    names = card.answering or ((card.holder,) if card.holder else ())
    if not names:
        return ""
    told = counted([escape(shortened(isolate(one))) for one in names])
    return f"✍️ {are_answering(told, len(names))}"


def _votes(interaction: Interaction) -> Iterable[str]:
    for said, votes in votes_so_far(interaction):
        yield f"{said}: {counted([name(vote.by) for vote in votes])}." if votes else f"{said}."
