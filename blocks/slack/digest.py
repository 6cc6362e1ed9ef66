"""The list of what waits for somebody: in the morning, or in place of reminders that were too many."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from blocks.slack.check import is_public_address
from blocks.slack.content import OPENS_WHERE, full_form_button, may_link, place
from blocks.slack.fit import fits
from blocks.slack.parts import Block, actions, context, header, link_button, mrkdwn, plain, words
from blocks.slack.prose import item, line, prose
from blocks.slack.small_print import asked_by, asked_in
from blocks.slack.text import escape
from blocks.timely import heading, left, quoted, unlisted
from blocks.words import one_line
from core.cards import Card
from core.notices import DigestNotice
from core.standing import so_far

OPEN_INBOX: Final = "Open inbox"
IN_A_NOTIFICATION: Final = 3
"""Titles that a notification shows."""


def digest(notice: DigestNotice) -> tuple[list[Block], str]:
    """The blocks of the list and its text for notifications, which is escaped. What it has no room for is counted among
    the rest; nothing is cut."""
    cards, orders = len(notice.cards), len(notice.orders)
    for shown in range(cards + orders, 0, -1):
        few = replace(
            notice,
            cards=notice.cards[:shown],
            orders=notice.orders[: max(0, shown - cards)],
            more=notice.more + cards + orders - shown,
        )
        blocks = _blocks(few)
        if fits(blocks):
            break
    else:
        blocks = _blocks(replace(notice, cards=(), orders=(), more=notice.more + cards + orders))
    return blocks, _text(notice)


def _blocks(notice: DigestNotice) -> list[Block]:
    blocks = [header(heading(notice))]
    for number, card in enumerate(notice.cards, start=1):
        blocks += _entry(card, number, notice)
    if notice.orders:
        blocks += prose(*(item(words(one_line(order) or "…")) for order in notice.orders))
    rest = unlisted(notice)
    if rest:
        blocks.append(context(plain(rest)))
    return [*blocks, *_inbox(notice)]


def _entry(card: Card, number: int, notice: DigestNotice) -> list[Block]:
    """One card: its title, how long there is, who asked and where, and the way to it."""
    interaction = card.interaction
    until, progress = left(interaction, notice.now, notice.zone), so_far(interaction)
    small = [
        *([plain(until)] if until else []),
        asked_by(interaction),
        mrkdwn(f"In {asked_in(interaction)}"),
        *([plain(progress)] if progress else []),
    ]
    title = line(words(one_line(interaction.content.title) or "…", "bold"))
    if may_link(card):
        return [*prose(title), context(*small), actions(f"open:{number}", *full_form_button(card))]
    return [*prose(title, line(words("Full form: "), place(card, card.review_url))), context(*small)]


def _inbox(notice: DigestNotice) -> list[Block]:
    """The way to the whole list."""
    if notice.link_ok and is_public_address(notice.inbox_url):
        return [actions("inbox", link_button(OPEN_INBOX, "inbox", notice.inbox_url))]
    return [*prose(line(words("Your inbox: "), words(notice.inbox_url, "code"))), context(plain(OPENS_WHERE))]


def _text(notice: DigestNotice) -> str:
    """The first titles in one line."""
    first = [quoted(card.interaction) for card in notice.cards[:IN_A_NOTIFICATION]]
    left_out = len(notice.cards) - len(first) + notice.more
    more = f" and {left_out} more" if left_out else ""
    named = f": {', '.join(first)}{more}" if first else ""
    return escape(f"{heading(notice)}{named}")
