"""A form of several questions: what it asks stands on the card, and one modal takes all answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from blocks.codec import Codec
from blocks.slack import questions
from blocks.slack.check import check_view
from blocks.slack.controls import block_id, control, press
from blocks.slack.limits import VIEW_BLOCKS
from blocks.slack.modal import Sight, modal
from blocks.slack.parts import Block, actions, words
from blocks.slack.prose import line, prose
from blocks.words import neutralise
from core.cards import Card
from core.controls import Action
from core.kinds.questions import ChoiceQuestion, ChoicesQuestion, Questions
from core.people import Identity
from core.replies import OpenForm

_ANYBODY: Final = Identity(provider="slack", account="T" * 20, user="U" * 20)
_ANYWHERE: Final = Sight("C" * 20, "a" * 80)
"""Whose form it is and where decides nothing about its size, within what Slack's ids can be."""


def _fields(payload: Questions) -> int:
    return len(payload.questions) + sum(questions.takes_own_words(question) for question in payload.questions)


def _options(payload: Questions) -> int:
    return sum(
        len(question.options)
        for question in payload.questions
        if isinstance(question, ChoiceQuestion | ChoicesQuestion)
    )


@dataclass(frozen=True)
class Bound:
    """At most so much of something in one modal, for this reason."""

    count: Callable[[Questions], int]
    most: int
    reason: str


BOUNDS: Final = (
    Bound(_fields, VIEW_BLOCKS.number - 2, "a block for each field, beside the title and who will see the answer"),
    Bound(_options, 3_100, "a view weighs at most 250 kB, and an option 80 bytes or more"),
)
"""What is clear before a form is drawn. Whatever passes is drawn once to see whether Slack takes it."""


def why_review(card: Card, codec: Codec, payload: Questions) -> str | None:
    """Why a form cannot be filled in in Slack; None when every part of it fits one modal."""
    count = len(payload.questions)
    if any(questions.why_review(question) for question in payload.questions):
        return f"Not all of its {count} questions can be asked in Slack, so it is answered on its own page."
    beyond = any(bound.count(payload) > bound.most for bound in BOUNDS)
    form = OpenForm(card.interaction, control(card, Action.FORM))
    if beyond or check_view(modal(form, codec, _ANYBODY, _ANYWHERE)):
        return f"Its {count} questions do not fit one form in Slack, so it is answered on its own page."
    return None


def asked(payload: Questions) -> list[Block]:
    """Every prompt, in order; what else a question says stands where it is answered."""
    lines = [line(words(f"{len(payload.questions)} questions", "bold"))]
    for number, question in enumerate(payload.questions, start=1):
        prompt = neutralise(question.prompt).strip() or "…"
        optional = [] if question.required else [words(" (optional)", "italic")]
        lines.append(line(words(f"{number}. {prompt}"), *optional))
    return prose(*lines)


def answering(card: Card, codec: Codec) -> list[Block]:
    """One button, which opens the form."""
    return [actions(block_id("answer", card), press(codec, "Answer…", control(card, Action.FORM), "primary"))]
