"""Laying a card out: whether all of it fits, over how many pages, and the message of one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from blocks.telegram import keyboard, later, pages, parts
from blocks.telegram.asked import Asked
from blocks.telegram.keyboard import Button, Controls, Keyboard
from blocks.telegram.limits import MESSAGE_SOURCE, MESSAGE_TEXT
from blocks.telegram.pages import Page, Weight
from blocks.telegram.sizes import PAGE_UNSEARCHED
from blocks.telegram.state import states
from core.audience import Audience
from core.cards import Card
from core.controls import Action
from core.records import Interaction

WORDS: Final = "Reply in words…"
FULL_FORM: Final = "Open full form"


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that fits: what stands at its head, its entries by pages, and what is shown of them now."""

    asked: Asked
    head: tuple[str, ...]
    pages: tuple[Page, ...]
    shown: tuple[Page, ...]


def lay(card: Card, versions: Sequence[Asked], controls: Controls) -> Laid | None:
    """The first version that fits whole, whatever the card shows just now; None: there is none."""
    whole = parts.head(card.interaction.content)
    for asked in versions:
        heads = [whole, whole[:1]] if asked.brief else [whole]
        found = [laid for head in heads if (laid := _lay(card, asked, head, controls)) is not None]
        if found:
            return min(found, key=lambda laid: len(laid.pages))
    return None


def message(card: Card, laid: Laid, controls: Controls) -> tuple[str, Keyboard]:
    """The text and the buttons of the page that is shown."""
    here = pages.shown(laid.shown, card.page)
    text = ""
    for text in _texts(card, laid, laid.shown[here]):
        if parts.fits(text):
            break
    if card.menu:
        return text, later.menu(controls)
    turns = pages.turns(here, len(laid.shown), controls)
    own = pages.rows(laid.asked, laid.shown[here])
    return text, (*own, *turns, *_below(card, laid.asked, len(laid.pages), controls))


def extras(card: Card, controls: Controls, *, own_words: bool) -> Keyboard:
    """What every waiting card offers beside its own controls; none of it decides."""
    buttons: list[Button] = [] if own_words else [controls.button(WORDS, Action.COMMENT)]
    if card.link_ok:
        buttons.append(Button(FULL_FORM, url=card.review_url))
    if card.step is None:
        buttons.append(later.opens_menu(controls))
    return keyboard.in_rows(buttons)


def _lay(card: Card, asked: Asked, head: tuple[str, ...], controls: Controls) -> Laid | None:
    always = parts.joined((*head, *asked.paragraphs, *_feet(card, asked, asked_of(card.interaction))))
    if not parts.fits(always, parts.RESERVED):
        return None
    taken = Weight.of(always) + Weight(parts.RESERVED, parts.RESERVED_BYTES)
    room = Weight(MESSAGE_TEXT.number - taken.units, MESSAGE_SOURCE.number - taken.bytes)
    found = pages.packed(asked, asked.entries, room)
    if found is None:
        return None
    count = len(found)
    below = _below(card, asked, count, controls)
    for number, page in enumerate(found):
        if not keyboard.fits((*pages.rows(asked, page), *pages.turns(number, count, controls), *below)):
            return None
    shown = found
    if asked.search is not None and asked.search.found is not None:
        shown = pages.packed(asked, [asked.entries[index] for index in asked.search.found], room) or found
    return Laid(asked, head, found, shown)


def _feet(card: Card, asked: Asked, audience: Audience) -> tuple[str, ...]:
    return (parts.may_answer(audience), *asked.how, parts.address(card))


def asked_of(interaction: Interaction) -> Audience:
    """Those who may answer, without whoever is brought in later: they stand in what is kept free, so that nobody who
    is makes the card one that does not fit."""
    nudges = interaction.policy.nudges
    later_on = {one.to for one in interaction.delegations} | set(nudges.escalate_to if nudges is not None else ())
    answerers = tuple(one for one in interaction.audience.answerers if one not in later_on)
    return interaction.audience.model_copy(update={"answerers": answerers})


def _texts(card: Card, laid: Laid, page: Page) -> Iterator[str]:
    """The text of a page, fullest first."""
    asked, feet = laid.asked, _feet(card, laid.asked, card.interaction.audience)
    said = asked.search.said if asked.search is not None else ""
    for stands in states(card):
        for note in asked.notes:
            for listed in pages.texts(asked, page):
                yield parts.joined((*laid.head, *asked.paragraphs, said, listed, feet[0], note, *feet[1:], stands))


def _below(card: Card, asked: Asked, page_count: int, controls: Controls) -> Keyboard:
    """What stands beneath every page."""
    find: list[Button] = []
    if asked.search is not None and page_count > PAGE_UNSEARCHED.most:
        find = [asked.search.start, *([asked.search.end] if asked.search.found is not None else [])]
    ways = (asked.ways,) if asked.ways else ()
    beside = keyboard.in_rows([*find, *asked.beside])
    return (*asked.submit, *beside, *ways, *extras(card, controls, own_words=asked.own_words))
