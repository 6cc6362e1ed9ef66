"""Telegram controls: HTML text, inline keyboards and reply prompts, as plain data.

`render` draws a card as it stands: waiting for an answer, or settled. It is drawn `native`, whole and with its
controls, where everything fits in one message; otherwise `review`, which names the full form and decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from blocks.codec import Codec
from blocks.telegram import confirmation, keyboard, parts, questions, settled
from blocks.telegram.keyboard import Button, Controls, Keyboard
from blocks.telegram.parts import Asked
from core.cards import Card
from core.controls import Action
from core.kinds import Confirmation, Questions
from core.publications import Surface

__all__ = ["Button", "Rendered", "render"]

WORDS = "Reply in words…"
FULL_FORM = "Open full form"


@dataclass(frozen=True, slots=True)
class Rendered:
    """One message: its HTML text, its buttons by rows (none: take them off), and how many pages they have."""

    surface: Surface
    text: str
    keyboard: Keyboard
    page_count: int = 1

    def markup(self) -> Mapping[str, object]:
        """The `reply_markup` to send with every post and edit."""
        return keyboard.markup(self.keyboard)


def render(card: Card, codec: Codec) -> Rendered:
    """Draw one copy of a card as it stands now. Which surface it gets depends on its content alone, so that a
    card never changes surface between two edits of one revision.
    """
    controls = Controls(card, codec)
    found = _asked(card, controls)
    if found is None or not _fits_whole(card, found, controls):
        return _review(card, found, controls)
    if not card.interaction.is_pending:
        return _settled(card, found)
    text = _waiting(card, found)
    rows = (*keyboard.paged(found.rows, card.page, controls), *found.below, *_extras(card, controls))
    return Rendered(Surface.NATIVE, text, rows, keyboard.page_count(found.rows))


def _asked(card: Card, controls: Controls) -> Asked | None:
    payload = card.interaction.content.payload
    match payload:
        case Questions():
            return questions.asked(payload, controls)
        case Confirmation():
            return confirmation.asked(payload, controls)
        case _:
            assert_never(payload)


def _whole(card: Card, found: Asked, *, listed: bool = False) -> tuple[str, ...]:
    """Everything that was asked, and who may answer."""
    interaction = card.interaction
    offered = found.offered if listed or found.spelled_out else ""
    return (
        *parts.head(interaction.content),
        *found.paragraphs,
        offered,
        parts.may_answer(interaction.audience),
    )


def _waiting(card: Card, found: Asked) -> str:
    """A card that can be answered here, with whatever its form holds so far."""
    whole, after = _whole(card, found), (*found.how, parts.address(card), parts.state(card))
    words = questions.own_words(card)
    if not words:
        return parts.joined((*whole, *after))
    full = parts.joined((*whole, words, *after))
    return full if parts.fits(full) else parts.joined((*whole, "Own words are noted.", *after))


def _fits_whole(card: Card, found: Asked, controls: Controls) -> bool:
    text = parts.joined((*_whole(card, found), *found.how, parts.address(card)))
    extras = (*found.below, *_extras(card, controls))
    pages = (keyboard.paged(found.rows, page, controls) for page in range(keyboard.page_count(found.rows)))
    return parts.fits(text, parts.RESERVED) and all(keyboard.fits((*page, *extras)) for page in pages)


def _extras(card: Card, controls: Controls) -> Keyboard:
    """What every waiting card offers beside its own controls; none of it decides."""
    payload = card.interaction.content.payload
    custom = isinstance(payload, Questions) and any(
        getattr(question, "custom", False) for question in payload.questions
    )
    buttons: list[Button] = [] if custom else [controls.button(WORDS, Action.COMMENT)]
    if card.link_ok:
        buttons.append(Button(FULL_FORM, url=card.review_url))
    return keyboard.in_rows(buttons)


def _review(card: Card, found: Asked | None, controls: Controls) -> Rendered:
    interaction = card.interaction
    payload = interaction.content.payload
    if found is None and isinstance(payload, Questions) and len(payload.questions) > 1:
        why = f"This form has {len(payload.questions)} questions, which is more than I can show whole here."
    else:
        why = "This is too long to show whole here."
    about = (parts.title(interaction.content), why, parts.may_answer(interaction.audience))
    if not interaction.is_pending:
        shown = parts.joined((*about, parts.address(card, has_button=False)))
        return Rendered(Surface.REVIEW, _with_outcome(card, (shown,)), ())
    how = "Open the full form to read it and answer."
    text = parts.joined((*about, how, parts.address(card), parts.state(card)))
    return Rendered(Surface.REVIEW, text, _extras(card, controls))


def _settled(card: Card, found: Asked) -> Rendered:
    """The same content without controls. What the buttons alone said is spelled out where there is room."""
    versions = (parts.joined(_whole(card, found, listed=True)), parts.joined(_whole(card, found)))
    return Rendered(Surface.NATIVE, _with_outcome(card, versions), ())


def _with_outcome(card: Card, versions: tuple[str, ...]) -> str:
    """The fullest text that is one message: the outcome matters more than the list of what could be chosen."""
    outcomes = tuple(settled.outcomes(card))
    texts = (parts.joined((shown, outcome)) for outcome in outcomes for shown in versions)
    return next((text for text in texts if parts.fits(text)), parts.joined((versions[-1], *outcomes[-1:])))
