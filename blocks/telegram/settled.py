"""How a card ends: what was decided, by whom, when and through what, beneath the content it was decided on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from blocks.telegram import (
    checklist,
    confirmation,
    connection,
    item_verdicts,
    questions,
    stepped,
    suggested_tasks,
)
from blocks.telegram.headline import headline
from blocks.telegram.keyboard import Controls
from blocks.telegram.parts import name
from blocks.telegram.text import escape, utf16_length
from blocks.words import listed
from core.cards import Card
from core.endings import NOT_WHOLE, SET_BEFOREHAND, reason_label, voted
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.records import Interaction, Outcome, Status
from core.telling import answer_lines, decision

SHORT: Final = 200
"""UTF-16 units of an answer that stands among others where not all of them have room."""


def asked(card: Card) -> Iterator[tuple[str, ...]]:
    """What was asked, as paragraphs of HTML, fullest first: what could be chosen, which the buttons said, and without.
    Lists stand in the outcome, each item with what became of it."""
    payload = card.interaction.content.payload
    match payload:
        case Questions():
            yield from _questions(payload, card)
        case Confirmation():
            yield (confirmation.offered(payload),)
            yield ()
        case ConnectionRequest():
            yield connection.facts(payload)
        case Checklist() | ItemVerdicts() | SuggestedTasks():
            yield ()
        case _:
            assert_never(payload)


def _questions(payload: Questions, card: Card) -> Iterator[tuple[str, ...]]:
    outcome = card.interaction.outcome
    if len(payload.questions) > 1:
        is_told = outcome is not None and (outcome.answer is not None or outcome.default is not None)
        yield () if is_told else (stepped.offered(payload),)
        yield ()
        return
    question = payload.questions[0]
    found = questions.asked(question, 0, Controls(card, None))
    about = () if found is None else found.paragraphs
    yield (*about, questions.offered(question))
    yield about


def outcomes(card: Card) -> Iterator[str]:
    """The outcome as HTML, fullest first; the last one always fits in what cards keep free for it.

    A shorter one leaves out what was written (an answer, a reason), says so, and says where it stands.
    """
    interaction, outcome = card.interaction, card.interaction.outcome
    if outcome is None:
        return
    first, said, votes = headline(card, outcome), [*_reason(outcome)], [*_votes(outcome)]
    elsewhere = f"{NOT_WHOLE.removesuffix('.')}: {escape(card.review_url)}"
    decided = tuple(_decided(interaction, outcome)) or ("",)
    for level, lines in enumerate(decided):
        yield "\n".join(line for line in (first, lines, *said, *votes, elsewhere if level else "") if line)
    if decided[-1]:
        yield f"{first}\n{decided[-1]}\n{elsewhere}"
    if decided[-1] or said or votes:
        yield f"{first}\n{elsewhere}"


def _decided(interaction: Interaction, outcome: Outcome) -> Iterator[str]:
    """What was decided, fullest first; of lists also how far they were when it ended."""
    payload = interaction.content.payload
    match payload:
        case Questions():
            for longest in (None, SHORT):
                lines = "\n".join(_answers(payload, outcome, longest))
                if lines:
                    yield lines
        case Checklist():
            yield from checklist.ended(interaction, payload)
        case ItemVerdicts():
            yield from item_verdicts.ended(interaction, payload)
        case SuggestedTasks():
            yield from suggested_tasks.ended(interaction, payload)
        case ConnectionRequest():
            what = decision(interaction, outcome)
            if what:
                yield escape(what)
        case Confirmation():
            return
        case _:
            assert_never(payload)


def _answers(payload: Questions, outcome: Outcome, longest: int | None) -> Iterator[str]:
    """The answers, of a form with its prompts; with `longest`, no longer answers than this."""
    lead, given = "Answer", outcome.answer
    if outcome.status is Status.EXPIRED and outcome.default is not None:
        lead, given = SET_BEFOREHAND, outcome.default
    if given is None:
        return
    lines = answer_lines(payload, given)
    if len(payload.questions) == 1:
        if longest is None:
            yield f"{lead}: <b>{escape(lines[0][1])}</b>" if lines else f"{lead}: none"
        return
    if lead != "Answer":
        yield f"{lead}:"
    for question in payload.questions:
        words = next((words for _, words in answer_lines(payload, {question.id: given.get(question.id)})), None)
        said = "left unanswered" if words is None else f"<b>{escape(words)}</b>"
        if words is not None and longest is not None and utf16_length(said) > longest:
            said = "(too long to show here)"
        yield f"• {escape(question.prompt)} {said}"


def _reason(outcome: Outcome) -> Iterator[str]:
    if outcome.reason:
        yield f"{reason_label(outcome)}: {escape(outcome.reason)}"


def _votes(outcome: Outcome) -> Iterator[str]:
    for said in dict.fromkeys(voted(vote) for vote in sorted(outcome.votes, key=lambda vote: not vote.accepted)):
        names = [name(vote.by) for vote in outcome.votes if voted(vote) == said]
        yield f"{said.capitalize()} by {listed(names)}."
