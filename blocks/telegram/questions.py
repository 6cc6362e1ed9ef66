"""One question as a Telegram card: its prompt, what can be chosen, and the buttons to choose it with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from blocks.telegram import limits
from blocks.telegram.keyboard import LONGEST_LABEL, READABLE, Button, Controls, caption, in_rows
from blocks.telegram.parts import Asked, code
from blocks.telegram.text import escape, inside
from core.cards import Card
from core.controls import Action
from core.forms import custom_name, field_name
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

TICKED: Final = "☑"
UNTICKED: Final = "☐"


def asked(payload: Questions, controls: Controls) -> Asked | None:
    """What the card shows; None when the chat cannot carry the answer: a form of several questions, or a text
    longer than a chat can bring back.
    """
    if len(payload.questions) > 1:
        return None
    question = payload.questions[0]
    prompt = f"<b>{escape(question.prompt)}</b>"
    about = (prompt, escape(question.help or ""), "" if question.required else "An answer is optional.")
    match question:
        case ChoiceQuestion():
            return _choice(question, about, controls)
        case ChoicesQuestion():
            return _choices(question, about, controls)
        case BooleanQuestion():
            return _boolean(question, about, controls)
        case TextQuestion():
            return None if question.max_length > CHAT_TEXT else _words(question, about, controls)
        case NumberQuestion() | DateQuestion():
            return _words(question, about, controls)
        case _:
            assert_never(question)


def _choice(question: ChoiceQuestion, about: tuple[str, ...], controls: Controls) -> Asked:
    captions, numbered = _captions(question.options)
    suggested = (question.initial,) if question.initial is not None else ()
    return Asked(
        paragraphs=about,
        offered=_offered(question.options, suggested, numbered=numbered),
        spelled_out=_must_spell_out(question.options, suggested, numbered=numbered),
        rows=in_rows([controls.button(text, Action.ANSWER, option=index) for index, text in enumerate(captions)]),
        below=_other(question, controls),
    )


def _choices(question: ChoicesQuestion, about: tuple[str, ...], controls: Controls) -> Asked:
    captions, numbered = _captions(question.options)
    ticked = _ticked(question, controls)
    buttons: list[Button] = []
    for index, (option, text) in enumerate(zip(question.options, captions, strict=True)):
        tick = TICKED if option.id in ticked else UNTICKED
        buttons.append(controls.button(f"{tick} {text}", Action.TOGGLE, option=index))
    return Asked(
        paragraphs=about,
        offered=_offered(question.options, question.initial or (), numbered=numbered),
        spelled_out=_must_spell_out(question.options, question.initial or (), numbered=numbered),
        how=(f"Tick {_how_many(question.least, question.most)}, then press Submit.",),
        rows=in_rows(buttons),
        below=((controls.button("Submit", Action.SUBMIT),), *_other(question, controls)),
    )


def _boolean(question: BooleanQuestion, about: tuple[str, ...], controls: Controls) -> Asked:
    suggested = "" if question.initial is None else f"Suggested answer: {'Yes' if question.initial else 'No'}"
    yes = controls.button("Yes", Action.ANSWER, option=0)
    no = controls.button("No", Action.ANSWER, option=1)
    return Asked(paragraphs=(*about, suggested), offered="• Yes\n• No", rows=((yes, no),))


def _words(question: TextQuestion | NumberQuestion | DateQuestion, about: tuple[str, ...], controls: Controls) -> Asked:
    initial = _spelled(question.initial)
    suggested = f"Suggested answer: {code(initial)}" if initial else ""
    example = ""
    if isinstance(question, TextQuestion) and question.placeholder:
        example = f"For example: {escape(question.placeholder)}"
    return Asked(
        paragraphs=(*about, suggested, example, expected(question)),
        how=("Reply to this message with your answer.",),
        below=((controls.button("Answer…", Action.WRITE),),),
    )


def expected(question: Question) -> str:
    """What an answer in words must look like, as one paragraph of HTML; empty when anything will do."""
    match question:
        case TextQuestion():
            return " ".join(_expected_text(question))
        case NumberQuestion():
            kind = "whole number" if question.integer else "number"
            return f"The answer is a {kind}{_bounds(question)}."
        case DateQuestion():
            return "The answer is a day, written YYYY-MM-DD."
        case ChoiceQuestion() | ChoicesQuestion() | BooleanQuestion():
            return ""
        case _:
            assert_never(question)


def _expected_text(question: TextQuestion) -> Iterable[str]:
    least, most = question.min_length or 0, question.max_length
    if least and most < CHAT_TEXT:
        yield f"The answer has {least} to {most} characters."
    elif least:
        yield f"The answer has at least {least} characters."
    elif most < CHAT_TEXT:
        yield f"The answer has at most {most} characters."
    if question.pattern_hint:
        yield inside(question.pattern_hint)
    elif question.pattern:
        yield f"The answer matches the pattern {code(question.pattern)}"


def _bounds(question: NumberQuestion) -> str:
    least, most = _spelled(question.min), _spelled(question.max)
    if least and most:
        return f" from {least} to {most}"
    if least:
        return f", {least} or more"
    return f", {most} or less" if most else ""


def _spelled(value: str | float | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else repr(value)


def _ticked(question: ChoicesQuestion, controls: Controls) -> Sequence[str]:
    draft = controls.card.draft
    if draft is None:
        return question.initial or ()
    ticked = draft.get(field_name(0), ())
    return (ticked,) if isinstance(ticked, str) else ticked


def own_words(card: Card) -> str:
    """The own words that wait beside the ticks for Submit; empty when there are none."""
    words = (card.draft or {}).get(custom_name(0), "")
    return f"Own words: {escape(words)}" if isinstance(words, str) and words.strip() else ""


def _captions(options: Sequence[Option]) -> tuple[list[str], bool]:
    """What stands on the buttons: the labels, or numbers when a label is too long, unseen or there twice."""
    captions = [caption(option.label) for option in options]
    readable = all(text and limits.utf16_length(text) <= LONGEST_LABEL for text in captions)
    if readable and len(set(captions)) == len(captions):
        return captions, False
    return [str(number) for number in range(1, len(options) + 1)], True


def _must_spell_out(options: Sequence[Option], suggested: Sequence[str], *, numbered: bool) -> bool:
    return (
        numbered
        or bool(suggested)
        or any(
            option.description or option.recommended or limits.utf16_length(option.label) > READABLE
            for option in options
        )
    )


def _offered(options: Sequence[Option], suggested: Sequence[str], *, numbered: bool) -> str:
    lines: list[str] = []
    for number, option in enumerate(options, start=1):
        marks = [
            mark
            for mark, holds in (
                ("recommended", option.recommended),
                ("suggested", option.id in suggested),
            )
            if holds
        ]
        sign = f"{number}." if numbered else "•"
        noted = f" ({', '.join(marks)})" if marks else ""
        more = f": {escape(option.description)}" if option.description else ""
        lines.append(f"{sign} {escape(option.label)}{noted}{more}")
    return "\n".join(lines)


def _other(question: ChoiceQuestion | ChoicesQuestion, controls: Controls) -> tuple[tuple[Button, ...], ...]:
    return ((controls.button("Other…", Action.OTHER),),) if question.custom else ()


def _how_many(least: int, most: int) -> str:
    if least == most:
        return f"exactly {least}"
    if least == 0:
        return f"up to {most}"
    return f"{least} to {most}"
