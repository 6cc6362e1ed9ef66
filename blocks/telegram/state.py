"""How a card that waits for an answer stands: how far it is, who voted, who is filling it in, how long there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from blocks.telegram.later import EXPLAINED
from blocks.telegram.parts import counted, name, shortened
from blocks.telegram.text import escape, moment
from blocks.timely import escalated, handed_on
from blocks.words import isolate
from core.cards import Card
from core.records import Interaction
from core.standing import ASIDE, OPEN_UNTIL, STILL_OPEN, are_answering, votes_so_far


def state(card: Card) -> str:
    """Votes, who was brought in, who is filling it in, how long there is, and what its menu does."""
    return next(states(card))


def states(card: Card) -> Iterator[str]:
    """The same, and then in short, without names: that always has room in what cards keep free."""
    interaction = card.interaction
    votes, ends = [*_votes(interaction)], [*_ends(interaction)]
    brought = [f"{escape(one)}." for one in (escalated(interaction), handed_on(interaction)) if one]
    busy, about = answering(card), f"\n{EXPLAINED}" if card.menu else ""
    yield "\n".join(line for line in (*votes, *brought, busy, *ends, about) if line)
    yield "\n".join((*(f"{said}." for said, _ in votes_so_far(interaction)), *ends))


def _ends(interaction: Interaction) -> Iterator[str]:
    if interaction.dismissed_at is not None:
        yield f"{ASIDE}: {STILL_OPEN}."
    if interaction.expires_at is not None:
        yield f"{OPEN_UNTIL} {moment(interaction.expires_at, 'wDT')}."


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
