"""The list of what waits for somebody: in the morning, or in place of reminders that were too many."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from blocks.slack.check import is_public_address
from blocks.slack.content import OPENS_WHERE, full_form_button, place, way_to
from blocks.slack.fit import fits
from blocks.slack.home import order
from blocks.slack.parts import Block, actions, context, header, link_button, mrkdwn, plain, words
from blocks.slack.prose import line, prose
from blocks.slack.small_print import asked_by, asked_in
from blocks.slack.text import escape
from blocks.timely import heading, in_quotes, left, quoted, unlisted
from blocks.words import one_line
from core.cards import Card
from core.loops.cards import LoopCard
from core.notices import DigestNotice
from core.standing import so_far
from core.waiting import Entry

OPEN_INBOX: Final = "Open inbox"
IN_A_NOTIFICATION: Final = 3
"""Titles that a notification shows."""


def digest(notice: DigestNotice) -> tuple[list[Block], str]:
    """The blocks of the list and its text for notifications, which is escaped. What it has no room for is counted among
    the rest; nothing is cut."""
    whole = len(notice.entries)
    few = (
        _blocks(replace(notice, entries=notice.entries[:shown], more=notice.more + whole - shown))
        for shown in range(whole, 0, -1)
    )
    none = replace(notice, entries=(), more=notice.more + whole)
    return next((blocks for blocks in few if fits(blocks)), _blocks(none)), _text(notice)


def _blocks(notice: DigestNotice) -> list[Block]:
    blocks = [header(heading(notice))]
    for number, one in enumerate(notice.entries, start=1):
        blocks += order(one, number) if isinstance(one, LoopCard) else _entry(one, number, notice)
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
    if way := way_to(card.message_url, full_form_button(card)):
        return [*prose(title), context(*small), actions(f"open:{number}", *way)]
    return [*prose(title, line(words("Full form: "), place(card, card.review_url))), context(*small)]


def _inbox(notice: DigestNotice) -> list[Block]:
    """The way to the whole list."""
    if notice.link_ok and is_public_address(notice.inbox_url):
        return [actions("inbox", link_button(OPEN_INBOX, "inbox", notice.inbox_url))]
    return [*prose(line(words("Your inbox: "), words(notice.inbox_url, "code"))), context(plain(OPENS_WHERE))]


def _text(notice: DigestNotice) -> str:
    """The first titles in one line."""
    first = [_name(one) for one in notice.entries[:IN_A_NOTIFICATION]]
    left_out = len(notice.entries) - len(first) + notice.more
    more = f" and {left_out} more" if left_out else ""
    named = f": {', '.join(first)}{more}" if first else ""
    return escape(f"{heading(notice)}{named}")


def _name(entry: Entry) -> str:
    return in_quotes(entry.loop.title) if isinstance(entry, LoopCard) else quoted(entry.interaction)
