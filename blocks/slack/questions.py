"""The card of one question: what it asks in words, and the controls that answer it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from blocks.codec import Codec
from blocks.slack.controls import block_id, choose, control, labelled, press
from blocks.slack.demands import demands, is_suggested
from blocks.slack.parts import Block, actions, plain, words
from blocks.slack.passages import Passage
from blocks.slack.prose import item, line, prose
from blocks.slack.sizes import ONE_ON_A_CARD, SEVERAL, control_for, fits_control
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
    TextQuestion,
)

YES_NO = ("Yes", "No")
LEAVE = "Leave unanswered"
IN_SIGHT: Final = SEVERAL[0].most
"""Options that a card shows all at once; more are in a menu."""
IN_MENU: Final = "Of the options in the menu:"


@dataclass(frozen=True)
class Beyond:
    """What no control of Slack's takes, and what the card then says."""

    is_so: Callable[[Question], bool]
    why: str


BEYOND: Final = (
    Beyond(
        lambda question: isinstance(question, TextQuestion) and question.max_length > CHAT_TEXT,
        "The answer may be longer than Slack takes, so it is given on its own page.",
    ),
    Beyond(
        lambda question: len(_labels(question)) > SEVERAL[-1].most,
        "There are {options} options, more than Slack shows, so they are on their own page.",
    ),
    Beyond(
        lambda question: not all(fits_control(label) for label in _labels(question)),
        "An option is longer than Slack shows whole, so the options are on their own page.",
    ),
)
"""Every limit that a question alone can pass, whatever else the card has."""


def why_review(question: Question) -> str | None:
    """Why a question cannot be answered in Slack whatever its length; None when it can."""
    beyond = next((row for row in BEYOND if row.is_so(question)), None)
    return beyond.why.format(options=len(_labels(question))) if beyond else None


def asked(question: Question) -> list[Block]:
    """The question on a card: prompt, help, what an answer must be, and the options where one of them says more than
    its label. Options in sight are then all listed; those of a menu only with what they say."""
    if any(_notes(question)) and not is_long(question):
        return kept(question)
    lead = [line(words(IN_MENU, "italic"))] if any(_notes(question)) else []
    return prose(_prompt(question), *_told(question), *lead, *_noted(question), *_pattern(question))


def asked_in_form(question: Question) -> list[Block]:
    """The question above its field, which shows the options and what the text must look like itself."""
    return prose(_prompt(question), *_told(question), *_noted(question))


def kept(question: Question) -> list[Block]:
    """The question once its controls are gone: with every option that they showed, where all were in sight. A longer
    list stands on the full form."""
    if not isinstance(question, ChoiceQuestion | ChoicesQuestion):
        return asked(question)
    if is_long(question):
        return prose(_prompt(question), *_told(question))
    notes = zip(question.options, _notes(question), strict=True)
    every = (item(*(note or [words(one_line(option.label), "bold")])) for option, note in notes)
    return prose(_prompt(question), *_told(question), *every)


def _prompt(question: Question) -> Passage:
    return line(words(neutralise(question.prompt).strip() or "…", "bold"))


def _pattern(question: Question) -> list[Passage]:
    """What the text must look like, in the asker's words; a form says it below its field."""
    hint = neutralise(question.pattern_hint or "").strip() if isinstance(question, TextQuestion) else ""
    return [line(words(hint, "italic"))] if hint else []


def _noted(question: Question) -> list[Passage]:
    """The options that say more than their labels."""
    return [item(*note) for note in _notes(question) if note]


def _notes(question: Question) -> list[list[Block]]:
    """What each option says, empty where that is its label alone."""
    if not isinstance(question, ChoiceQuestion | ChoicesQuestion):
        return []
    return [_note(question, option) for option in question.options]


def _told(question: Question) -> list[Passage]:
    """Its help, and what an answer must be."""
    helped, wanted = neutralise(question.help or "").strip(), demands(question)
    passages = [line(words(helped))] if helped else []
    return [*passages, line(words(wanted, "italic"))] if wanted else passages


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


def answering(card: Card, codec: Codec, question: Question) -> list[Block]:
    """The controls that answer the only question of a card."""
    leave = [] if question.required else [press(codec, LEAVE, control(card, Action.SUBMIT))]
    match question:
        case BooleanQuestion():
            return [actions(block_id("answer", card), *_answer_buttons(card, codec, YES_NO), *leave)]
        case ChoiceQuestion():
            return _choice(card, codec, question, leave)
        case ChoicesQuestion():
            return _choices(card, codec, question)
        case TextQuestion() | NumberQuestion() | DateQuestion():
            opening = press(codec, "Answer…", control(card, Action.WRITE), "primary")
            return [actions(block_id("answer", card), opening, *leave)]
        case _:
            assert_never(question)


def is_long(question: Question) -> bool:
    """Whether it has more options than are in sight at once."""
    return len(_labels(question)) > IN_SIGHT


def takes_own_words(question: Question) -> bool:
    """Whether words instead of an option are an answer."""
    return isinstance(question, ChoiceQuestion | ChoicesQuestion) and question.custom


def _labels(question: Question) -> list[str]:
    options = question.options if isinstance(question, ChoiceQuestion | ChoicesQuestion) else ()
    return [neutralise(option.label) for option in options]


def _answer_buttons(card: Card, codec: Codec, labels: tuple[str, ...]) -> list[Block]:
    return [press(codec, label, control(card, Action.ANSWER, 0, chosen)) for chosen, label in enumerate(labels)]


def _other(card: Card, codec: Codec, question: ChoiceQuestion | ChoicesQuestion) -> list[Block]:
    return [press(codec, "Other…", control(card, Action.OTHER))] if question.custom else []


def _choice(card: Card, codec: Codec, question: ChoiceQuestion, leave: list[Block]) -> list[Block]:
    labels, more = _labels(question), [*_other(card, codec, question), *leave]
    kind = control_for(len(labels), ONE_ON_A_CARD) or ONE_ON_A_CARD[-1].element
    if kind == "button":
        return [actions(block_id("answer", card), *_answer_buttons(card, codec, tuple(labels)), *more)]
    element = choose(codec, kind, labelled(labels), control(card, Action.ANSWER))
    if kind == "static_select":
        element["placeholder"] = plain("Choose one")
    rows = [actions(block_id("answer", card), element)]
    return [*rows, actions(block_id("other", card), *more)] if more else rows


def _choices(card: Card, codec: Codec, question: ChoicesQuestion) -> list[Block]:
    """Leaving it unanswered needs no button of its own: Submit with nothing picked does."""
    labels = _labels(question)
    kind = control_for(len(labels), SEVERAL) or SEVERAL[-1].element
    element = choose(codec, kind, labelled(labels), control(card, Action.PICK))
    if kind == "multi_static_select":
        element["placeholder"] = plain("Choose some")
        if question.most < len(labels):
            element["max_selected_items"] = question.most
    ticked = [
        one
        for one, option in zip(element["options"], question.options, strict=True)
        if is_suggested(question, option.id)
    ]
    if ticked:
        element["initial_options"] = ticked
    submit = press(codec, "Submit", control(card, Action.SUBMIT), "primary")
    return [
        actions(block_id("pick", card), element),
        actions(block_id("submit", card), submit, *_other(card, codec, question)),
    ]
