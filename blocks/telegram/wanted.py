"""The words a prompt asks for: what to reply with, as the rest of a sentence, and a word for the empty box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, assert_never

from blocks.telegram import connection, item_verdicts, later, suggested_tasks
from blocks.telegram.confirmation import no_reason_label
from blocks.telegram.expected import expected, spelled
from blocks.telegram.parts import joined
from blocks.telegram.text import escape, inside
from core.cards import Card
from core.controls import Action
from core.kinds import (
    AnyPayload,
    Checklist,
    Confirmation,
    ConnectionRequest,
    ItemVerdicts,
    Questions,
    SuggestedTasks,
)
from core.kinds.base import Reason
from core.kinds.questions import DateQuestion, NumberQuestion, Question, TextQuestion
from core.outbox import AskWords

_REPLY: Final = "reply to this message"
_ANSWER: Final = "Your answer"
_WORDS: Final = "Your words"
_REASON: Final = "The reason"
_PART: Final = "A part of its name"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to reply with, as HTML, fullest first (the last one is always one message), and what the box says."""

    versions: tuple[str, ...]
    box: str


def wanted(asked: AskWords, card: Card) -> Wanted:
    """Say what is asked for. Raises ValueError for an action that asks for no words."""
    content = card.interaction.content
    payload, about = content.payload, f"“{inside(content.title)}”"
    match asked.action:
        case Action.WRITE:
            return _answer(payload, asked.question, about)
        case Action.OTHER:
            return _own_words(payload, asked.question, about)
        case Action.SEARCH:
            what = f"{_REPLY} with a part of the option that you look for"
            return Wanted((f"{what} in {_place(payload, asked.question)}{about}.",), _PART)
        case Action.REASON:
            return _reason(payload, about)
        case Action.JUDGE:
            return _verdict(payload, asked, about)
        case Action.COMMENT:
            told = "They are passed on to whoever asked; nothing is decided by them."
            return Wanted((f"{_REPLY} with your words about {about}. {told}",), _WORDS)
        case Action.PUT_OFF:
            return Wanted((later.wants_moment(_REPLY, about, again=bool(asked.fault)),), later.UNTIL_BOX)
        case Action.DELEGATE:
            return Wanted((later.wants_person(_REPLY, about),), later.TO_BOX)
        case (
            Action.ANSWER
            | Action.ACCEPT
            | Action.REJECT
            | Action.TOGGLE
            | Action.SUBMIT
            | Action.PAGE
            | Action.HOLD
            | Action.PICK
            | Action.FORM
            | Action.STEP
            | Action.TICK
            | Action.UNTICK
            | Action.TICKS
            | Action.VERDICT
            | Action.CLEAR
            | Action.MENU
            | Action.SNOOZE
            | Action.AWAITED
        ):
            raise ValueError(f"{asked.action.name} asks for no words")
        case _:
            assert_never(asked.action)


def _question(payload: AnyPayload, index: int) -> Question | None:
    if isinstance(payload, Questions) and index < len(payload.questions):
        return payload.questions[index]
    return None


def _place(payload: AnyPayload, index: int) -> str:
    """Which question of a form it is; empty where there is one alone, which the title names."""
    if not isinstance(payload, Questions) or len(payload.questions) == 1:
        return ""
    return f"question {index + 1} of {len(payload.questions)} of "


def _answer(payload: AnyPayload, index: int, about: str) -> Wanted:
    question, place = _question(payload, index), _place(payload, index)
    what = f"{_REPLY} with your answer to {place}{about}."
    if question is None:
        return Wanted((what,), _ANSWER)
    return Wanted(_versions(what, question, expected(question), is_stepped=bool(place)), _box(question))


def _own_words(payload: AnyPayload, index: int, about: str) -> Wanted:
    question, place = _question(payload, index), _place(payload, index)
    what = f"{_REPLY} with your own words for {place}{about}."
    if question is None:
        return Wanted((what,), _WORDS)
    return Wanted(_versions(what, question, "", is_stepped=bool(place)), _WORDS)


def _versions(what: str, question: Question, more: str, *, is_stepped: bool) -> tuple[str, ...]:
    """In a form the card goes on, so the prompt says what is asked, as far as one message holds it."""
    short = joined((what, more))
    if not is_stepped:
        return (short,)
    prompt = f"<b>{escape(question.prompt)}</b>"
    return (joined((what, prompt, escape(question.help or ""), more)), joined((what, prompt, more)), short)


def _box(question: Question) -> str:
    match question:
        case TextQuestion():
            return question.initial or question.placeholder or _ANSWER
        case NumberQuestion():
            return spelled(question.initial) or ("A whole number" if question.integer else "A number")
        case DateQuestion():
            return question.initial or "YYYY-MM-DD"
        case _:
            return _ANSWER


def _reason(payload: AnyPayload, about: str) -> Wanted:
    match payload:
        case Confirmation():
            what = f"{_REPLY} to reject {about}. What to write: {inside(payload.reason_label)}"
            silently = no_reason_label(payload) if payload.reason is Reason.OPTIONAL else ""
            return Wanted((_or_press(what, silently, "To reject without words"),), payload.reason_label)
        case SuggestedTasks():
            what = f"{_REPLY} with why none of the tasks of {about} is to be created."
            return Wanted((_or_press(what, suggested_tasks.NONE_SILENTLY, "To say no without words"),), _REASON)
        case ConnectionRequest():
            what = f"{_REPLY} with why you decline {about}."
            return Wanted((_or_press(what, connection.DECLINE_SILENTLY, "To decline without words"),), _REASON)
        case Questions() | Checklist() | ItemVerdicts():
            return Wanted((f"{_REPLY} to reject {about}.",), _WORDS)
        case _:
            assert_never(payload)


def _verdict(payload: AnyPayload, asked: AskWords, about: str) -> Wanted:
    """Name the item and the verdict: the card may show another item by now."""
    is_known = isinstance(payload, ItemVerdicts) and (
        asked.option < len(payload.items) and asked.question < len(payload.verdicts)
    )
    if not isinstance(payload, ItemVerdicts) or not is_known:
        return Wanted((f"{_REPLY} with the reason for your verdict in {about}.",), _REASON)
    option = payload.verdicts[asked.question]
    item = inside(payload.items[asked.option].label)
    what = f"{_REPLY} with the reason for “{inside(item_verdicts.label(option))}” on “{item}” in {about}."
    silently = item_verdicts.no_reason_label(option) if option.reason is Reason.OPTIONAL else ""
    return Wanted((_or_press(what, silently, "To give it without words"),), _REASON)


def _or_press(what: str, label: str, lead: str) -> str:
    """The way without words stands on the card, from which every settlement removes it."""
    return joined((what, f"{lead}, press “{escape(label)}” on the card.")) if label else what
