"""How a card ends: what was decided, by whom, when and through what, beneath the content it was decided on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from blocks.telegram.parts import name
from blocks.telegram.text import escape
from blocks.words import listed, through, when
from core.cards import Card
from core.kinds import Confirmation, Questions
from core.records import Interaction, Outcome, Status
from core.telling import answer_lines

FULL_FORM: Final = "on the full form"


def outcomes(card: Card) -> Iterator[str]:
    """The outcome as HTML, fullest first; the last one always fits in what cards keep free for it.

    A shorter one leaves out what was written (an answer, a reason), says so, and says where it stands.
    """
    outcome = card.interaction.outcome
    if outcome is None:
        return
    first = _verdict(card, outcome)
    written = [*_answers(card.interaction, outcome), *_reason(outcome)]
    votes = tuple(_votes(outcome))
    yield "\n".join([first, *written, *votes])
    if written or votes:
        yield f"{first}\nWhat was written is too long to show here. {_where(card)}"


def _where(card: Card) -> str:
    return f"It stands whole on the full form: {escape(card.review_url)}"


def _verdict(card: Card, outcome: Outcome) -> str:
    """One sentence: how it ended, who ended it, when and where."""
    at = when(outcome.at)
    by = f"{name(outcome.by)} {through(outcome.via, 'on the full form')}, {at}"
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
            return f"🔁 <b>Replaced</b> by a newer question, {at}{_successor(card, outcome)}"
        case Status.UNDELIVERABLE:
            return f"⚠️ <b>Undeliverable</b>, {at}"
        case Status.PENDING:
            return ""
        case _:
            assert_never(outcome.status)


def _label(interaction: Interaction, outcome: Outcome) -> str:
    payload = interaction.content.payload
    if not isinstance(payload, Confirmation):
        return ""
    pressed = payload.accept_label if outcome.status is Status.ACCEPTED else payload.reject_label
    return f" (“{escape(pressed)}”)"


def _successor(card: Card, outcome: Outcome) -> str:
    """Where the newer question is: its address differs from this one's only in the id."""
    own = card.interaction.id
    if outcome.successor is None or not card.review_url.endswith(own):
        return ""
    return f": {escape(card.review_url.removesuffix(own) + outcome.successor)}"


def _answers(interaction: Interaction, outcome: Outcome) -> Iterator[str]:
    payload = interaction.content.payload
    if not isinstance(payload, Questions):
        return
    lead = "Answer"
    given = outcome.answer
    if outcome.status is Status.EXPIRED and outcome.default is not None:
        lead, given = "The default stands", outcome.default
    lines = answer_lines(payload, given)
    if len(payload.questions) == 1:
        for _, answer in lines:
            yield f"{lead}: <b>{escape(answer)}</b>"
    else:
        for prompt, answer in lines:
            yield f"• {escape(prompt)} <b>{escape(answer)}</b>"
    if given is not None and not lines:
        yield f"{lead}: none"


def _reason(outcome: Outcome) -> Iterator[str]:
    if outcome.reason:
        yield f"Reason: {escape(outcome.reason)}"


def _votes(outcome: Outcome) -> Iterator[str]:
    for accepted, verb in ((True, "Accepted"), (False, "Rejected")):
        names = [name(vote.by) for vote in outcome.votes if vote.accepted is accepted]
        if names:
            yield f"{verb} by {listed(names)}."
