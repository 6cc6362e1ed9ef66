"""How a card ended, in one sentence: who ended it, when and through what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from blocks.telegram.parts import name
from blocks.telegram.text import escape, inside, moment
from blocks.words import through
from core.cards import Card
from core.endings import EXPLAINED, called, credit, is_words
from core.kinds import Confirmation
from core.records import Interaction, Outcome, Status
from core.telling import decision

FULL_FORM: Final = "on the full form"
_MARKS: Final[Mapping[Status, str]] = {
    Status.PENDING: "",
    Status.ANSWERED: "✅ ",
    Status.ACCEPTED: "✅ ",
    Status.REJECTED: "❌ ",
    Status.COMPLETED: "✅ ",
    Status.CANCELLED: "🚫 ",
    Status.WITHDRAWN: "↩️ ",
    Status.SKIPPED: "⏭ ",
    Status.EXPIRED: "⌛ ",
    Status.SUPERSEDED: "🔁 ",
    Status.UNDELIVERABLE: "⚠️ ",
}
_WORDS: Final = "💬 "


def headline(card: Card, outcome: Outcome) -> str:
    """How it ended, who ended it, when and where; and in a line of its own what follows for those who were asked."""
    interaction, mark = card.interaction, _WORDS if is_words(outcome) else _MARKS[outcome.status]
    by = credit(outcome, name(outcome.by), through(outcome.via, FULL_FORM))
    state = f"<b>{called(interaction.content.kind, outcome)}</b>{_label(interaction, outcome)}{by}"
    first = f"{mark}{state}, {moment(outcome.at)}{_successor(card, outcome)}"
    explained = EXPLAINED.get(outcome.status, "")
    return f"{first}\n{explained}" if explained else first


def _label(interaction: Interaction, outcome: Outcome) -> str:
    """What stood on the button that was pressed."""
    what = decision(interaction, outcome) if isinstance(interaction.content.payload, Confirmation) else ""
    return f" (“{inside(what)}”)" if what else ""


def _successor(card: Card, outcome: Outcome) -> str:
    """Where the newer question is: its address differs from this one's only in the id."""
    own = card.interaction.id
    if outcome.successor is None or not card.review_url.endswith(own):
        return ""
    return f": {escape(card.review_url.removesuffix(own) + outcome.successor)}"
