"""A form of several questions as a Telegram card: closed, then one question at a time, then a summary to submit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from blocks.telegram import questions
from blocks.telegram.asked import Asked, Entry
from blocks.telegram.keyboard import Button, Controls
from blocks.telegram.text import escape, utf16_length
from core.controls import Action
from core.fields import Fields
from core.forms import initial_fields, read_answer
from core.kinds.answers import Answer, question_fault
from core.kinds.questions import ChoicesQuestion, Question, Questions
from core.telling import answer_lines

ANSWER: Final = "Answer"
BACK: Final = "Back"
CLOSE: Final = "Close"
NEXT: Final = "Next"
SKIP: Final = "Skip"
SUBMIT: Final = "Submit"
_NOT_HERE: Final = "What is filled in is too long to show here; it is kept as it was written."
_LONGEST_LINE: Final = 1_000
"""UTF-16 units of a prompt or an answer in the summary; a longer one is whole on its own step or in the chat."""


def views(payload: Questions, controls: Controls) -> Iterator[Sequence[Asked] | None]:
    """Everything the form can show, each in one or more versions of which one must fit; None: a question that a chat
    cannot carry."""
    yield closed(payload, controls)
    for index in range(len(payload.questions)):
        found = step(payload, index, controls)
        yield None if found is None else (found,)
    yield (summary(payload, controls),)


def view(payload: Questions, controls: Controls) -> Sequence[Asked] | None:
    """What the form shows now, fullest version first."""
    at = controls.card.step
    if at is None:
        return closed(payload, controls)
    if at >= len(payload.questions):
        return (summary(payload, controls),)
    found = step(payload, at, controls)
    return None if found is None else (found,)


def closed(payload: Questions, controls: Controls) -> tuple[Asked, ...]:
    """What is to come, and the button that begins; where there is no room for all prompts, their number."""
    count = len(payload.questions)
    lines = [f"{number}. {prompt}" for number, prompt in enumerate(map(_prompt, payload.questions), start=1)]
    begin = ((controls.button(ANSWER, Action.STEP),),)
    how = (f"“{ANSWER}” asks one question after the other; nothing is sent before you press “{SUBMIT}” at the end.",)
    listed = ("\n".join([f"<b>{count} questions</b>", *lines]),)
    return (Asked(listed, how, submit=begin), Asked((f"<b>{count} questions</b>",), how, submit=begin))


def step(payload: Questions, index: int, controls: Controls) -> Asked | None:
    """One question, what is filled in for it, and the ways back and on."""
    question = payload.questions[index]
    found = questions.asked(question, index, controls)
    if found is None:
        return None
    fields = _fields(payload, controls)
    answer = read_answer(question, index, fields)
    place = f"Question {index + 1} of {len(payload.questions)}"
    return replace(
        found,
        paragraphs=(place, *found.paragraphs),
        how=tuple(line.replace("press Submit", f"press {NEXT}") for line in found.how),
        notes=found.notes if isinstance(question, ChoicesQuestion) else _filled_in(payload, question, answer),
        submit=() if isinstance(question, ChoicesQuestion) else found.submit,
        beside=(*found.beside, *_leave(question, index, answer, controls)),
        ways=(_back(index, controls), *_on(question, index, answer, controls)),
        brief=True,
    )


def summary(payload: Questions, controls: Controls) -> Asked:
    """Every question with its answer, and the button that sends them."""
    fields, last = _fields(payload, controls), len(payload.questions)
    lines = [_line(payload, index, read_answer(one, index, fields)) for index, one in enumerate(payload.questions)]
    return Asked(
        paragraphs=("<b>Your answers</b>",),
        how=(f"Nothing is sent yet: look them over, then press “{SUBMIT}”.",),
        entries=tuple(Entry((), line) for line in lines),
        listed=True,
        submit=((controls.submit(SUBMIT),),),
        ways=(_back(last, controls),),
        brief=True,
    )


def offered(payload: Questions) -> str:
    """What was asked, in words."""
    return "\n".join(f"• {_prompt(question)}" for question in payload.questions)


def _prompt(question: Question) -> str:
    return f"{escape(question.prompt)}{'' if question.required else ' (optional)'}"


def _fields(payload: Questions, controls: Controls) -> Fields:
    draft = controls.card.draft
    return initial_fields(payload) if draft is None else draft


def _words(payload: Questions, question: Question, answer: Answer | None) -> str:
    """An answer as people read it; empty when there is none."""
    if answer is None:
        return ""
    return next((words for _, words in answer_lines(payload, {question.id: answer.wire()})), "")


def _filled_in(payload: Questions, question: Question, answer: Answer | None) -> tuple[str, ...]:
    words = _words(payload, question, answer)
    return (f"Filled in: <b>{escape(words)}</b>", _NOT_HERE) if words else ("",)


def _line(payload: Questions, index: int, answer: Answer | None) -> str:
    question = payload.questions[index]
    words = escape(_words(payload, question, answer)) if answer is not None else ""
    said = f"<b>{words}</b>" if words else "left unanswered"
    if utf16_length(words) > _LONGEST_LINE:
        said = "filled in, and too long to show here"
    prompt = escape(question.prompt)
    asked = f"{index + 1}. {prompt}" if utf16_length(prompt) <= _LONGEST_LINE else f"Question {index + 1}"
    return f"{asked}\n{said}"


def _leave(question: Question, index: int, answer: Answer | None, controls: Controls) -> tuple[Button, ...]:
    """Take back what is filled in where no answer is one. Ticks are taken back by pressing them again."""
    if question.required or answer is None or isinstance(question, ChoicesQuestion):
        return ()
    return (controls.button(questions.LEAVE, Action.ANSWER, index, questions.nothing(question)),)


def _back(index: int, controls: Controls) -> Button:
    if index == 0:
        return controls.button(CLOSE, Action.CLEAR)
    return controls.button(BACK, Action.STEP, index - 1)


def _on(question: Question, index: int, answer: Answer | None, controls: Controls) -> tuple[Button, ...]:
    """The way on, where what is filled in passes; where it may stay empty, to skip it."""
    if question_fault(question, answer) is not None:
        return ()
    return (controls.button(SKIP if answer is None else NEXT, Action.STEP, index + 1),)
