"""What each kind puts on an open card: what it asks in words, its controls, and why it may have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never

from blocks.codec import Codec
from blocks.slack import checklist, confirmation, connection, item_verdicts, mixed, questions, suggested_tasks
from blocks.slack.parts import Block
from core.cards import Card
from core.kinds import (
    AnyPayload,
    Checklist,
    Confirmation,
    ConnectionRequest,
    ItemVerdicts,
    Questions,
    SuggestedTasks,
)

TOO_LONG: Final = "This is too long to show whole in Slack, so it is answered on its own page."


@dataclass(frozen=True)
class Face:
    """`asked` stands above the controls, and stays (`kept`) once it is settled, unless what was decided tells all of it
    again; `offered` is that with what the controls said, for where it fits. `why_review`: why Slack shows no controls
    for it at all."""

    asked: list[Block] = field(default_factory=list)
    controls: list[Block] = field(default_factory=list)
    kept: list[Block] = field(default_factory=list)
    offered: list[Block] = field(default_factory=list)
    why_review: str | None = None


def face_of(card: Card, codec: Codec, rest: Sequence[Block]) -> Face:
    """The face of a card of any kind; `rest` is everything else on it but its small print."""
    payload = card.interaction.content.payload
    match payload:
        case Questions():
            return _of_questions(card, codec, payload)
        case Confirmation():
            why = confirmation.why_review(payload)
            return Face(why_review=why) if why else Face(controls=confirmation.deciding(card, codec, payload))
        case Checklist():
            why = checklist.why_review(payload)
            return Face(why_review=why) if why else _paged(checklist.answering(card, codec, payload, rest))
        case ItemVerdicts():
            why = item_verdicts.why_review(payload)
            return Face(why_review=why) if why else _paged(item_verdicts.answering(card, codec, payload, rest))
        case SuggestedTasks():
            why = suggested_tasks.why_review(payload)
            if why:
                return Face(why_review=why)
            return Face(suggested_tasks.asked(payload), suggested_tasks.deciding(card, codec, payload))
        case ConnectionRequest():
            asked = connection.asked(payload)
            return Face(asked, connection.deciding(card, codec), kept=asked)
        case _:
            assert_never(payload)


def takes_own_words(payload: AnyPayload) -> bool:
    """Whether words instead of an option are an answer."""
    match payload:
        case Questions():
            return any(questions.takes_own_words(question) for question in payload.questions)
        case Confirmation() | Checklist() | ItemVerdicts() | SuggestedTasks() | ConnectionRequest():
            return False
        case _:
            assert_never(payload)


def _of_questions(card: Card, codec: Codec, payload: Questions) -> Face:
    if len(payload.questions) > 1:
        why = mixed.why_review(card, codec, payload)
        asked = [] if why else mixed.asked(payload)
        controls = [] if why else mixed.answering(card, codec)
        offered: list[Block] = []
    else:
        (question,) = payload.questions
        why = questions.why_review(question)
        asked = [] if why else questions.asked(question)
        controls = [] if why else questions.answering(card, codec, question)
        offered = [] if why else questions.kept(question)
        if questions.is_long(question):
            return Face(asked, controls, kept=offered, why_review=why)
    return Face(asked, controls, kept=asked, offered=offered, why_review=why)


def _paged(page: list[Block] | None) -> Face:
    """A list, whose items stand among its controls."""
    return Face(why_review=TOO_LONG) if page is None else Face(controls=page)
