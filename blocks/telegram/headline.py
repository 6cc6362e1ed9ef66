"""How a card ended, in one sentence: who ended it, when and through what."""

from __future__ import annotations

from typing import Final, assert_never

from blocks.telegram.parts import name
from blocks.telegram.text import escape, inside
from blocks.words import through, when
from core.cards import Card
from core.kinds import Confirmation, ConnectionRequest
from core.records import Interaction, Outcome, Status
from core.telling import decision

FULL_FORM: Final = "on the full form"


def is_words(outcome: Outcome) -> bool:
    """Whether somebody's words took the place of the question."""
    return outcome.status is Status.SUPERSEDED and outcome.successor is None


def headline(card: Card, outcome: Outcome) -> str:
    """One sentence: how it ended, who ended it, when and where."""
    at = when(outcome.at)
    by = f"{name(outcome.by)} {through(outcome.via, FULL_FORM)}, {at}"
    match outcome.status:
        case Status.ANSWERED:
            return f"✅ <b>Answered</b> by {by}"
        case Status.ACCEPTED:
            return f"✅ <b>Accepted</b>{_label(card.interaction, outcome)} by {by}"
        case Status.REJECTED:
            return f"❌ <b>Rejected</b>{_label(card.interaction, outcome)} by {by}"
        case Status.COMPLETED:
            return f"✅ <b>Completed</b> by {by}"
        case Status.CANCELLED:
            return f"🚫 <b>Cancelled</b> by {by}"
        case Status.WITHDRAWN:
            return f"↩️ <b>Withdrawn</b> by {by}"
        case Status.SKIPPED:
            return f"⏭ <b>Skipped</b> by {by}: no answer was needed."
        case Status.EXPIRED:
            return f"⌛ <b>Expired</b> on {at}: there was no answer in time."
        case Status.SUPERSEDED:
            return _replaced(card, outcome)
        case Status.UNDELIVERABLE:
            return f"⚠️ <b>Undeliverable</b>, {at}"
        case Status.PENDING:
            return ""
        case _:
            assert_never(outcome.status)


def _label(interaction: Interaction, outcome: Outcome) -> str:
    payload = interaction.content.payload
    is_pressed = isinstance(payload, Confirmation | ConnectionRequest)
    what = decision(interaction, outcome) if is_pressed else ""
    return f" (“{inside(what)}”)" if what else ""


def _replaced(card: Card, outcome: Outcome) -> str:
    """Where the newer question is: its address differs from this one's only in the id."""
    if is_words(outcome):
        by = f"{name(outcome.by)} {through(outcome.via, FULL_FORM)}"
        return f"💬 <b>Replaced</b> by the words of {by}, {when(outcome.at)}"
    own, place = card.interaction.id, ""
    if outcome.successor is not None and card.review_url.endswith(own):
        place = f": {escape(card.review_url.removesuffix(own) + outcome.successor)}"
    return f"🔁 <b>Replaced</b> by a newer question, {when(outcome.at)}{place}"
