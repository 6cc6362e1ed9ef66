"""The card of one question: what it asks in words, and the controls that answer it."""

from __future__ import annotations

from typing import assert_never

from blocks.codec import Codec
from blocks.slack.controls import block_id, choose, control, press
from blocks.slack.demands import demands, is_suggested
from blocks.slack.limits import BUTTON_TEXT, RADIO_OPTIONS, SELECT_OPTIONS, length
from blocks.slack.parts import Block, actions, plain, words
from blocks.slack.prose import item, line, prose
from blocks.words import neutralise, one_line
from core.cards import Card
from core.controls import Action
from core.kinds.base import Option
from core.kinds.questions import (
    CHAT_TEXT,
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    Questions,
    TextQuestion,
)

BUTTONS = 5
"""As many options as read well in one row; more become a list."""
YES_NO = ("Yes", "No")


def why_review(payload: Questions) -> str | None:
    """Why a form cannot be answered in Slack whatever its length; None when it can."""
    if len(payload.questions) > 1:
        return f"This form has {len(payload.questions)} questions, so it is answered on its own page."
    question = payload.questions[0]
    if isinstance(question, TextQuestion) and question.max_length > CHAT_TEXT:
        return "The answer may be longer than Slack takes, so it is given on its own page."
    if isinstance(question, ChoiceQuestion | ChoicesQuestion):
        if len(question.options) > SELECT_OPTIONS.number:
            return f"There are {len(question.options)} options, more than Slack shows, so they are on their own page."
        if any(not fits_control(option.label) for option in question.options):
            return "An option is longer than Slack shows whole, so the options are on their own page."
    return None


def fits_control(label: str) -> bool:
    """Whether a label can stand whole on a button or in a list of options, which have the same limit."""
    return bool(label.strip()) and length(neutralise(label)) <= BUTTON_TEXT.number


def asked(question: Question) -> list[Block]:
    """The question in words: prompt, help, what an answer must be, and what options say beyond their labels."""
    passages = [line(words(neutralise(question.prompt).strip() or "…", "bold"))]
    if question.help and question.help.strip():
        passages.append(line(words(neutralise(question.help).strip())))
    wanted = demands(question)
    if wanted:
        passages.append(line(words(wanted, "italic")))
    if isinstance(question, ChoiceQuestion | ChoicesQuestion):
        passages += [item(*note) for option in question.options if (note := _note(question, option))]
    return prose(*passages)


def _note(question: ChoiceQuestion | ChoicesQuestion, option: Option) -> list[Block]:
    marks = []
    if option.recommended:
        marks.append("recommended")
    if is_suggested(question, option.id):
        marks.append("suggested")
    described = neutralise(option.description or "").strip()
    if not marks and not described:
        return []
    note = [words(one_line(option.label), "bold")]
    if marks:
        note.append(words(f" ({', '.join(marks)})", "italic"))
    if described:
        note.append(words(f": {described}"))
    return note


def answering(card: Card, codec: Codec, index: int, question: Question) -> list[Block]:
    """The controls that answer the question at `index`."""
    write = Action.WRITE
    match question:
        case BooleanQuestion():
            answers = _answer_buttons(card, codec, index, YES_NO)
            return [actions(block_id("answer", card), *answers)]
        case ChoiceQuestion():
            return _choice(card, codec, index, question)
        case ChoicesQuestion():
            return _choices(card, codec, index, question)
        case TextQuestion() | NumberQuestion() | DateQuestion():
            opening = press(codec, "Answer…", control(card, write, index), "primary")
            return [actions(block_id("answer", card), opening)]
        case _:
            assert_never(question)


def takes_own_words(question: Question) -> bool:
    """Whether words instead of an option are an answer."""
    return isinstance(question, ChoiceQuestion | ChoicesQuestion) and question.custom


def _labels(question: ChoiceQuestion | ChoicesQuestion) -> list[str]:
    return [neutralise(option.label) for option in question.options]


def _answer_buttons(card: Card, codec: Codec, index: int, labels: tuple[str, ...]) -> list[Block]:
    return [press(codec, label, control(card, Action.ANSWER, index, chosen)) for chosen, label in enumerate(labels)]


def _other(card: Card, codec: Codec, index: int, question: ChoiceQuestion | ChoicesQuestion) -> list[Block]:
    return [press(codec, "Other…", control(card, Action.OTHER, index))] if question.custom else []


def _choice(card: Card, codec: Codec, index: int, question: ChoiceQuestion) -> list[Block]:
    labels, own_words = _labels(question), _other(card, codec, index, question)
    if len(labels) <= BUTTONS:
        buttons = _answer_buttons(card, codec, index, tuple(labels))
        return [actions(block_id("answer", card), *buttons, *own_words)]
    first = control(card, Action.ANSWER, index)
    if len(labels) <= RADIO_OPTIONS.number:
        element = choose(codec, "radio_buttons", labels, first)
    else:
        element = {**choose(codec, "static_select", labels, first), "placeholder": plain("Choose one")}
    rows = [actions(block_id("answer", card), element)]
    return [*rows, actions(block_id("other", card), *own_words)] if own_words else rows


def _choices(card: Card, codec: Codec, index: int, question: ChoicesQuestion) -> list[Block]:
    labels, first = _labels(question), control(card, Action.PICK, index)
    if len(labels) <= RADIO_OPTIONS.number:
        element = choose(codec, "checkboxes", labels, first)
    else:
        element = {**choose(codec, "multi_static_select", labels, first), "placeholder": plain("Choose some")}
        if question.most < len(labels):
            element["max_selected_items"] = question.most
    ticked = [
        one
        for one, option in zip(element["options"], question.options, strict=True)
        if is_suggested(question, option.id)
    ]
    if ticked:
        element["initial_options"] = ticked
    submit = press(codec, "Submit", control(card, Action.SUBMIT, index), "primary")
    return [
        actions(block_id("pick", card), element),
        actions(block_id("submit", card), submit, *_other(card, codec, index, question)),
    ]
