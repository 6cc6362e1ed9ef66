"""Telegram controls: HTML text, inline keyboards and reply prompts, as plain data.

`render` draws a card as it stands: waiting for an answer, or settled. It is drawn `native`, whole and with its
controls, where every page of it fits in a message; otherwise `review`, which names the full form and decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from blocks.codec import Codec
from blocks.telegram import (
    checklist,
    confirmation,
    connection,
    item_verdicts,
    keyboard,
    later,
    parts,
    questions,
    settled,
    stepped,
    suggested_tasks,
)
from blocks.telegram.asked import Asked
from blocks.telegram.keyboard import Button, Controls, Keyboard
from blocks.telegram.laying import Laid, extras, lay, message
from blocks.telegram.state import state
from core.cards import Card
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.publications import Surface
from core.signed_in import answered_signed_in, needs_sign_in
from core.standing import so_far

__all__ = ["Button", "Rendered", "render"]


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
    is_open = card.interaction.is_pending
    controls = Controls(card, codec if is_open else None)
    laid = None if needs_sign_in(card.interaction.policy) else _laid(card, controls)
    if laid is None:
        return _review(card, controls)
    if not is_open:
        return _settled(card)
    text, rows = message(card, laid, controls)
    return Rendered(Surface.NATIVE, text, rows, len(laid.shown))


def _laid(card: Card, controls: Controls) -> Laid | None:
    """What is shown now, if everything that could be shown of it fits."""
    payload = card.interaction.content.payload
    if not _is_stepped(card):
        return _lay(card, _asked(card, controls), controls)
    if not isinstance(payload, Questions):
        return None
    blank = controls.blank
    if any(_lay(card, versions, blank) is None for versions in stepped.views(payload, blank)):
        return None
    return _lay(card, stepped.view(payload, controls), controls)


def _lay(card: Card, versions: Sequence[Asked] | None, controls: Controls) -> Laid | None:
    return None if versions is None else lay(card, versions, controls)


def _asked(card: Card, controls: Controls) -> tuple[Asked, ...] | None:
    payload = card.interaction.content.payload
    match payload:
        case Questions():
            found = questions.single(payload.questions[0], controls)
            return None if found is None else (found,)
        case Confirmation():
            return (confirmation.asked(payload, controls),)
        case Checklist():
            return (checklist.asked(payload, controls),)
        case ItemVerdicts():
            return (item_verdicts.asked(payload, controls),)
        case SuggestedTasks():
            return (suggested_tasks.asked(payload, controls),)
        case ConnectionRequest():
            return (connection.asked(payload, controls),)
        case _:
            assert_never(payload)


def _is_stepped(card: Card) -> bool:
    payload = card.interaction.content.payload
    return isinstance(payload, Questions) and len(payload.questions) > 1


def _review(card: Card, controls: Controls) -> Rendered:
    interaction = card.interaction
    payload = interaction.content.payload
    if needs_sign_in(interaction.policy):
        why = answered_signed_in(interaction.policy)
    elif isinstance(payload, Questions) and len(payload.questions) > 1:
        why = f"This form has {len(payload.questions)} questions, which is more than I can show whole here."
    else:
        why = "This is too long to show whole here."
    whole = parts.head(interaction.content)
    abouts = ((*whole, why), (whole[0], why))
    if not interaction.is_pending:
        address = parts.address(card, has_button=False)
        ended = [parts.joined((*about, address)) for about in abouts]
        return Rendered(Surface.REVIEW, _with_outcome(card, ended), ())
    how, count = "Open the full form to read it and answer.", so_far(interaction)
    below = (parts.may_answer(interaction.audience), how, parts.address(card), f"{count}." if count else "")
    texts = [parts.joined((*about, *below, state(card))) for about in abouts]
    text = next((one for one in texts if parts.fits(one)), texts[-1])
    own_words = isinstance(payload, Questions) and all(getattr(one, "custom", False) for one in payload.questions)
    own = later.menu(controls) if card.menu else extras(card, controls, own_words=own_words)
    return Rendered(Surface.REVIEW, text, own)


def _settled(card: Card) -> Rendered:
    """The same content without controls. What the buttons alone said is spelled out where there is room."""
    content = card.interaction.content
    versions = [parts.joined((*parts.head(content), *more)) for more in settled.asked(card)]
    return Rendered(Surface.NATIVE, _with_outcome(card, versions), ())


def _with_outcome(card: Card, versions: Sequence[str]) -> str:
    """The fullest text that is one message: the outcome matters more than the list of what could be chosen."""
    outcomes = tuple(settled.outcomes(card))
    texts = (parts.joined((shown, outcome)) for outcome in outcomes for shown in versions)
    return next((text for text in texts if parts.fits(text)), parts.joined((versions[-1], *outcomes[-1:])))
