"""What every card shows of its content, open or settled: title, body, recommendation, link to the full form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from blocks.markdown import parse
from blocks.slack.check import is_public_address
from blocks.slack.limits import BUTTON_URL, HEADER_TEXT, length
from blocks.slack.parts import FULL_FORM, Block, header, link_button, rich, section, words
from blocks.slack.prose import line, prose
from blocks.slack.text import rich_text
from blocks.words import neutralise, one_line
from core.cards import Card
from core.content import Content

SHOW_MESSAGE: Final = "Show message"
OPENS_WHERE: Final = (
    "This address opens only where it can be reached: usually the computer or network that sayso runs on."
)
"""What is said wherever an address is printed that no chat may carry as a control."""


def title(content: Content) -> Block:
    """The title: a header where it fits one, else bold text. Always whole."""
    return heading(content.title)


def heading(said: str) -> Block:
    """Words from outside as the head of a message: a header where they fit one, else bold text. Always whole."""
    text = one_line(said) or "…"
    return header(text) if length(text) <= HEADER_TEXT.number else rich(section(words(text, "bold")))


def told(content: Content) -> list[Block]:
    """The body and the recommendation, whole."""
    shown = list(rich_text(parse(content.body)))
    advice = neutralise(content.recommendation).strip()
    if advice:
        shown += prose(line(words("Recommendation: ", "bold"), words(advice)))
    return shown


def may_link(card: Card) -> bool:
    """Whether Slack would carry the address as a control: it refuses a whole message for one it calls invalid."""
    return card.link_ok and carries(card.review_url)


def carries(address: str) -> bool:
    """Whether a control of Slack's can hold this address."""
    return is_public_address(address) and length(address) <= BUTTON_URL.number


def address_line(card: Card) -> list[Block]:
    """The address of the full form in words, where no chat may carry it as a control."""
    if may_link(card):
        return []
    return prose(line(words("Full form: "), place(card, card.review_url), words(f" {OPENS_WHERE}")))


def place(card: Card, address: str) -> Block:
    """An address of ours inside a sentence: a link where everybody can open it, else the address in words."""
    return {"type": "link", "url": address, "text": address} if may_link(card) else words(address, "code")


def way_to(message: str | None, otherwise: Sequence[Block]) -> list[Block]:
    """In a list: the control that shows the message itself, or else another way."""
    if message is not None and carries(message):
        return [link_button(SHOW_MESSAGE, "full_form", message)]
    return list(otherwise)


def full_form_button(card: Card) -> list[Block]:
    """The control that opens the full form, where the address is public."""
    return [link_button(FULL_FORM, "full_form", card.review_url)] if may_link(card) else []
