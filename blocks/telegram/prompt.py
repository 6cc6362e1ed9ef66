"""Prompts: messages whose reply is the words a card asks for, since Telegram has no forms.

In a group the prompt mentions the one it is for, because a selective ForceReply opens the reply box only for
people who are mentioned; everyone else sees an ordinary message.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from blocks.telegram import limits
from blocks.telegram.confirmation import no_reason_label
from blocks.telegram.keyboard import caption
from blocks.telegram.parts import joined, shortened
from blocks.telegram.questions import expected
from blocks.telegram.text import escape, inside
from blocks.words import isolate
from core.cards import Card
from core.controls import Action
from core.kinds import Confirmation, Questions
from core.kinds.confirmation import Reason
from core.kinds.questions import DateQuestion, NumberQuestion, Question, TextQuestion
from core.outbox import AskWords

_ANSWER: Final = "Your answer"
_WORDS: Final = "Your words"


@dataclass(frozen=True, slots=True)
class Prompted:
    """One prompt: its HTML text and what stands in the empty reply box. `selective`: only for whom it mentions."""

    text: str
    placeholder: str
    selective: bool

    def markup(self) -> Mapping[str, object]:
        """The `reply_markup`. A message with it can never be edited, so a prompt says only what stays true."""
        box = {"force_reply": True, "input_field_placeholder": self.placeholder}
        return {**box, "selective": True} if self.selective else box


def prompt(asked: AskWords, card: Card) -> Prompted:
    """Ask for the words of `asked`, in the chat it names."""
    private = asked.channel == asked.user
    what, box = _what(asked, card)
    lead = "" if private else f"{_mention(asked)}, please "
    text = f"{lead}{what}"
    return Prompted(text[:1].upper() + text[1:] if private else text, _placeholder(box), selective=not private)


def _mention(asked: AskWords) -> str:
    name = escape(shortened(isolate(asked.name))) or "you"
    return f'<a href="tg://user?id={asked.user}">{name}</a>'


def _what(asked: AskWords, card: Card) -> tuple[str, str]:
    """What to reply with, as the rest of a sentence, and a word for the empty box."""
    content = card.interaction.content
    about = f"“{inside(content.title)}”"
    match asked.action:
        case Action.WRITE:
            question = _question(content.payload, asked.question)
            more = expected(question) if question else ""
            return joined((f"reply to this message with your answer to {about}.", more)), _box(question)
        case Action.OTHER:
            return f"reply to this message with your own words for {about}.", _WORDS
        case Action.REASON:
            return _reason(content.payload, about)
        case Action.COMMENT:
            told = "They are passed on to whoever asked; nothing is decided by them."
            return f"reply to this message with your words about {about}. {told}", _WORDS
        case (
            Action.ANSWER
            | Action.ACCEPT
            | Action.REJECT
            | Action.TOGGLE
            | Action.SUBMIT
            | Action.PAGE
            | Action.HOLD
            | Action.PICK
        ):
            raise ValueError(f"{asked.action.name} asks for no words")
        case _:
            assert_never(asked.action)


def _question(payload: Questions | Confirmation, index: int) -> Question | None:
    if isinstance(payload, Questions) and index < len(payload.questions):
        return payload.questions[index]
    return None


def _box(question: Question | None) -> str:
    match question:
        case TextQuestion():
            return question.placeholder or _ANSWER
        case NumberQuestion():
            return "A whole number" if question.integer else "A number"
        case DateQuestion():
            return "YYYY-MM-DD"
        case _:
            return _ANSWER


def _reason(payload: Questions | Confirmation, about: str) -> tuple[str, str]:
    what = f"reply to this message to reject {about}."
    if not isinstance(payload, Confirmation):
        return what, _WORDS
    what = f"{what} What to write: {inside(payload.reason_label)}"
    if payload.reason is Reason.OPTIONAL:
        what = joined((what, f"To reject without words, press “{escape(no_reason_label(payload))}” on the card."))
    return what, payload.reason_label


def _placeholder(text: str) -> str:
    """Text for the empty box, which takes no more than a line; a longer one stands on the card, whole."""
    line = caption(text)
    return line if line and limits.utf16_length(line) <= limits.REPLY_PLACEHOLDER.number else _ANSWER
