"""The paragraphs every card is made of, and whether they fit in one message.

A card is shown whole or not at all. `RESERVED` units stay free for what comes later (votes, who is answering,
the outcome), so that a card which fits when it is asked fits until it is settled.
"""

from __future__ import annotations

import html as entities
from collections.abc import Iterable
from typing import Final

from blocks.graphemes import pieces
from blocks.markdown import parse
from blocks.telegram import limits
from blocks.telegram.text import escape, html, inside, utf16_length
from blocks.words import isolate, listed, neutralise, who
from core.addressed import MAY_ANSWER, OR, account, answerers, notes
from core.addresses import ChatAddress
from core.audience import Audience
from core.cards import Card
from core.content import Content
from core.people import By

RESERVED: Final = 600
LONGEST_NAME: Final = 40
MOST_NAMES: Final = 3
RESERVED_BYTES: Final = 5 * RESERVED


def code(text: str) -> str:
    """Outside text that a tap copies exactly: nothing in it becomes a mention, so nothing is put into it."""
    return f"<code>{entities.escape(neutralise(text))}</code>"


def joined(paragraphs: Iterable[str]) -> str:
    """One message text of paragraphs; empty ones leave no gap."""
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def fits(text: str, reserved: int = 0) -> bool:
    """Whether a text is one message, with `reserved` units to spare."""
    spare = RESERVED_BYTES if reserved else 0
    return (
        utf16_length(text) + reserved <= limits.MESSAGE_TEXT.number
        and limits.size(text) + spare <= limits.MESSAGE_SOURCE.number
    )


def title(content: Content) -> str:
    """The title, in bold."""
    return f"<b>{escape(content.title)}</b>"


def head(content: Content) -> tuple[str, ...]:
    """Title, body and recommendation, whole."""
    advice = f"<b>Recommendation:</b> {escape(content.recommendation)}" if content.recommendation else ""
    return (title(content), html(parse(content.body)), advice)


def may_answer(audience: Audience) -> str:
    """Who may answer."""
    names = [inside(account(one) if isinstance(one, ChatAddress) else one) for one in answerers(audience)]
    more = notes(audience)
    return f"{MAY_ANSWER}: {counted(names, OR)}{f' ({listed(more)})' if more else ''}."


def counted(names: list[str], last: str = "and") -> str:
    """A list of names, `last` before the last one; beyond the first few it says how many more there are."""
    if len(names) <= MOST_NAMES:
        return listed(names, last)
    return listed([*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} more"], last)


def name(by: By) -> str:
    """Whoever did something, shortened when a name is longer than any card can carry."""
    return escape(shortened(who(by)))


def shortened(text: str) -> str:
    """A display name of at most `LONGEST_NAME` units."""
    if limits.utf16_length(text) <= LONGEST_NAME:
        return text
    return isolate(pieces(text, LONGEST_NAME - 4)[0]) + "…"


def address(card: Card, *, has_button: bool = True) -> str:
    """Where the full form is, in words, for a card that does not carry it as a button; empty when it does."""
    if card.link_ok:
        return "" if has_button else f"Full form: {escape(card.review_url)}"
    return f"Full form: {escape(card.review_url)} (opens only on the computer or network where I run)"
