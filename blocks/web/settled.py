"""How a card ended, for its own page: one sentence, then everything that was said."""

from __future__ import annotations

from typing import Final, assert_never

from blocks.web.facts import HERE, voted
from blocks.web.later import local
from blocks.web.page import Ending, Tone
from blocks.web.parts import shown
from blocks.web.questions import said
from blocks.words import through
from core.endings import EXPLAINED, SET_BEFOREHAND, called, reason_label, wording
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.records import Interaction, Outcome, Status
from core.telling import decision, outcome_sentence

TONES: Final = {
    Status.PENDING: Tone.OPEN,
    Status.ANSWERED: Tone.GOOD,
    Status.ACCEPTED: Tone.GOOD,
    Status.REJECTED: Tone.BAD,
    Status.COMPLETED: Tone.GOOD,
    Status.CANCELLED: Tone.OVER,
    Status.WITHDRAWN: Tone.OVER,
    Status.SKIPPED: Tone.OVER,
    Status.EXPIRED: Tone.OVER,
    Status.SUPERSEDED: Tone.OVER,
    Status.UNDELIVERABLE: Tone.BAD,
}
DECIDED: Final = frozenset({Status.ANSWERED, Status.ACCEPTED, Status.REJECTED, Status.COMPLETED})
OVERDUE: Final = ("The time is over", Tone.OVER)


def state(interaction: Interaction, *, overdue: bool) -> tuple[str, Tone]:
    """How it stands in a word or two, and the colour of that. `overdue`: its time is over, and nothing settled it."""
    if overdue:
        return OVERDUE
    outcome, kind = interaction.outcome, interaction.content.kind
    words = wording(kind, interaction.status).called if outcome is None else called(kind, outcome)
    return words, TONES[interaction.status]


def ending(interaction: Interaction, outcome: Outcome, zone: str) -> Ending:
    """Who settled it, how, when (for a reader in `zone`) and through what."""
    told = shown(outcome_sentence(interaction, longest=0, spelled=lambda at: local(at, zone)))
    surface = through(outcome.via, HERE) if outcome.status in DECIDED else ""
    return Ending(
        sentence=f"{told.removesuffix('.')}, {surface}." if surface else told,
        decided=_decided(interaction, outcome),
        reason_label=reason_label(outcome),
        reason=shown(outcome.reason),
        votes=tuple(voted(vote) for vote in outcome.votes),
        successor=outcome.successor,
        default=_default_note(interaction, outcome),
        receipt=outcome.receipt,
    )


def answer_of(interaction: Interaction) -> object:
    """The answer to show with the questions: what was said, or the default that stands beside an expiry."""
    outcome = interaction.outcome
    if outcome is None:
        return None
    return outcome.answer if outcome.answer is not None else outcome.default


def _decided(interaction: Interaction, outcome: Outcome) -> tuple[str, ...]:
    """The label that was pressed, or the answer to the only question. Several answers stand with their questions."""
    payload = interaction.content.payload
    match payload:
        case Confirmation():
            labels = {Status.ACCEPTED: payload.accept_label, Status.REJECTED: payload.reject_label}
            return (shown(labels[outcome.status]),) if outcome.status in labels else ()
        case Questions():
            answer = answer_of(interaction)
            if len(payload.questions) > 1 or not isinstance(answer, dict):
                return ()
            given = said(payload.questions[0], answer.get(payload.questions[0].id))
            return given or ("No answer, as none was needed.",)
        case Checklist() | ItemVerdicts() | SuggestedTasks() | ConnectionRequest():
            what = shown(decision(interaction, outcome))
            return (what,) if what else ()
        case _:
            assert_never(payload)


def _default_note(interaction: Interaction, outcome: Outcome) -> str:
    if outcome.default is None or not isinstance(interaction.content.payload, Questions):
        return ""
    return f"{EXPLAINED[Status.EXPIRED]} {SET_BEFOREHAND}:"
